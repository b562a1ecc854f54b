//! The reasons for illegal moves are true, on boards and attacks of the test's own, and the same in
//! both notations; in positions of random games.

use crate::positions::{chess960, standard};
use movegen::{
    CastlingError, CastlingSide, Color, IllegalMove, Move, Piece, Position, Role, SanError, Square,
    UciMoveError, Variant,
};
use std::collections::BTreeMap;
use test_common::Rng;
use test_common::positions::{KIWIPETE, START};

const STARTS: [&str; 9] = [
    START,
    KIWIPETE,
    "r3k2r/1q4p1/8/2b5/5N2/2Q5/P5P1/R3K2R w KQkq - 0 1",
    "6k1/1P2P3/8/q7/7Q/8/1p2p3/6K1 w - - 0 1",
    "r2qk2r/pp3ppp/8/3pP3/1b1Pp3/8/PP3PPP/R2QK2R w KQkq d6 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4r1k1/8/8/b2pP3/8/2N5/8/4K2R w K d6 0 1",
    "4r1k1/8/8/b7/8/2N2n2/7R/R3K1B1 w Q - 0 1",
    "4k3/8/8/2b5/8/8/4P3/1R2KR1n w - - 0 1",
];
const CHESS960_STARTS: [&str; 3] = [
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
    "1r2k1r1/8/8/8/8/8/8/RR2K1R1 w GBgb - 0 1",
    "5rkr/5ppp/8/8/8/8/8/RRK5 w Bhf - 0 1",
];
const WALKS: usize = 4;
const PLIES: usize = 24;

/// A mailbox; squares are indices from a1.
#[derive(Clone)]
struct Board([Option<Piece>; 64]);

impl Board {
    fn of(position: &Position) -> Board {
        let mut board = Board([None; 64]);
        for square in Square::all() {
            board.0[square.index()] = position.piece_on(square);
        }
        board
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    fn has(&self, square: Square, color: Color, role: Role) -> bool {
        self.at(square) == Some(Piece::new(color, role))
    }

    fn king(&self, color: Color) -> Square {
        Square::all()
            .find(|&square| self.has(square, color, Role::King))
            .expect("a king")
    }

    /// The occupied squares between two squares of a line, from the first on; none on other squares.
    fn between(&self, from: Square, to: Square) -> Vec<Square> {
        let (files, ranks) = steps(from, to);
        let length = files.abs().max(ranks.abs());
        if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
            return Vec::new();
        }
        let step = files.signum() + 8 * ranks.signum();
        (1..length)
            .map(|count| index(from.index() as i32 + step * count))
            .filter(|&square| self.at(square).is_some())
            .collect()
    }

    fn attacks(&self, from: Square, to: Square) -> bool {
        self.at(from).is_some_and(|piece| {
            let capture = has_shape(piece, from, to)
                && (piece.role() != Role::Pawn || steps(from, to).0 != 0);
            capture && self.between(from, to).is_empty()
        })
    }

    fn attackers(&self, square: Square, by: Color) -> Vec<Square> {
        Square::all()
            .filter(|&from| self.at(from).is_some_and(|piece| piece.color() == by))
            .filter(|&from| self.attacks(from, square))
            .collect()
    }

    fn after(&self, from: Square, to: Square) -> Board {
        let mut board = self.clone();
        board.0[to.index()] = board.0[from.index()].take();
        board
    }

    fn without(&self, square: Square) -> Board {
        let mut board = self.clone();
        board.0[square.index()] = None;
        board
    }
}

fn index(index: i32) -> Square {
    Square::wrapping(index.rem_euclid(64) as u8)
}

fn steps(from: Square, to: Square) -> (i32, i32) {
    let (from, to) = (from.index() as i32, to.index() as i32);
    (to % 8 - from % 8, to / 8 - from / 8)
}

/// Whether a piece moves like this on some board.
fn has_shape(piece: Piece, from: Square, to: Square) -> bool {
    let (files, ranks) = steps(from, to);
    let (wide, high) = (files.abs(), ranks.abs());
    let (forward, home) = match piece.color() {
        Color::White => (1, 1),
        Color::Black => (-1, 6),
    };
    let straight = (wide == 0) != (high == 0);
    let diagonal = wide == high && wide != 0;
    match piece.role() {
        Role::Pawn => {
            ranks == forward && wide <= 1
                || wide == 0 && ranks == 2 * forward && from.index() / 8 == home
        }
        Role::Knight => wide * high == 2,
        Role::Bishop => diagonal,
        Role::Rook => straight,
        Role::Queen => straight || diagonal,
        Role::King => wide.max(high) == 1,
    }
}

fn on_last_rank(color: Color, square: Square) -> bool {
    square.index() / 8 == if color == Color::White { 7 } else { 0 }
}

/// A move as typed by its squares.
#[derive(Clone, Copy)]
struct Typed {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

struct Checker<'a> {
    position: &'a Position,
    variant: Variant,
    board: Board,
    us: Color,
}

impl Checker<'_> {
    fn checkers(&self) -> Vec<Square> {
        self.board.attackers(self.board.king(self.us), !self.us)
    }

    /// Whether the piece could make the move but for the safety of its king.
    fn is_pseudo_legal(&self, Typed { from, to, .. }: Typed) -> bool {
        let Some(piece) = self.board.at(from) else {
            return false;
        };
        let target = self.board.at(to);
        let free = match piece.role() {
            Role::Pawn if steps(from, to).0 == 0 => target.is_none(),
            Role::Pawn => target.is_some() || self.position.en_passant() == Some(to),
            _ => true,
        };
        let own = target.is_some_and(|piece| piece.color() == self.us);
        free && !own && has_shape(piece, from, to) && self.board.between(from, to).is_empty()
    }

    fn is_true(&self, typed: Typed, reason: IllegalMove) -> bool {
        let Typed {
            from,
            to,
            promotion,
        } = typed;
        let (board, us, them) = (&self.board, self.us, !self.us);
        let ours = |square| board.at(square).is_some_and(|piece| piece.color() == us);
        let shape = board
            .at(from)
            .is_some_and(|piece| has_shape(piece, from, to));
        let is_pawn = board.has(from, us, Role::Pawn);
        let is_king = board.has(from, us, Role::King);
        let sideways = steps(from, to).0 != 0;
        // The pawn that is captured en passant.
        let passed = index(to.index() as i32 + if us == Color::White { -8 } else { 8 });
        let attacked_after = |attacker| {
            let after = board.after(from, to);
            after.attacks(attacker, after.king(us))
        };
        match reason {
            IllegalMove::EmptySquare(square) => square == from && board.at(from).is_none(),
            IllegalMove::NotYourPiece { piece, square } => {
                square == from && board.at(from) == Some(piece) && piece.color() == them
            }
            IllegalMove::OwnPiece(square) => square == to && ours(from) && ours(to),
            IllegalMove::InvalidPromotion { .. } => {
                ours(from) && promotion.is_some() && !(is_pawn && on_last_rank(us, to))
            }
            IllegalMove::Unreachable { .. } => ours(from) && !shape,
            IllegalMove::Blocked { square, .. } => {
                let mut way = board.between(from, to);
                if is_pawn && board.at(to).is_some() {
                    way.push(to);
                }
                ours(from) && shape && !(is_pawn && sideways) && way.first() == Some(&square)
            }
            IllegalMove::NothingToCapture { .. } => {
                let sixth = if us == Color::White { 5 } else { 2 };
                let passed = board.has(passed, them, Role::Pawn) && to.index() / 8 == sixth;
                is_pawn && sideways && shape && board.at(to).is_none() && !passed
            }
            IllegalMove::NoEnPassant(square) => {
                let after = board.after(from, to).without(passed);
                is_pawn
                    && sideways
                    && shape
                    && square == passed
                    && board.has(passed, them, Role::Pawn)
                    && self.position.en_passant() != Some(to)
                    && after.attackers(after.king(us), them).is_empty()
            }
            IllegalMove::EnPassantCheck(attacker) => {
                let after = board.after(from, to).without(passed);
                let safe_now = !board.attacks(attacker, board.king(us));
                is_pawn && sideways && shape && safe_now && after.attacks(attacker, after.king(us))
            }
            IllegalMove::MissingPromotion(square) => {
                let queen = self.position.find_move(from, to, Some(Role::Queen));
                square == from && is_pawn && promotion.is_none() && queen.is_ok()
            }
            IllegalMove::KingAttacked {
                to: target,
                attacker,
            } => is_king && target == to && self.is_pseudo_legal(typed) && attacked_after(attacker),
            IllegalMove::InCheck(checker) => {
                let en_passant = is_pawn && sideways && board.has(passed, them, Role::Pawn);
                !is_king
                    && self.checkers() == [checker]
                    && (self.is_pseudo_legal(typed) || en_passant)
                    && attacked_after(checker)
            }
            IllegalMove::DoubleCheck(checkers) => {
                !is_king && self.checkers() == checkers && self.is_pseudo_legal(typed)
            }
            IllegalMove::Pinned { square, pinner, .. } => {
                let en_passant = is_pawn && sideways && board.has(passed, them, Role::Pawn);
                let checkers = self.checkers();
                square == from
                    && (self.is_pseudo_legal(typed) || en_passant)
                    && !checkers.contains(&pinner)
                    && board.without(from).attacks(pinner, board.king(us))
                    && attacked_after(pinner)
                    && !checkers.into_iter().any(attacked_after)
            }
            IllegalMove::Castling(error) => is_king && self.is_true_of_castling(error),
            // Not of a move from square to square, or a reason this does not know.
            _ => false,
        }
    }

    fn is_true_of_castling(&self, error: CastlingError) -> bool {
        let (board, us, them) = (&self.board, self.us, !self.us);
        let king = board.king(us);
        let (standard_king, corners, targets) = match us {
            Color::White => (4, [7, 0], [(6, 5), (2, 3)]),
            Color::Black => (60, [63, 56], [(62, 61), (58, 59)]),
        };
        let standard = self.variant == Variant::Standard;
        let rook = |side| self.position.castling_rights().rook(us, side, king);
        let at = |side: CastlingSide, [kingside, queenside]: [usize; 2]| match side {
            CastlingSide::King => kingside,
            CastlingSide::Queen => queenside,
        };
        let is_rook = |square| board.has(square, us, Role::Rook);
        let beside: Vec<(CastlingSide, Square)> = Square::all()
            .filter(|&square| is_rook(square) && steps(king, square).1 == 0)
            .map(|square| (CastlingSide::of(king, square), square))
            .collect();
        let has_rook = |wanted| beside.iter().any(|&(side, _)| side == wanted);
        match error {
            CastlingError::NoRight { color, side } => {
                let home = index(at(side, corners) as i32);
                let at_home = match standard {
                    true => king.index() == standard_king && is_rook(home),
                    false => king.index() / 8 == standard_king / 8 && has_rook(side),
                };
                color == us && rook(side).is_none() && at_home
            }
            CastlingError::KingNotHome {
                king: square, home, ..
            } => {
                let expected = standard.then(|| index(standard_king as i32));
                let away = king.index() / 8 != standard_king / 8;
                square == king && home == expected && (standard && home != Some(king) || away)
            }
            CastlingError::NoRook { side } => !standard && !has_rook(side),
            CastlingError::RookNotHome { side, home, found } => {
                standard
                    && home.index() == at(side, corners)
                    && found == board.at(home)
                    && !is_rook(home)
            }
            CastlingError::OtherRook { side, square, home } => {
                !standard
                    && is_rook(square)
                    && is_rook(home)
                    && rook(side) == Some(home)
                    && square != home
            }
            CastlingError::Blocked { side, square } => {
                rook(side).is_some_and(|rook| rook != square)
                    && king != square
                    && board.at(square).is_some()
            }
            CastlingError::InCheck { side, checker } => {
                rook(side).is_some() && board.attacks(checker, king)
            }
            CastlingError::Attacked { side, square } => {
                let Some(rook) = rook(side) else { return false };
                let (king_target, rook_target) = match side {
                    CastlingSide::King => targets[0],
                    CastlingSide::Queen => targets[1],
                };
                let mut tried = board.without(king);
                if square == index(king_target) {
                    tried = tried.after(rook, index(rook_target));
                }
                tried.0[square.index()] = Some(Piece::new(us, Role::King));
                self.checkers().is_empty() && !tried.attackers(square, them).is_empty()
            }
            _ => false,
        }
    }

    fn find(&self, typed: Typed) -> Result<Move, IllegalMove> {
        self.position
            .find_move(typed.from, typed.to, typed.promotion)
    }

    /// The result of a text, in UCI notation or else SAN, without the quoted text.
    fn result(&self, text: &str) -> Result<Move, IllegalMove> {
        match self.position.move_from_uci(text) {
            Ok(mv) => Ok(mv),
            Err(UciMoveError::Illegal { reason, .. }) => Err(reason),
            Err(_) => match self.position.move_from_san(text) {
                Ok(mv) => Ok(mv),
                Err(SanError::Illegal { reason, .. }) => Err(reason),
                Err(error) => panic!("{}: {error}", self.position),
            },
        }
    }

    /// All texts that name both squares give the same result.
    fn assert_complete_texts_agree(&self, typed: Typed) {
        let Typed {
            from,
            to,
            promotion,
        } = typed;
        let expected = self.find(typed);
        let uci = promotion.map_or(String::new(), |role| role.letter().to_string());
        let san = promotion.map_or(String::new(), |role| {
            format!("={}", role.letter().to_ascii_uppercase())
        });
        let mut texts = vec![
            format!("{from}{to}{uci}"),
            format!("{from}{to}{san}"),
            format!("{from}-{to}{san}"),
            format!("{from}x{to}{san}+"),
        ];
        let piece = self.board.at(from).filter(|piece| piece.color() == self.us);
        let is_castling = expected.is_ok_and(Move::is_castling);
        if let Some(piece) = piece.filter(|_| promotion.is_none() && !is_castling)
            && piece.role() != Role::Pawn
        {
            let letter = piece.role().letter().to_ascii_uppercase();
            texts.push(format!("{letter}{from}{to}"));
            texts.push(format!("{letter}{from}x{to}!?"));
        }
        for text in texts {
            assert_eq!(self.result(&text), expected, "{} {text}", self.position);
        }
    }

    /// A text without the origin gives the results of the pieces it can mean.
    fn assert_short_text_agrees(&self, role: Role, to: Square) {
        let text = match role {
            Role::Pawn => to.to_string(),
            _ => format!("{}{to}", role.letter().to_ascii_uppercase()),
        };
        let results: Vec<Result<Move, IllegalMove>> = Square::all()
            .filter(|&from| self.board.has(from, self.us, role))
            .filter(|&from| role != Role::Pawn || steps(from, to).0 == 0)
            .map(|from| {
                let promotion = None;
                match self.find(Typed {
                    from,
                    to,
                    promotion,
                }) {
                    Ok(mv) if mv.is_castling() => Err(IllegalMove::CastlingAsKingMove(
                        CastlingSide::of(from, mv.to()),
                    )),
                    result => result,
                }
            })
            .collect();
        let legal: Vec<Move> = results.iter().filter_map(|result| result.ok()).collect();
        let reasons: Vec<IllegalMove> = results.iter().filter_map(|result| result.err()).collect();
        let place = format!("{} {text}", self.position);
        let found = self.position.move_from_san(&text);
        match (legal.as_slice(), found) {
            ([mv], Ok(found)) => assert_eq!(found, *mv, "{place}"),
            ([_, _, ..], Err(SanError::Ambiguous { moves, .. })) => {
                let read = moves.iter().map(|san| self.position.move_from_san(san));
                assert_eq!(read.collect::<Result<Vec<_>, _>>(), Ok(legal), "{place}");
            }
            ([], Err(SanError::NoSuchPiece { .. })) => assert!(results.is_empty(), "{place}"),
            ([], Err(SanError::Unreachable { .. })) => {
                let unreachable =
                    |reason: &IllegalMove| matches!(reason, IllegalMove::Unreachable { .. });
                assert!(
                    reasons.len() > 1 && reasons.iter().all(unreachable),
                    "{place}"
                );
            }
            ([], Err(SanError::Illegal { reason, .. })) => {
                assert!(reasons.contains(&reason), "{place}");
                let unreachable = matches!(reason, IllegalMove::Unreachable { .. });
                assert!(!unreachable || reasons.len() == 1, "{place}: {reason}");
            }
            ([], Err(SanError::NoneLegal { reasons: found, .. })) => {
                assert!(found.len() > 1, "{place}");
                assert!(
                    found.iter().all(|reason| reasons.contains(reason)),
                    "{place}"
                );
            }
            (_, found) => panic!("{place}: {found:?}, expected {results:?}"),
        }
    }
}

/// The name of the variant of an enum.
fn kind(reason: IllegalMove) -> String {
    let debug = match reason {
        IllegalMove::Castling(error) => format!("Castling{error:?}"),
        _ => format!("{reason:?}"),
    };
    let end = debug.find(|letter: char| !letter.is_alphanumeric());
    debug[..end.unwrap_or(debug.len())].to_owned()
}

fn check(position: &Position, variant: Variant, rng: &mut Rng, kinds: &mut BTreeMap<String, u32>) {
    let checker = Checker {
        position,
        variant,
        board: Board::of(position),
        us: position.side_to_move(),
    };
    for from in Square::all() {
        let ours = checker
            .board
            .at(from)
            .is_some_and(|piece| piece.color() == checker.us);
        for to in Square::all() {
            let promotions = [None, Some(Role::Queen), Some(Role::Knight)];
            for promotion in promotions {
                if !(ours && promotion.is_none()) && rng.below(16) != 0 {
                    continue;
                }
                let typed = Typed {
                    from,
                    to,
                    promotion,
                };
                if let Err(reason) = checker.find(typed) {
                    assert!(
                        checker.is_true(typed, reason),
                        "{position} {from}{to} {promotion:?}: {reason}"
                    );
                    *kinds.entry(kind(reason)).or_default() += 1;
                }
                checker.assert_complete_texts_agree(typed);
            }
        }
    }
    for to in Square::all() {
        for role in Role::ALL {
            checker.assert_short_text_agrees(role, to);
        }
    }
    for side in CastlingSide::ALL {
        let result = position.castling_move(side);
        if let Err(error) = result {
            assert!(
                checker.is_true_of_castling(error),
                "{position} {side}: {error}"
            );
            *kinds.entry(kind(error.into())).or_default() += 1;
        }
        let texts = match side {
            CastlingSide::King => ["O-O", "0-0", "o-o+"],
            CastlingSide::Queen => ["O-O-O", "0-0-0", "o-o-o#"],
        };
        for text in texts {
            let expected = result.map_err(IllegalMove::from);
            assert_eq!(checker.result(text), expected, "{position} {text}");
        }
    }
}

#[test]
fn reasons_are_true_and_do_not_depend_on_the_notation() {
    let mut rng = Rng::new(0x51ab_77e0);
    let mut kinds = BTreeMap::new();
    let starts = STARTS.map(|fen| (standard(fen), Variant::Standard));
    let chess960_starts = CHESS960_STARTS.map(|fen| (chess960(fen), Variant::Chess960));
    for (start, variant) in starts.into_iter().chain(chess960_starts) {
        for _ in 0..WALKS {
            let mut position = start;
            for ply in 0..PLIES {
                if ply % 4 == 0 || position.in_check() {
                    check(&position, variant, &mut rng, &mut kinds);
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play_unchecked(*rng.choose(&moves));
            }
        }
    }
    let expected = [
        "CastlingAttacked",
        "CastlingBlocked",
        "CastlingInCheck",
        "CastlingKingNotHome",
        "CastlingNoRight",
        "CastlingNoRook",
        "CastlingOtherRook",
        "CastlingRookNotHome",
        "Blocked",
        "DoubleCheck",
        "EmptySquare",
        "EnPassantCheck",
        "InCheck",
        "InvalidPromotion",
        "KingAttacked",
        "MissingPromotion",
        "NoEnPassant",
        "NotYourPiece",
        "NothingToCapture",
        "OwnPiece",
        "Pinned",
        "Unreachable",
    ];
    for kind in expected {
        assert!(kinds.contains_key(kind), "{kind}: {kinds:?}");
    }
    assert_eq!(kinds.len(), expected.len(), "{kinds:?}");
}
