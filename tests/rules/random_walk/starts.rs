//! Start positions of the walks: standard chess, Chess960 and DFRC by number, and random boards,
//! which have pins and checks that are rare in games.

use movegen::{
    CastlingRight, CastlingSide, Color, File, Piece, Position, Rank, Role, Setup, Square, Variant,
};
use proptest::prelude::*;

pub(crate) const CHESS960_STARTS: u16 = 960;
const STANDARD_NUMBER: u16 = 518;

/// The first rank of a Chess960 start position by its number (Scharnagl numbering).
fn first_rank(number: u16) -> [Role; 8] {
    const KNIGHTS: [(usize, usize); 10] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let mut rest = usize::from(number);
    let mut take = |choices: usize| {
        let choice = rest % choices;
        rest /= choices;
        choice
    };
    let mut rank: [Option<Role>; 8] = [None; 8];
    rank[take(4) * 2 + 1] = Some(Role::Bishop);
    rank[take(4) * 2] = Some(Role::Bishop);
    let queen = take(6);
    let knights = KNIGHTS[take(10)];
    let empty = |rank: &[Option<Role>; 8]| -> Vec<usize> {
        (0..8).filter(|&file| rank[file].is_none()).collect()
    };
    rank[empty(&rank)[queen]] = Some(Role::Queen);
    let free = empty(&rank);
    rank[free[knights.0]] = Some(Role::Knight);
    rank[free[knights.1]] = Some(Role::Knight);
    for (file, role) in empty(&rank)
        .into_iter()
        .zip([Role::Rook, Role::King, Role::Rook])
    {
        rank[file] = Some(role);
    }
    rank.map(|role| role.expect("a full rank"))
}

/// A DFRC start position: a first rank for each side.
pub(crate) fn double_start(white: u16, black: u16) -> Setup {
    let mut setup = Setup::empty();
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        for (file, role) in File::ALL.into_iter().zip(first_rank(number)) {
            let piece_square = Square::new(file, Rank::First).relative(color);
            let pawn = Square::new(file, Rank::Second).relative(color);
            setup.pieces[piece_square.index()] = Some(Piece::new(color, role));
            setup.pieces[pawn.index()] = Some(Piece::new(color, Role::Pawn));
        }
        for side in CastlingSide::ALL {
            setup
                .castling_rights
                .push(CastlingRight::Outermost(color, side));
        }
    }
    setup
}

/// The start of a walk.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) position: Position,
    pub(crate) variant: Variant,
}

fn standard() -> impl Strategy<Value = Start> {
    Just(Start {
        position: Position::default(),
        variant: Variant::Standard,
    })
}

fn of_setup(setup: &Setup, variant: Variant) -> Option<Start> {
    let position = setup.position(variant).ok()?;
    Some(Start { position, variant })
}

fn chess960() -> impl Strategy<Value = Start> {
    (0..CHESS960_STARTS).prop_map(|number| {
        of_setup(&double_start(number, number), Variant::Chess960).expect("a legal position")
    })
}

fn dfrc() -> impl Strategy<Value = Start> {
    (0..CHESS960_STARTS, 0..CHESS960_STARTS).prop_map(|(white, black)| {
        of_setup(&double_start(white, black), Variant::Chess960).expect("a legal position")
    })
}

/// Random pieces on random squares, with random castling rights (not always of the outermost rook)
/// and a random en passant file, as far as the position supports them.
fn random_board() -> impl Strategy<Value = Start> {
    const MAX_PIECES: usize = 24;
    const RIGHTS: [(Color, CastlingSide); 4] = [
        (Color::White, CastlingSide::King),
        (Color::White, CastlingSide::Queen),
        (Color::Black, CastlingSide::King),
        (Color::Black, CastlingSide::Queen),
    ];
    let pieces = prop::collection::vec((0usize..64, 0..Piece::ALL.len()), 2..MAX_PIECES);
    let rest = (
        any::<bool>(),
        0usize..8,
        any::<bool>(),
        prop::array::uniform4(0usize..16),
    );
    (0usize..64, 0usize..64, pieces, rest).prop_filter_map(
        "not a legal position",
        |(white_king, black_king, pieces, (black_moves, file, chess960, rights))| {
            let mut setup = Setup::empty();
            for (square, piece) in pieces {
                let (square, piece) = (Square::from_index(square)?, Piece::ALL[piece]);
                let back_rank = matches!(square.rank(), Rank::First | Rank::Eighth);
                if piece.role() != Role::King && !(piece.role() == Role::Pawn && back_rank) {
                    setup.pieces[square.index()] = Some(piece);
                }
            }
            setup.pieces[white_king] = Some(Piece::WhiteKing);
            setup.pieces[black_king] = Some(Piece::BlackKing);
            let (side_to_move, rank) = if black_moves {
                (Color::Black, Rank::Third)
            } else {
                (Color::White, Rank::Sixth)
            };
            setup.side_to_move = side_to_move;
            setup.en_passant = Some(Square::new(File::from_index(file)?, rank));
            for (right, &(color, side)) in rights.into_iter().zip(&RIGHTS) {
                setup.castling_rights.push(match File::from_index(right) {
                    Some(file) => CastlingRight::File(color, file),
                    None => CastlingRight::Outermost(color, side),
                });
            }
            let variant = if chess960 {
                Variant::Chess960
            } else {
                Variant::Standard
            };
            of_setup(&setup, variant)
        },
    )
}

/// The start positions of games.
pub(crate) fn game_starts() -> impl Strategy<Value = Start> {
    prop_oneof![standard(), chess960(), dfrc()]
}

/// All start positions of walks.
pub(crate) fn starts() -> impl Strategy<Value = Start> {
    prop_oneof![standard(), chess960(), dfrc(), random_board()]
}

#[test]
fn numbered_starts_are_those_of_cozy_chess() {
    for white in 0..CHESS960_STARTS {
        let black = (white * 7 + 13) % CHESS960_STARTS;
        for black in [white, black] {
            let start = of_setup(&double_start(white, black), Variant::Chess960);
            let ours = start.expect("a legal position").position.shredder_fen();
            let theirs = cozy_chess::Board::double_chess960_startpos(white.into(), black.into());
            assert_eq!(ours, format!("{theirs:#}"));
        }
    }
    let standard = double_start(STANDARD_NUMBER, STANDARD_NUMBER);
    let standard = of_setup(&standard, Variant::Standard).expect("a legal position");
    assert_eq!(standard.position, Position::default());
}
