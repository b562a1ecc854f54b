//! The properties.

use crate::exchange;
use crate::slow;
use crate::starts::{game_starts, starts};
use crate::walks::{Walk, walks};
use cozy_chess::Board;
use movegen::{
    Bitboard, Color, Game, Move, MoveKind, Piece, Position, Role, SeeValues, Square, Variant,
};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::hash::Hash;

/// The expensive properties look at one position in so many.
const SAMPLED: usize = 5;

/// Moves as both libraries can name them: from, to and the letter of a promotion.
type Named = (usize, usize, Option<char>);

fn named(mv: Move) -> Named {
    let promotion = mv.promotion_role().map(Role::letter);
    (mv.from().index(), mv.to().index(), promotion)
}

fn named_by_cozy(mv: cozy_chess::Move) -> Named {
    let letter = mv.promotion.map(char::from);
    (mv.from as usize, mv.to as usize, letter)
}

fn moves_of_cozy(board: &Board) -> BTreeSet<Named> {
    let mut moves = BTreeSet::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece.into_iter().map(named_by_cozy));
        false
    });
    moves
}

fn cozy_move((from, to, promotion): Named) -> cozy_chess::Move {
    cozy_chess::Move {
        from: cozy_chess::Square::index(from),
        to: cozy_chess::Square::index(to),
        promotion: promotion.and_then(|letter| cozy_chess::Piece::try_from(letter).ok()),
    }
}

/// Every move that sixteen bits can say: all squares, all kinds, all promotions.
fn every_move() -> impl Iterator<Item = Move> {
    let kinds = Role::PROMOTIONS
        .map(MoveKind::Promotion)
        .into_iter()
        .chain([MoveKind::Normal, MoveKind::EnPassant, MoveKind::Castling]);
    kinds.flat_map(|kind| {
        Square::all().flat_map(move |from| {
            Square::all().map(move |to| match kind {
                MoveKind::Normal => Move::normal(from, to),
                MoveKind::EnPassant => Move::en_passant(from, to),
                MoveKind::Castling => Move::castling(from, to),
                MoveKind::Promotion(role) => Move::promotion(from, to, role),
            })
        })
    })
}

fn words(moves: &[Move]) -> BTreeSet<u16> {
    moves.iter().map(|mv| mv.to_bits()).collect()
}

/// What a key stands for, and the key: neither may change without the other.
struct KeyBook<T> {
    keys: HashMap<T, u64>,
    meanings: HashMap<u64, T>,
}

impl<T: Hash + Eq + Clone + Debug> KeyBook<T> {
    fn new() -> Self {
        Self {
            keys: HashMap::new(),
            meanings: HashMap::new(),
        }
    }

    fn enter(&mut self, meaning: &T, key: u64) {
        let known = self.keys.insert(meaning.clone(), key);
        assert!(
            known.is_none_or(|known| known == key),
            "two keys for {meaning:?}"
        );
        let other = self.meanings.insert(key, meaning.clone());
        if let Some(other) = other {
            assert_eq!(&other, meaning, "one key for two");
        }
    }
}

/// A FEN without its clocks.
fn without_clocks(position: &Position) -> String {
    let fen = position.shredder_fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The men a filter lets through, and their squares.
fn placed(position: &Position, wanted: impl Fn(Piece) -> bool) -> Vec<(Square, Piece)> {
    position
        .piece_map()
        .filter(|&(_, man)| wanted(man))
        .collect()
}

/// Positions that two moves of the side to move reach in either order around one reply.
fn transpositions(position: &Position) -> Vec<(Position, Position)> {
    const TRIED: usize = 6;
    let mut found = Vec::new();
    let moves = position.legal_moves();
    let play = |line: [Move; 3]| {
        line.into_iter()
            .try_fold(*position, |position, mv| position.try_play(mv))
    };
    for (&first, &second) in moves.iter().zip(moves.iter().rev()).take(TRIED) {
        for &reply in position
            .play_unchecked(first)
            .legal_moves()
            .iter()
            .take(TRIED)
        {
            let one_way = play([first, reply, second]);
            let other_way = play([second, reply, first]);
            found.extend(one_way.zip(other_way));
        }
    }
    found
}

const VALUES: SeeValues = [100, 320, 330, 500, 900, 20_000];
/// All minor pieces alike, and a king worth nothing, to find sums that only fit one table.
const OTHER_VALUES: SeeValues = [1, 3, 3, 5, 9, 0];

fn check_exchanges(position: &Position, values: &SeeValues) {
    for &mv in &position.legal_moves() {
        let results = exchange::results(position, mv, values);
        let around = results.iter().flat_map(|&result| [result, result + 1]);
        for threshold in around.chain([-values[0], 0, values[0]]) {
            let gains = position.see_ge(mv, threshold, values);
            assert!(
                results.iter().any(|&result| (result >= threshold) == gains),
                "{position} {mv:?}: gains {threshold} is {gains}, by definition {results:?}"
            );
        }
    }
}

fn check_legal_moves(walk: &Walk, board: Option<Board>) {
    let Some(mut board) = board else { return };
    let mut position = walk.start;
    for &mv in &walk.moves {
        let ours: BTreeSet<Named> = position.legal_moves().iter().map(|&mv| named(mv)).collect();
        assert_eq!(ours, moves_of_cozy(&board), "{position}");
        board.play_unchecked(cozy_move(named(mv)));
        position = position.play_unchecked(mv);
    }
    let ours: BTreeSet<Named> = position.legal_moves().iter().map(|&mv| named(mv)).collect();
    assert_eq!(ours, moves_of_cozy(&board), "{position}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn legal_moves_are_those_of_cozy_chess(walk in walks(game_starts())) {
        let board = Board::from_fen(&walk.start.shredder_fen(), true);
        prop_assert!(board.is_ok());
        check_legal_moves(&walk, board.ok());
    }

    /// cozy-chess refuses some positions no game reaches (three checkers, a pawn just passed
    /// that cannot have given this check); those are left out.
    #[test]
    fn legal_moves_on_scattered_boards_are_those_of_cozy_chess(walk in walks(starts())) {
        check_legal_moves(&walk, Board::from_fen(&walk.start.shredder_fen(), true).ok());
    }

    #[test]
    fn count_moves_equals_the_list(walk in walks(starts())) {
        for position in walk.positions() {
            let moves = position.legal_moves();
            prop_assert_eq!(position.count_moves() as usize, moves.len());
            prop_assert_eq!(position.has_moves(), !moves.is_empty());
            prop_assert_eq!(words(&moves).len(), moves.len(), "a move twice: {}", position);
        }
    }

    #[test]
    fn noisy_and_quiet_moves_part_all_moves(walk in walks(starts())) {
        for position in walk.positions() {
            let (noisy, quiet) = (position.noisy_moves(), position.quiet_moves());
            let all = words(&position.legal_moves());
            prop_assert!(words(&noisy).is_disjoint(&words(&quiet)));
            let both: BTreeSet<u16> = words(&noisy).union(&words(&quiet)).copied().collect();
            prop_assert_eq!(both, all);
            for &mv in &noisy {
                let takes = !mv.is_castling() && position.piece_on(mv.to()).is_some();
                prop_assert!(takes || mv.is_en_passant() || mv.is_promotion());
            }
            for &mv in &quiet {
                let goes_to_empty = mv.is_castling() || position.piece_on(mv.to()).is_none();
                prop_assert!(goes_to_empty && !mv.is_en_passant() && !mv.is_promotion());
            }
        }
    }

    #[test]
    fn is_legal_agrees_with_generation_for_every_move(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLED) {
            let found: Vec<Move> = every_move().filter(|&mv| position.is_legal(mv)).collect();
            prop_assert_eq!(words(&found), words(&position.legal_moves()), "{}", position);
        }
    }

    #[test]
    fn keys_kept_up_to_date_equal_keys_computed_anew(walk in walks(starts())) {
        for position in walk.positions() {
            prop_assert_eq!(*position.keys(), position.keys_from_scratch(), "{}", position);
            if let Some(passed) = position.make_null() {
                prop_assert_eq!(*passed.keys(), passed.keys_from_scratch(), "{}", passed);
            }
        }
    }

    #[test]
    fn equal_positions_reached_differently_have_equal_keys(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLED) {
            for (one, other) in transpositions(&position) {
                let same = without_clocks(&one) == without_clocks(&other);
                prop_assert_eq!(same, one.key() == other.key(), "{} and {}", one, other);
            }
        }
    }

    #[test]
    fn a_key_says_what_it_stands_for_and_nothing_else(walk in walks(starts())) {
        let mut positions = KeyBook::new();
        let mut pawns = KeyBook::new();
        let mut minors = KeyBook::new();
        let mut officers = [KeyBook::new(), KeyBook::new()];
        for position in walk.positions() {
            let keys = position.keys();
            positions.enter(&without_clocks(&position), keys.position);
            let is_pawn = |man: Piece| man.role() == Role::Pawn;
            let is_minor = |man: Piece| {
                matches!(man.role(), Role::Knight | Role::Bishop | Role::King)
            };
            pawns.enter(&placed(&position, is_pawn), keys.pawns);
            minors.enter(&placed(&position, is_minor), keys.minors);
            for color in Color::ALL {
                let is_officer = |man: Piece| man.color() == color && !is_pawn(man);
                let index = color.index();
                officers[index].enter(&placed(&position, is_officer), keys.non_pawns[index]);
            }
        }
    }

    #[test]
    fn checkers_and_pins_equal_their_slow_definitions(walk in walks(starts())) {
        for position in walk.positions() {
            let (men, turn) = (slow::men(&position), position.side_to_move());
            let checkers = slow::checkers(&men, turn);
            prop_assert_eq!(position.checkers(), checkers, "{}", position);
            prop_assert_eq!(position.in_check(), checkers.any());
            prop_assert_eq!(position.pinned(), slow::pinned(&men, turn), "{}", position);
        }
    }

    #[test]
    fn attacks_and_threats_equal_their_slow_definitions(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLED) {
            let men = slow::men(&position);
            for color in Color::ALL {
                prop_assert_eq!(position.attacked_by(color), slow::attacked_by(&men, color, |_| true));
            }
            let by = |roles: &[Role]| {
                let of = |man: &Piece| roles.contains(&man.role());
                slow::attacked_by(&men, !position.side_to_move(), of)
            };
            let threats = position.threats();
            prop_assert_eq!(threats.pawns, by(&Role::ALL[..1]));
            prop_assert_eq!(threats.minors, by(&Role::ALL[..3]));
            prop_assert_eq!(threats.rooks, by(&Role::ALL[..4]));
            prop_assert_eq!(threats.all, by(&Role::ALL));
            for square in Square::all() {
                let attackers = slow::attackers(&men, Color::White, square)
                    | slow::attackers(&men, Color::Black, square);
                prop_assert_eq!(position.attackers_to(square, position.occupied()), attackers);
            }
        }
    }

    #[test]
    fn sets_and_squares_tell_the_same_board(walk in walks(starts())) {
        for position in walk.positions() {
            for piece in Piece::ALL {
                let standing: Bitboard = Square::all()
                    .filter(|&square| position.piece_on(square) == Some(piece))
                    .collect();
                prop_assert_eq!(position.pieces(piece.color(), piece.role()), standing);
            }
            let men: Bitboard = position.piece_map().map(|(square, _)| square).collect();
            prop_assert_eq!(position.occupied(), men);
        }
    }

    #[test]
    fn fen_reads_back_as_the_same_position(walk in walks(starts())) {
        for position in walk.positions() {
            let fen = position.fen();
            let read = Position::from_fen(&fen, walk.variant);
            prop_assert_eq!(read.as_ref(), Ok(&position), "{}", fen);
            prop_assert_eq!(read.map(|read| read.fen()), Ok(fen));
            let shredder = position.shredder_fen();
            let read = Position::from_fen(&shredder, walk.variant);
            prop_assert_eq!(read, Ok(position), "{}", shredder);
        }
    }

    #[test]
    fn san_reads_back_as_the_same_move(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLED) {
            let mut texts = BTreeSet::new();
            for &mv in &position.legal_moves() {
                let san = position.san(mv);
                prop_assert_eq!(position.move_from_san(&san), Ok(mv), "{} in {}", san, position);
                let next = position.play_unchecked(mv);
                prop_assert_eq!(san.ends_with('#'), next.is_checkmate());
                prop_assert_eq!(san.ends_with('+'), next.in_check() && !next.is_checkmate());
                prop_assert!(texts.insert(san), "two moves with one name in {}", position);
            }
        }
    }

    #[test]
    fn uci_reads_back_as_the_same_move(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLED) {
            for &mv in &position.legal_moves() {
                let text = mv.uci(walk.variant).to_string();
                prop_assert_eq!(position.move_from_uci(&text), Ok(mv), "{} {}", text, position);
                let as_chess960 = mv.uci(Variant::Chess960).to_string();
                prop_assert_eq!(position.move_from_uci(&as_chess960), Ok(mv), "{}", position);
            }
        }
    }

    /// A text that names two squares is either a legal move or refused, and never another one.
    #[test]
    fn any_two_squares_are_a_legal_move_between_them_or_refused(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLED) {
            for from in Square::all() {
                for to in Square::all() {
                    let Ok(mv) = position.find_move(from, to, None) else { continue };
                    prop_assert!(position.is_legal(mv));
                    prop_assert_eq!(mv.from(), from);
                    let lands = Square::at(if to > from { 6 } else { 2 }, from.rank());
                    let as_king_goes = mv.is_castling() && to == lands;
                    prop_assert!(mv.to() == to || as_king_goes, "{from}{to} is {mv:?}: {position}");
                }
            }
        }
    }

    #[test]
    fn illegal_moves_played_unchecked_do_not_panic(walk in walks(starts())) {
        for position in walk.positions().step_by(4 * SAMPLED) {
            for mv in every_move() {
                let nonsense = position.play_unchecked(mv);
                let moves = nonsense.legal_moves().len();
                prop_assert!(moves <= movegen::MAX_MOVES);
                prop_assert!(position.try_play(mv).is_none() || position.is_legal(mv));
            }
        }
    }

    #[test]
    fn exchange_gains_equals_the_slow_exchange(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLED) {
            check_exchanges(&position, &VALUES);
            check_exchanges(&position, &OTHER_VALUES);
        }
    }

    #[test]
    fn undo_gives_back_identical_positions_and_redo_the_game(walk in walks(starts())) {
        let mut game = Game::new(walk.start);
        let mut states = Vec::new();
        for &mv in &walk.moves {
            states.push((*game.position(), game.occurrences(), game.claims(), game.outcome()));
            prop_assert_eq!(game.push(mv), Ok(()));
        }
        let finished = game.clone();
        for (state, &mv) in states.iter().zip(&walk.moves).rev() {
            prop_assert_eq!(game.undo(), Some(mv));
            let now = (*game.position(), game.occurrences(), game.claims(), game.outcome());
            prop_assert_eq!(&now, state);
        }
        prop_assert_eq!(game.undo(), None);
        for &mv in &walk.moves {
            prop_assert_eq!(game.redo(), Some(mv));
        }
        prop_assert_eq!(game.redo(), None);
        prop_assert_eq!(game, finished);
    }
}

#[test]
fn every_move_is_every_word_a_move_packs_to() {
    let listed: BTreeSet<u16> = every_move().map(Move::to_bits).collect();
    let packed: BTreeSet<u16> = (0..=u16::MAX)
        .filter(|&bits| Move::from_bits(bits).is_some())
        .collect();
    assert_eq!(listed, packed);
}
