//! Positions where a reason holds, and near misses where nothing may be said.

use movegen::{Move, Position, Role};

use super::super::evaluate::Evaluation;
use super::{BadMove, Material};
use formats::pgn::Eval;
use test_common::{game_after, table};

fn line(start: &Position, text: &str) -> Vec<Move> {
    game_after(&start.fen(), text).moves().collect()
}

fn evaluation(eval: &str, line: Vec<Move>) -> Evaluation {
    let eval = match eval.strip_prefix('#') {
        Some(moves) => Eval::Mate(moves.parse().expect(eval)),
        None => Eval::Centipawns(eval.parse().expect(eval)),
    };
    Evaluation {
        eval: Some(eval),
        expectation: 0.5,
        line,
    }
}

/// Positions; the move that was played with its refutation; the better line; the evaluations before
/// and after, and the square on which the opponent has just captured; and the reason. A blank
/// position is the one above.
const CASES: &str = "
rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2 | g4 Qh4 | e4 Nc6 | 0 #-1 | Allows mate in 1.
# A line that does not show the mate, and one that is longer than the score says. A line may be cut.
  | g4 Nc6           | e4 Nc6                  | 0 #-1    |
  | g4 Qh4           | e4 Nc6                  | 0 #-2    |
  | g4 Nc6           | e4 Nc6                  | 0 #-2    | Allows mate in 2.
6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1 | Kf1 Kf8 | Re8 | #1 0 | Misses mate in 1 by Re8#.
  | Kf1 Kf8          | h3 h6                   | #1 600   |

7k/8/6K1/8/8/8/8/5Q2 w - - 0 1 | Qf7 | Qf4 Kg8 | 0 0 | Stalemate.
  | Qf2 Kg8          | Qf4 Kg8                 | 0 0      |
# The rook gives itself up.
4r3/8/7k/8/6K1/Q7/8/8 w - - 0 1 | Qb3 Rg8 Qxg8 | Qd6 Kg7 | 0 0 | Allows stalemate.
  | Qb3 Rg8 Kf5      | Qd6 Kg7                 | 0 0      |

r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3 | Qg5 Qxg5 | Bc4 g6 | 0 -900 | Leaves the queen on g5 en prise.
# The queen is lost in any case; nobody takes it; it has taken something.
  | Qg5 Qxg5         | Qh6 Nxh6                | 0 0      |
  | Qg5 a6           | Bc4 g6                  | 0 0      |
  | Qxf7 Kxf7        | Bc4 g6                  | 0 -900   | Loses the queen for a pawn after Kxf7.
rnbqkbnr/pppp1ppp/8/8/4p3/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 3 | a3 exf3 exf3 | Nd4 d5 | 0 0 | Leaves the knight on f3 en prise.
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e4 d5 a3 dxe4 Nc3 Nf6 Nxe4 Nxe4 d3 Nf6 | d4 d5 | 0 0 | Loses a knight after d5.
# The evaluation is not that of a side without a knight. A pawn for a pawn.
  | e4 d5 a3 dxe4 Nc3 Nf6 Nxe4 Nxe4 d3 Nf6 | d4 d5 | 150 50 |
  | e4 d5 exd5 Qxd5  | d4 d5                   | 0 0      |

4k3/8/8/8/1n6/8/P6P/R3K2R w KQ - 0 1 | h3 Nc2 Kd2 Nxa1 Rxa1 | Kd2 Nd5 | 0 0 | Allows Nc2+, a fork of king and rook.
# The knight goes elsewhere; it takes what it did not attack; the rook alone is attacked.
  | h3 Nc2 Kd2 Nd4   | Kd2 Nd5                 | 0 0      |
  | h3 Nxa2 Rxa2     | Kd2 Nd5                 | 0 0      |
  | O-O Nc2 h3 Nxa1 Rxa1 | Kd2 Nd5             | 0 0      | Loses the exchange after Nc2.

# A skewer.
r7/8/8/8/4K3/8/8/3N3k w - - 0 1 | Kd4 Rd8 Ke3 Rxd1 | Nf2 Kg2 | 0 -300 | Loses a knight after Rd8+.
  | Kd4 Rd8 Ke3 Rd7  | Nf2 Kg2                 | 0 0      |
# The exchange is not over where the line ends.
  | Kd4 Rd8          | Nf2 Kg2                 | 0 0      |
8/8/8/8/8/1K6/3p4/7k w - - 0 1 | Kb4 d1=Q | Kc2 Kg2 Kxd2 | 0 0 | Allows a pawn to promote.
# Promoting one's own pawn does not count as winning a queen, however short the other line is.
8/8/1P6/3k4/8/8/8/6K1 w - - 0 1 | Kh1 Kc6 | b7 Kd6 b8=Q+ Kd5 | 880 0 | Misses b7, after which a pawn promotes.
rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2 | a6 Nc3 | Qxd5 Nc3 | 0 0 | Misses Qxd5, which wins a pawn.
  | a6 Nc3           | Qxd5 Nc3                | 0 0 d5   | Does not recapture on d5.
  | Nf6 Nc3 Nxd5     | Qxd5 Nc3                | 0 0      |
# The pawn that the better line takes does not make up for what is missing.
  | a6 Nc3           | Qxd5 Nc3                | 350 400  |
r3kb1r/1p1b1pp1/p1nPpn1p/1N6/2P1P3/P4N2/1P1q1PPP/R1B1KB1R w KQkq - 0 11 | Nxd2 axb5 cxb5 Nb4 axb4 Rxa1 | Bxd2 axb5 cxb5 Na7 | 900 300 d2 | Recaptures on d2 with the wrong piece.
# The pawn on b6 is lost in both lines.
r1bqk2r/np2bpp1/1Ppp3p/4p3/p1P3n1/P3QNP1/1B1PPP1P/RN2KB1R w KQkq - 2 13 | Qd3 Qxb6 Qc2 Qxf2 Kd1 b5 | Qc3 Qxb6 e3 O-O | -147 -309 | Loses two pawns after Qxb6.

# The answer attacks two pieces. It is the one to the better move too; the move costs little.
rnbqkb1r/ppp2ppp/3p4/4p3/2B1N3/8/PPPP1PPP/R1BQK1NR w KQkq - 0 1 | a3 d5 Bb5 c6 | Bb3 a6 | 0 -110 | Allows d5, a double attack on bishop and knight.
  | a3 d5 Bb5 c6     | Bb3 d5                  | 0 -110   |
  | a3 d5 Bb5 c6     | Bb3 a6                  | 0 -90    |
# It can be taken.
rnb1kb1r/pppp1ppp/8/4p3/2B1N3/8/PPPP1PPP/R1BQK1NR w KQkq - 0 1 | a3 d5 Bb5 c6 | Bb3 a6 | 0 -110 |
3r1rk1/5ppp/2p5/p2nN3/3PR3/P5qP/1P1Q2P1/5R1K b - - 4 24 | Rd6 Rf3 Nf6 | f6 Kg1 | 146 458 | Allows Rf3, which traps the queen.
r2k1bnr/pp3ppp/1q1Pb3/1Bp3Q1/8/2N5/PPP2PPP/R1B1K2R b KQ - 2 11 | f6 Qh5 g6 Qe2 | Nf6 Be3 h6 Qxc5 | 276 601 | Allows Qh5, which threatens mate.
1r3rk1/p1p2ppp/2Q1b3/3n4/5q2/2B5/PPP2PPP/1K1R1B1R b - - 4 18 | Qxf2 Bd4 Qf4 Qc5 | Qa4 Qc5 | -159 90 | Allows Bd4, which attacks the queen.
rnbqkbnr/pppp2pp/5p2/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3 | fxe5 Qh5 Ke7 Qxe5 | Qe7 Nf3 | 131 365 | Allows Qh5+, after which the king cannot castle.
# The move itself has given the right away.
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 | Ke2 d5 exd5 Bg4 | Nf3 Nc6 | 30 -90 |
# The piece can be defended.
6k1/ppp3pp/8/n2P4/8/3P4/P1P5/2B3K1 b - - 0 1 | h6 Bd2 b6 | Kf7 Kf2 | 0 110 | Allows Bd2, which attacks the knight.
# The bishop attacked the rook before the answer, which only gets out of check.
r5k1/4qppp/8/8/8/6PP/5PB1/6K1 b - - 0 1 | Qe1 Kh2 Rd8 | Rd8 Bf3 | 0 110 |
r2q2k1/1R2b1p1/n1p3p1/p2p2P1/3P1B1Q/2r5/P6P/4K2R b K - 3 23 | Bd6 Rxg7 Kxg7 Qh6 Kf7 O-O | Qe8 O-O | -581 -100 | Allows Rxg7+, a sacrifice that opens the king's position.
8/8/3B2p1/pp6/4k2P/P4p2/5K2/8 b - - 3 51 | a4 Bb4 Kf5 Bd2 Kg4 Bg5 b4 axb4 Kf5 b5 | Kf5 Kxf3 | 95 347 | Allows Bb4, which leads to a passed pawn on b5.

# Draws. An evaluation that is not even is of no draw.
7Q/8/p3qpk1/Pp6/1P6/4P1P1/K6R/8 w - - 7 68 | Ka3 Qxe3 Ka2 Qe6 Kb2 Qe5 | Ka1 Qe5 | 556 0 | Allows perpetual check.
  | Ka3 Qxe3 Ka2 Qe6 Kb2 Qe5 | Ka1 Qe5 | 556 30 |
7k/p6p/1pp1pr1q/n3Q2P/3P4/4P3/PP6/2K3R1 w - - 2 28 | Qb8 Qf8 Qxf8 Rxf8 | Rf1 Kg7 Rg1 Kh8 | 0 -304 | Misses a draw by repetition with Rf1.
8/8/8/7P/4k1PK/r7/8/8 b - - 4 54 | Kf4 h6 Ra7 Kh5 | Ke5 Kg5 | -1093 0 | Allows a draw.

r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1 | Ke2 O-O | O-O-O O-O | 0 0 | Gives away the right to castle.
  | Rb1 O-O          | a3 O-O O-O-O            | 0 0      | Gives away the right to castle.
# The right to the other side, castling the other way, and no castling at all.
  | Rg1 O-O          | O-O-O O-O               | 0 0      |
  | O-O O-O          | O-O-O O-O               | 0 0      |
  | Ke2 O-O          | a3 O-O                  | 0 0      |

4k3/8/8/4K3/4P3/8/8/8 w - - 0 1 | Kd5 Kd7 | Ke6 Kd8 | 0 0 | Gives away the opposition.
  | Kd5 Kf7          | Ke6 Kd8                 | 0 0      |
  | Kd5 Kd7          | Kf6 Kf8                 | 0 0      |
# Not in an ending of pawns.
4k3/8/8/4K3/4P3/8/8/7N w - - 0 1 | Kd5 Kd7 | Ke6 Kd8 | 0 0 |
";

#[test]
fn a_reason_is_said_where_the_lines_prove_it() {
    let mut position = Position::default();
    for [fen, played, best, evals, expected] in table(CASES) {
        if !fen.is_empty() {
            position = fen.parse().expect(fen);
        }
        let [before, after, captured_on] = match evals.split(' ').collect::<Vec<_>>()[..] {
            [before, after] => [before, after, ""],
            [before, after, square] => [before, after, square],
            _ => panic!("{evals}"),
        };
        let mut refuted = line(&position, played);
        let bad = BadMove {
            position: &position,
            mv: refuted.remove(0),
            captured_on: captured_on.parse().ok(),
            before: &evaluation(before, line(&position, best)),
            after: &evaluation(after, refuted),
        };
        let found = bad.reason().map(|reason| reason.to_string());
        let found = found.unwrap_or_default();
        assert_eq!(found, expected, "{played} instead of {best} in {position}");
    }
}

#[test]
fn changes_of_material_in_words() {
    let change = |changes: &[(Role, i32)]| {
        let mut after = Material([0; 6]);
        for &(role, count) in changes {
            after.0[role.index()] = count;
        }
        Material::between(Material([0; 6]), after)
    };
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    for (changes, expected) in [
        (&[(Pawn, 2)][..], Some("two pawns")),
        (&[(Rook, 1), (Bishop, -1)], Some("the exchange")),
        (&[(Queen, 1), (Rook, -1)], Some("the queen for a rook")),
        (&[(Knight, -1), (Bishop, 1), (Pawn, 1)], Some("a pawn")),
        (
            &[(Queen, 1), (Rook, -1), (Pawn, -1)],
            Some("the queen for a rook and a pawn"),
        ),
        (&[(Pawn, -1)], None),
    ] {
        assert_eq!(change(changes).words().as_deref(), expected);
    }
}
