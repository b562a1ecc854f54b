//! The reasons for illegal moves are true, on boards and attacks of the test's own, and the same in
//! both notations; in positions of random games.

mod board;
mod truth;

use crate::positions::{chess960, standard};
use board::{Board, steps};
use movegen::{
    CastlingSide, Color, IllegalMove, Move, Position, Role, SanError, Square, UciMoveError, Variant,
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
