//! Start positions of the walks: standard chess, Chess960 and DFRC by number, and random boards,
//! which have pins and checks that are rare in games.

use movegen::{
    CHESS960_POSITIONS, CastlingRight, CastlingSide, Color, File, Piece, Position, Rank, Role,
    Setup, Square, Variant,
};
use proptest::prelude::*;

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

fn chess960() -> impl Strategy<Value = Start> {
    (0..CHESS960_POSITIONS).prop_map(|number| numbered(number, number))
}

fn dfrc() -> impl Strategy<Value = Start> {
    (0..CHESS960_POSITIONS, 0..CHESS960_POSITIONS).prop_map(|(white, black)| numbered(white, black))
}

fn numbered(white: u16, black: u16) -> Start {
    Start {
        position: Position::dfrc(white, black).expect("numbers below 960"),
        variant: Variant::Chess960,
    }
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
            let position = setup.position(variant).ok()?.position;
            Some(Start { position, variant })
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
    for white in 0..CHESS960_POSITIONS {
        let other = (white * 7 + 13) % CHESS960_POSITIONS;
        for black in [white, other] {
            let start = numbered(white, black).position;
            let expected = cozy_chess::Board::double_chess960_startpos(white.into(), black.into());
            assert_eq!(start.shredder_fen(), format!("{expected:#}"));
        }
    }
    for (white, black) in [(CHESS960_POSITIONS, 0), (0, CHESS960_POSITIONS)] {
        assert_eq!(Position::dfrc(white, black), None);
    }
}
