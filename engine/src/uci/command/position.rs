//! `position startpos|fen … [moves …]`: takes the words apart. Chess is not judged here: a FEN
//! or a move the grammar does not know goes on as text, for the rules to read or refuse.

use vampirc_uci::UciMessage;

use super::{Base, Command, grammar};
use crate::uci::error::UciError;
use common::excerpt;

pub(super) fn parse(words: &[&str]) -> Result<Command, UciError> {
    let Some((kind, rest)) = words.split_first() else {
        return Err(UciError::PositionBase {
            text: String::new(),
        });
    };
    let moves_at = rest
        .iter()
        .position(|word| word.eq_ignore_ascii_case("moves"));
    let (base_words, moves) = match moves_at.and_then(|at| rest.split_at_checked(at)) {
        Some((before, [_, moves @ ..])) => (before, moves),
        _ => (rest, &[][..]),
    };
    let base = if kind.eq_ignore_ascii_case("startpos") {
        match base_words.first() {
            None => Base::Startpos,
            Some(token) => {
                return Err(UciError::PositionToken {
                    token: excerpt(token),
                });
            }
        }
    } else if kind.eq_ignore_ascii_case("fen") {
        if base_words.is_empty() {
            return Err(UciError::PositionFen);
        }
        Base::Fen(base_words.join(" "))
    } else {
        return Err(UciError::PositionBase {
            text: excerpt(kind),
        });
    };
    Ok(read(&base, moves).unwrap_or_else(|| Command::Position {
        base,
        moves: moves.iter().map(|word| settle_case(word)).collect(),
    }))
}

/// The grammar's reading, where it has one.
fn read(base: &Base, moves: &[&str]) -> Option<Command> {
    let mut line = String::from("position ");
    match base {
        Base::Startpos => line.push_str("startpos"),
        Base::Fen(fen) => {
            line.push_str("fen ");
            line.push_str(fen);
        }
    }
    if !moves.is_empty() {
        line.push_str(" moves ");
        line.push_str(&moves.join(" "));
    }
    let UciMessage::Position { fen, moves, .. } = grammar::read_faithfully(&line)? else {
        return None;
    };
    Some(Command::Position {
        base: fen.map_or(Base::Startpos, |fen| Base::Fen(fen.0)),
        moves: moves
            .iter()
            .map(|read| settle_case(&read.to_string()))
            .collect(),
    })
}

/// Coordinate moves in lower case, as the protocol writes them. One typed with its two files
/// in different cases stays as it is: `B4c5` is a bishop's move to some people.
pub(super) fn settle_case(word: &str) -> String {
    let coordinates = match word.as_bytes() {
        [from_file, from_rank, to_file, to_rank, promotion @ ..] => {
            let squares = is_square(*from_file, *from_rank) && is_square(*to_file, *to_rank);
            let same_case = from_file.is_ascii_uppercase() == to_file.is_ascii_uppercase();
            let tail = matches!(promotion, [] | [_]);
            squares && same_case && tail
        }
        _ => false,
    };
    if coordinates {
        word.to_ascii_lowercase()
    } else {
        word.to_owned()
    }
}

fn is_square(file: u8, rank: u8) -> bool {
    matches!(file.to_ascii_lowercase(), b'a'..=b'h') && matches!(rank, b'1'..=b'8')
}

#[cfg(test)]
mod tests {
    use super::settle_case;
    use crate::uci::command::{Base, Command};
    use crate::uci::error::UciError;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn position(line: &str) -> (Base, Vec<String>) {
        match Command::parse(line) {
            Ok(Some(Command::Position { base, moves })) => (base, moves),
            other => panic!("{line:?} gave {other:?}"),
        }
    }

    fn refusal(line: &str) -> UciError {
        Command::parse(line).expect_err(line)
    }

    #[test]
    fn startpos_with_and_without_moves() {
        assert_eq!(position("position startpos"), (Base::Startpos, vec![]));
        assert_eq!(
            position("position startpos moves"),
            (Base::Startpos, vec![])
        );
        let (base, moves) = position("Position  StartPos\tMoves  e2e4  e7e5 e1g1 a7a8q ");
        assert_eq!(base, Base::Startpos);
        assert_eq!(moves, ["e2e4", "e7e5", "e1g1", "a7a8q"]);
    }

    #[test]
    fn a_full_fen_and_its_moves() {
        let (base, moves) = position(&format!("position fen {KIWIPETE} moves e1g1 h3g2"));
        assert_eq!(base, Base::Fen(KIWIPETE.to_owned()));
        assert_eq!(moves, ["e1g1", "h3g2"]);
    }

    #[test]
    fn fens_the_grammar_refuses_go_on_as_text() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K2R w K",
            "4k3/8/8/8/8/8/8/4K2R w K -",
            "4k3/8/8/8/8/8/8/4K2R w K - 7",
            "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - -3 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 12345 67890",
            "not a fen at all",
        ] {
            let (base, moves) = position(&format!("position fen {fen}"));
            assert_eq!(base, Base::Fen(fen.to_owned()));
            assert!(moves.is_empty());
            let (base, moves) = position(&format!("position fen {fen} moves e1e2 0000"));
            assert_eq!(base, Base::Fen(fen.to_owned()));
            assert_eq!(moves, ["e1e2", "0000"]);
        }
    }

    #[test]
    fn no_move_is_dropped_from_a_list_with_a_bad_one() {
        let (_, moves) = position("position startpos moves e2e4 zzzz e7e5");
        assert_eq!(moves, ["e2e4", "zzzz", "e7e5"]);
        let (_, moves) = position("position startpos moves e2e4 0000 e4e5");
        assert_eq!(moves, ["e2e4", "0000", "e4e5"]);
        let (_, moves) = position("position startpos moves e2e4moves e7e5");
        assert_eq!(moves, ["e2e4moves", "e7e5"]);
        let (_, moves) = position("position startpos moves e2e4 moves e7e5");
        assert_eq!(moves, ["e2e4", "moves", "e7e5"]);
    }

    #[test]
    fn upper_case_coordinates_become_lower_case() {
        let (_, moves) = position("position startpos moves E2E4 e7e8Q");
        assert_eq!(moves, ["e2e4", "e7e8q"]);
        let (_, moves) = position("position startpos moves E2E4 Nf6 O-O B4c5 Bxc3");
        assert_eq!(moves, ["e2e4", "Nf6", "O-O", "B4c5", "Bxc3"]);
    }

    #[test]
    fn settle_case_leaves_other_notation_alone() {
        for word in [
            "", "e4", "a8=Q", "Bb5", "B4c5", "0000", "e2e9", "é2e4", "O-O-O",
        ] {
            assert_eq!(settle_case(word), word);
        }
    }

    #[test]
    fn many_moves_all_arrive() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let expected: Vec<&str> = shuffle.iter().copied().cycle().take(6000).collect();
        let (_, moves) = position(&format!("position startpos moves {}", expected.join(" ")));
        assert_eq!(moves, expected);
    }

    #[test]
    fn refusals_say_where_and_what_would_be_right() {
        assert!(matches!(
            refusal("position"),
            UciError::PositionBase { text } if text.is_empty()
        ));
        let wrong_base = refusal("position startposition moves e2e4");
        assert!(wrong_base.to_string().contains("'startposition'"));
        assert!(wrong_base.to_string().contains("'startpos' or 'fen <FEN>'"));
        assert_eq!(refusal("position fen"), UciError::PositionFen);
        assert_eq!(refusal("position fen moves e2e4"), UciError::PositionFen);
        assert_eq!(
            refusal("position startpos e2e4"),
            UciError::PositionToken {
                token: "e2e4".to_owned()
            }
        );
    }
}
