//! The properties.

use super::notation::{check_castling_texts, check_complete_texts, check_short_text};
use super::reference;
use super::starts::{game_starts, starts};
use super::truth::{is_true, is_true_of_castling};
use super::walks::{Walk, walks};
use cozy_chess::Board;
use movegen::engine::{self, SeeValues};
use movegen::{
    All, Bitboard, CastlingSide, Color, File, Game, Move, MoveKind, Piece, Position, Role, Square,
    Variant,
};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

/// Expensive properties are tested on every n-th position only.
const SAMPLE_STEP: usize = 5;

/// Both libraries encode castling as the king moving to its rook.
fn to_cozy(mv: Move) -> cozy_chess::Move {
    cozy_chess::Move {
        from: cozy_chess::Square::index(mv.from().index()),
        to: cozy_chess::Square::index(mv.to().index()),
        promotion: mv
            .promotion_role()
            .map(|role| cozy_chess::Piece::index(role.index())),
    }
}

/// Every encodable move: all squares, all kinds, all promotions.
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

fn bit_set(moves: &[Move]) -> BTreeSet<u16> {
    moves.iter().map(|mv| mv.to_bits()).collect()
}

/// A bijection between keys and what they are keys of.
struct KeyMap<T> {
    keys: HashMap<T, u64>,
    meanings: HashMap<u64, T>,
}

impl<T: Hash + Eq + Clone + Debug> KeyMap<T> {
    fn new() -> Self {
        Self {
            keys: HashMap::new(),
            meanings: HashMap::new(),
        }
    }

    fn insert(&mut self, meaning: &T, key: u64) {
        let known = self.keys.insert(meaning.clone(), key);
        assert!(
            known.is_none_or(|known| known == key),
            "two keys for {meaning:?}"
        );
        let other = self.meanings.insert(key, meaning.clone());
        if let Some(other) = other {
            assert_eq!(&other, meaning, "one key for two meanings");
        }
    }
}

/// A FEN without its clocks.
fn without_clocks(position: &Position) -> String {
    let fen = position.shredder_fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Pairs of positions reached by playing two moves in both orders, with the same reply between.
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
/// Equal minor pieces and a worthless king, to catch results that only fit one set of values.
const OTHER_VALUES: SeeValues = [1, 3, 3, 5, 9, 0];

fn check_see(position: &Position, values: &SeeValues) {
    for &mv in &position.legal_moves() {
        let results = reference::see_results(position, mv, values);
        let around = results.iter().flat_map(|&result| [result, result + 1]);
        for threshold in around.chain([-values[0], 0, values[0]]) {
            let found = engine::see_ge(position, mv, threshold, values);
            assert!(
                results.iter().any(|&result| (result >= threshold) == found),
                "{position} {mv:?}: see_ge({threshold}) is {found}, reference {results:?}"
            );
        }
    }
}

fn check_legal_moves(walk: &Walk, board: Option<Board>) {
    let Some(mut board) = board else { return };
    let mut moves = walk.moves.iter();
    for position in walk.positions() {
        let legal = position.legal_moves();
        let ours: HashSet<_> = legal.iter().map(|&mv| to_cozy(mv)).collect();
        let mut theirs = HashSet::new();
        board.generate_moves(|of_piece| {
            theirs.extend(of_piece);
            false
        });
        assert_eq!(ours, theirs, "{position}");
        if let Some(&mv) = moves.next() {
            board.play_unchecked(to_cozy(mv));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn legal_moves_are_those_of_cozy_chess(walk in walks(game_starts())) {
        let board = Board::from_fen(&walk.start.shredder_fen(), true);
        prop_assert!(board.is_ok());
        check_legal_moves(&walk, board.ok());
    }

    /// cozy-chess rejects some unreachable positions (three checkers, an en passant square that
    /// does not fit the check); they are skipped.
    #[test]
    fn legal_moves_on_random_boards_are_those_of_cozy_chess(walk in walks(starts())) {
        check_legal_moves(&walk, Board::from_fen(&walk.start.shredder_fen(), true).ok());
    }

    #[test]
    fn count_moves_equals_the_list(walk in walks(starts())) {
        for position in walk.positions() {
            let moves = position.legal_moves();
            prop_assert_eq!(position.count_moves() as usize, moves.len());
            prop_assert_eq!(position.has_moves(), !moves.is_empty());
            prop_assert_eq!(bit_set(&moves).len(), moves.len(), "duplicate move: {}", position);
        }
    }

    #[test]
    fn sets_of_moves_are_the_list(walk in walks(starts())) {
        for position in walk.positions() {
            let (mut one_by_one, mut counted, mut replies) = (Vec::new(), 0, 0);
            position.generate_moves::<All>(|moves| {
                for mv in moves {
                    assert!(moves.to().has(mv.to()));
                    assert_eq!(position.role_on(mv.from()), Some(moves.role()));
                    one_by_one.push(mv);
                }
                counted += moves.len();
                replies += position.count_replies(moves);
            });
            let all = position.legal_moves();
            prop_assert_eq!(&one_by_one[..], &all[..], "{}", position);
            prop_assert_eq!(counted, all.len(), "{}", position);
            let played = |&mv: &Move| u64::from(position.play_unchecked(mv).count_moves());
            prop_assert_eq!(replies, all.iter().map(played).sum::<u64>(), "{}", position);
        }
    }

    #[test]
    fn noisy_and_quiet_moves_partition_the_legal_moves(walk in walks(starts())) {
        for position in walk.positions() {
            let (noisy, quiet) = (position.noisy_moves(), position.quiet_moves());
            let all = bit_set(&position.legal_moves());
            prop_assert!(bit_set(&noisy).is_disjoint(&bit_set(&quiet)));
            let both: BTreeSet<u16> = bit_set(&noisy).union(&bit_set(&quiet)).copied().collect();
            prop_assert_eq!(both, all);
            for &mv in &noisy {
                let captures = !mv.is_castling() && position.piece_on(mv.to()).is_some();
                prop_assert!(captures || mv.is_en_passant() || mv.is_promotion());
            }
            for &mv in &quiet {
                let to_empty = mv.is_castling() || position.piece_on(mv.to()).is_none();
                prop_assert!(to_empty && !mv.is_en_passant() && !mv.is_promotion());
            }
        }
    }

    #[test]
    fn incremental_key_equals_the_key_from_scratch(walk in walks(starts())) {
        for position in walk.positions() {
            prop_assert_eq!(position.key(), position.key_from_scratch(), "{}", position);
            if let Some(passed) = position.null_move() {
                prop_assert_eq!(passed.key(), passed.key_from_scratch(), "{}", passed);
                prop_assert_eq!(engine::key_after_null(&position), passed.key(), "{}", position);
            }
        }
    }

    #[test]
    fn key_after_is_the_key_of_the_position_after_a_plain_move(walk in walks(starts())) {
        for position in walk.positions() {
            for &mv in &position.legal_moves() {
                let next = position.play_unchecked(mv);
                let same_rights = next.castling_rights() == position.castling_rights();
                if mv.is_normal() && same_rights && next.en_passant().is_none() {
                    prop_assert_eq!(engine::key_after(&position, mv), next.key(), "{} {:?}", position, mv);
                }
            }
        }
    }

    #[test]
    fn transpositions_have_equal_keys(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLE_STEP) {
            for (one, other) in transpositions(&position) {
                let same = without_clocks(&one) == without_clocks(&other);
                prop_assert_eq!(same, one.key() == other.key(), "{} and {}", one, other);
                prop_assert_eq!(same, one.same_position(&other), "{} and {}", one, other);
            }
        }
    }

    #[test]
    fn the_key_identifies_the_position(walk in walks(starts())) {
        let mut keys = KeyMap::new();
        for position in walk.positions() {
            keys.insert(&without_clocks(&position), position.key());
        }
    }

    #[test]
    fn checkers_and_pins_equal_the_reference(walk in walks(starts())) {
        for position in walk.positions() {
            let (pieces, side) = (reference::mailbox(&position), position.side_to_move());
            let checkers = reference::checkers(&pieces, side);
            prop_assert_eq!(position.checkers(), checkers, "{}", position);
            prop_assert_eq!(position.in_check(), checkers.any());
            prop_assert_eq!(position.pinned(), reference::pinned(&pieces, side), "{}", position);
            for color in Color::ALL {
                let pinned: Bitboard = position.pins(color).map(|pin| pin.square).collect();
                prop_assert_eq!(pinned, reference::pinned(&pieces, color), "{}", position);
            }
        }
    }

    #[test]
    fn a_move_gives_check_if_the_position_after_it_is_a_check(walk in walks(starts())) {
        for position in walk.positions() {
            for &mv in &position.legal_moves() {
                let checks = position.play_unchecked(mv).in_check();
                prop_assert_eq!(position.gives_check(mv), checks, "{} {:?}", position, mv);
            }
        }
    }

    #[test]
    fn a_piece_gives_check_exactly_from_its_check_squares(walk in walks(starts())) {
        for position in walk.positions() {
            let squares = engine::check_squares(&position);
            for &mv in position.legal_moves().iter().filter(|mv| mv.kind() == MoveKind::Normal) {
                let role = position.role_on(mv.from()).expect("a piece");
                let checks = position.play_unchecked(mv).checkers().has(mv.to());
                prop_assert_eq!(squares[role.index()].has(mv.to()), checks, "{} {:?}", position, mv);
            }
        }
    }

    #[test]
    fn quiet_moves_and_checks_of_engines_are_those_of_the_list(walk in walks(starts())) {
        for position in walk.positions() {
            let (threats, list) = (engine::threats(&position), position.quiet_moves());
            let (mut quiet, mut checks) = (Vec::new(), Vec::new());
            engine::for_each_quiet_move(&position, &threats, |role, mv| {
                assert_eq!(position.role_on(mv.from()), Some(role));
                quiet.push(mv);
            });
            prop_assert_eq!(&quiet[..], &list[..], "{}", position);
            engine::for_each_quiet_check(&position, |mv| checks.push(mv));
            let checks_directly = |&mv: &Move| {
                mv.is_normal() && position.play_unchecked(mv).checkers().has(mv.to())
            };
            let expected: Vec<Move> = list.iter().copied().filter(checks_directly).collect();
            prop_assert_eq!(checks, expected, "{}", position);
        }
    }

    #[test]
    fn bitboards_and_mailbox_agree(walk in walks(starts())) {
        for position in walk.positions() {
            for piece in Piece::ALL {
                let squares: Bitboard = Square::all()
                    .filter(|&square| position.piece_on(square) == Some(piece))
                    .collect();
                prop_assert_eq!(position.pieces(piece.color(), piece.role()), squares);
            }
            let occupied: Bitboard = position.piece_map().map(|(square, _)| square).collect();
            prop_assert_eq!(position.occupied(), occupied);
        }
    }

    #[test]
    fn fen_round_trip(walk in walks(starts())) {
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
    fn san_round_trip(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLE_STEP) {
            let mut texts = BTreeSet::new();
            for &mv in &position.legal_moves() {
                let san = position.san(mv);
                prop_assert_eq!(position.move_from_san(&san), Ok(mv), "{} in {}", san, position);
                let next = position.play_unchecked(mv);
                prop_assert_eq!(san.ends_with('#'), next.is_checkmate());
                prop_assert_eq!(san.ends_with('+'), next.in_check() && !next.is_checkmate());
                prop_assert!(texts.insert(san), "two moves with the same SAN in {}", position);
            }
        }
    }

    #[test]
    fn uci_round_trip(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLE_STEP) {
            for &mv in &position.legal_moves() {
                let text = mv.uci(walk.variant).to_string();
                prop_assert_eq!(position.move_from_uci(&text), Ok(mv), "{} {}", text, position);
                let as_chess960 = mv.uci(Variant::Chess960).to_string();
                prop_assert_eq!(position.move_from_uci(&as_chess960), Ok(mv), "{}", position);
            }
        }
    }

    /// Two squares are the legal move between them or an error, and never another move.
    #[test]
    fn find_move_never_finds_another_move(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLE_STEP) {
            for from in Square::all() {
                for to in Square::all() {
                    let Ok(mv) = position.find_move(from, to, None) else { continue };
                    prop_assert!(position.is_legal(mv));
                    prop_assert_eq!(mv.from(), from);
                    let lands = Square::new(if to > from { File::G } else { File::C }, from.rank());
                    let as_king_steps = mv.is_castling() && to == lands;
                    prop_assert!(mv.to() == to || as_king_steps, "{from}{to} is {mv:?}: {position}");
                }
            }
        }
    }

    #[test]
    fn undo_restores_every_position_and_redo_the_game(walk in walks(starts())) {
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

// Slower ones.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn moves_and_reasons_do_not_depend_on_the_notation(walk in walks(starts())) {
        for position in walk.positions().step_by(4 * SAMPLE_STEP) {
            let own = position.by_color(position.side_to_move());
            for from in Square::all() {
                for to in Square::all() {
                    // Most of what is not a move of an own piece is wrong in the same way.
                    let is_sampled = (from.index() + 5 * to.index()).is_multiple_of(16);
                    for promotion in [None, Some(Role::Queen), Some(Role::Knight)] {
                        if is_sampled || own.has(from) && promotion.is_none() {
                            check_complete_texts(&position, from, to, promotion);
                        }
                    }
                }
            }
            for to in Square::all() {
                for role in Role::ALL {
                    check_short_text(&position, role, to);
                }
            }
            check_castling_texts(&position);
        }
    }

    #[test]
    fn reasons_of_illegal_moves_are_true(walk in walks(starts())) {
        for position in walk.positions().step_by(4 * SAMPLE_STEP) {
            let own = position.by_color(position.side_to_move());
            for from in Square::all() {
                for to in Square::all() {
                    let is_sampled = (from.index() + 5 * to.index()).is_multiple_of(16);
                    for promotion in [None, Some(Role::Queen)] {
                        if (is_sampled || own.has(from) && promotion.is_none())
                            && let Some(reasons) = position.why_illegal(from, to, promotion)
                        {
                            let first = Err(reasons.first());
                            prop_assert_eq!(position.find_move(from, to, promotion), first);
                            for reason in reasons.iter() {
                                let is_true = is_true(&position, (from, to, promotion), reason);
                                prop_assert!(is_true, "{} {}{} {:?}: {}", position, from, to, promotion, reason);
                            }
                        }
                    }
                }
            }
            for side in CastlingSide::ALL {
                for reason in position.castling_report(side).errors() {
                    prop_assert!(is_true_of_castling(&position, reason), "{} {}", position, reason);
                }
            }
        }
    }

    #[test]
    fn is_legal_agrees_with_generation_for_every_move(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLE_STEP) {
            let found: Vec<Move> = every_move().filter(|&mv| position.is_legal(mv)).collect();
            prop_assert_eq!(bit_set(&found), bit_set(&position.legal_moves()), "{}", position);
        }
    }

    #[test]
    fn attacks_and_threats_equal_the_reference(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLE_STEP) {
            let pieces = reference::mailbox(&position);
            for color in Color::ALL {
                prop_assert_eq!(position.attacked_by(color), reference::attacked_by(&pieces, color, |_| true));
            }
            let by = |roles: &[Role]| {
                let of = |piece: &Piece| roles.contains(&piece.role());
                reference::attacked_by(&pieces, !position.side_to_move(), of)
            };
            let threats = engine::threats(&position);
            prop_assert_eq!(threats.pawns, by(&Role::ALL[..1]));
            prop_assert_eq!(threats.minors, by(&Role::ALL[..3]));
            prop_assert_eq!(threats.rooks, by(&Role::ALL[..4]));
            prop_assert_eq!(threats.all, by(&Role::ALL));
            for square in Square::all() {
                let attackers = reference::attackers(&pieces, Color::White, square)
                    | reference::attackers(&pieces, Color::Black, square);
                prop_assert_eq!(position.attackers_to(square, position.occupied()), attackers);
            }
        }
    }

    #[test]
    fn play_unchecked_of_an_illegal_move_does_not_panic(walk in walks(starts())) {
        for position in walk.positions().step_by(16 * SAMPLE_STEP) {
            for mv in every_move() {
                let next = position.play_unchecked(mv);
                let moves = next.legal_moves().len();
                prop_assert!(moves <= movegen::MAX_MOVES);
                prop_assert!(position.try_play(mv).is_none() || position.is_legal(mv));
            }
        }
    }

    #[test]
    fn see_ge_equals_the_reference(walk in walks(starts())) {
        for position in walk.positions().step_by(SAMPLE_STEP) {
            check_see(&position, &VALUES);
            check_see(&position, &OTHER_VALUES);
        }
    }
}

#[test]
fn from_bits_accepts_exactly_the_encodable_moves() {
    let listed: BTreeSet<u16> = every_move().map(Move::to_bits).collect();
    let accepted: BTreeSet<u16> = (0..=u16::MAX)
        .filter(|&bits| Move::from_bits(bits).is_some())
        .collect();
    assert_eq!(listed, accepted);
}
