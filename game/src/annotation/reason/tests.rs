//! Positions where a reason holds, and near misses where nothing may be said.

use movegen::{Move, Position, Role, Square};

use super::super::evaluate::Evaluation;
use super::{BadMove, Material};
use formats::pgn::Eval;
use test_common::{game_after, positions::START};

fn line(start: &Position, text: &str) -> Vec<Move> {
    game_after(&start.fen(), text).moves().collect()
}

fn evaluation(eval: Eval, line: Vec<Move>) -> Evaluation {
    Evaluation {
        eval: Some(eval),
        expectation: 0.5,
        line,
    }
}

/// A move that was played with its refutation, and the better line.
struct Case {
    fen: &'static str,
    played: &'static str,
    best: &'static str,
    evals: [Eval; 2],
    captured_on: Option<Square>,
}

impl Case {
    fn new(fen: &'static str, played: &'static str, best: &'static str) -> Self {
        Self {
            fen,
            played,
            best,
            evals: [Eval::Centipawns(0); 2],
            captured_on: None,
        }
    }

    fn reason(&self) -> String {
        let position: Position = self.fen.parse().expect("valid");
        let mut played = line(&position, self.played);
        let mv = played.remove(0);
        let [before, after] = self.evals;
        let bad = BadMove {
            position: &position,
            mv,
            captured_on: self.captured_on,
            before: &evaluation(before, line(&position, self.best)),
            after: &evaluation(after, played),
        };
        bad.reason()
            .map_or_else(String::new, |reason| reason.to_string())
    }
}

fn check(fen: &'static str, played: &'static str, best: &'static str, expected: &str) {
    let found = Case::new(fen, played, best).reason();
    assert_eq!(found, expected, "{fen}: {played} instead of {best}");
}

#[test]
fn mates() {
    let fools = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let back_rank = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1";
    for (case, evals, expected) in [
        (
            Case::new(fools, "g4 Qh4", "e4 Nc6"),
            [0, -1],
            "Allows mate in 1.",
        ),
        // A line that does not show the mate, and one that is longer than the score says.
        (Case::new(fools, "g4 Nc6", "e4 Nc6"), [0, -1], ""),
        (
            Case::new(fools, "g4 Qh4", "e4 Nc6"),
            [0, -2],
            "Allows Qh4#.",
        ),
        (
            Case::new(back_rank, "Kf1 Kf8", "Re8"),
            [1, 0],
            "Misses mate in 1 by Re8#.",
        ),
        (Case::new(back_rank, "Kf1 Kf8", "h3 h6"), [1, 0], ""),
    ] {
        let evals = evals.map(|moves| match moves {
            0 => Eval::Centipawns(0),
            moves => Eval::Mate(moves),
        });
        let case = Case { evals, ..case };
        assert_eq!(case.reason(), expected, "{}", case.played);
    }
}

#[test]
fn stalemates() {
    check(
        "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
        "Qf7",
        "Qf4 Kg8",
        "Stalemate.",
    );
    check("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf2 Kg8", "Qf4 Kg8", "");
    // The rook gives itself up.
    let fen = "4r3/8/7k/8/6K1/Q7/8/8 w - - 0 1";
    check(fen, "Qb3 Rg8 Qxg8", "Qd6 Kg7", "Allows stalemate.");
    check(fen, "Qb3 Rg8 Kf5", "Qd6 Kg7", "");
}

#[test]
fn pieces_en_prise() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3";
    check(
        fen,
        "Qg5 Qxg5",
        "Bc4 g6",
        "Leaves the queen on g5 en prise.",
    );
    // The queen is lost in any case; nobody takes it; it has taken something.
    check(fen, "Qg5 Qxg5", "Qh6 Nxh6", "");
    check(fen, "Qg5 a6", "Bc4 g6", "");
    check(
        fen,
        "Qxf7 Kxf7",
        "Bc4 g6",
        "Loses the queen for a pawn after Kxf7.",
    );
    let attacked = "rnbqkbnr/pppp1ppp/8/8/4p3/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 3";
    check(
        attacked,
        "a3 exf3 exf3",
        "Nd4 d5",
        "Leaves the knight on f3 en prise.",
    );
    // A pawn for a pawn.
    check(
        START,
        "e4 d5 a3 dxe4 Nc3 Nf6 Nxe4 Nxe4 d3 Nf6",
        "d4 d5",
        "Loses a knight after d5.",
    );
    check(START, "e4 d5 exd5 Qxd5", "d4 d5", "");
}

#[test]
fn forks() {
    let fen = "4k3/8/8/8/1n6/8/P6P/R3K2R w KQ - 0 1";
    let fork = "Allows Nc2+, a fork of king and rook.";
    check(fen, "h3 Nc2 Kd2 Nxa1 Rxa1", "Kd2 Nd5", fork);
    // The knight goes elsewhere; it takes what it did not attack; the rook alone is attacked.
    check(fen, "h3 Nc2 Kd2 Nd4", "Kd2 Nd5", "");
    check(fen, "h3 Nxa2 Rxa2", "Kd2 Nd5", "");
    check(
        fen,
        "O-O Nc2 h3 Nxa1 Rxa1",
        "Kd2 Nd5",
        "Loses the exchange after Nc2.",
    );
}

#[test]
fn material_that_is_lost_or_not_won() {
    // A skewer.
    let fen = "r7/8/8/8/4K3/8/8/3N3k w - - 0 1";
    check(
        fen,
        "Kd4 Rd8 Ke3 Rxd1",
        "Nf2 Kg2",
        "Loses a knight after Rd8+.",
    );
    check(fen, "Kd4 Rd8 Ke3 Rd7", "Nf2 Kg2", "");
    // The exchange is not over where the line ends.
    check(fen, "Kd4 Rd8", "Nf2 Kg2", "");
    let fen = "8/8/8/8/8/1K6/3p4/7k w - - 0 1";
    check(fen, "Kb4 d1=Q", "Kc2 Kg2 Kxd2", "Allows a pawn to promote.");
    // Promoting one's own pawn does not count as winning a queen, however short the other line is.
    let fen = "8/8/1P6/3k4/8/8/8/6K1 w - - 0 1";
    let case = Case {
        evals: [Eval::Centipawns(880), Eval::Centipawns(0)],
        ..Case::new(fen, "Kh1 Kc6", "b7 Kd6 b8=Q+ Kd5")
    };
    assert_eq!(case.reason(), "Allows Kc6.");
    let scandinavian = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    let (played, best) = ("a6 Nc3", "Qxd5 Nc3");
    check(
        scandinavian,
        played,
        best,
        "Misses Qxd5, which wins a pawn.",
    );
    let case = Case {
        captured_on: Some(Square::D5),
        ..Case::new(scandinavian, played, best)
    };
    assert_eq!(case.reason(), "Does not recapture on d5.");
    // It does, with the wrong piece.
    let fen = "r3kb1r/1p1b1pp1/p1nPpn1p/1N6/2P1P3/P4N2/1P1q1PPP/R1B1KB1R w KQkq - 0 11";
    let case = Case {
        captured_on: Some(Square::D2),
        evals: [Eval::Centipawns(900), Eval::Centipawns(300)],
        ..Case::new(fen, "Nxd2 axb5 cxb5 Nb4 axb4 Rxa1", "Bxd2 axb5 cxb5 Na7")
    };
    assert_eq!(case.reason(), "Recaptures on d2 with the wrong piece.");
    check(scandinavian, "Nf6 Nc3 Nxd5", best, "");
}

/// Positions of weak games in which the lines gain or lose a pawn that explains nothing.
#[test]
fn material_that_does_not_explain_the_cost() {
    let fen = "r1bqk2r/np2bpp1/1Ppp3p/4p3/p1P3n1/P3QNP1/1B1PPP1P/RN2KB1R w KQkq - 2 13";
    let case = |played, best, before, after| {
        let evals = [before, after].map(Eval::Centipawns);
        Case {
            evals,
            ..Case::new(fen, played, best)
        }
        .reason()
    };
    // The pawn on b6 is lost in both lines.
    let (played, best) = ("Qd3 Qxb6 Qc2 Qxf2 Kd1 b5", "Qc3 Qxb6 e3 O-O");
    assert_eq!(
        case(played, best, -147, -309),
        "Loses two pawns after Qxb6."
    );
    // The pawn that the better line takes does not make up for what is missing.
    let scandinavian = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    let evals = [Eval::Centipawns(250), Eval::Centipawns(300)];
    let case = Case {
        evals,
        ..Case::new(scandinavian, "a6 Nc3", "Qxd5 Nc3")
    };
    assert_eq!(case.reason(), "");
}

#[test]
fn refutations() {
    let fen = "1r2r3/1p3pk1/3bbqp1/p2p3p/P2Pn2P/3NN1P1/1P3PB1/R1RQ2K1 w - - 6 26";
    let (played, best) = ("Rab1 Nxg3 fxg3 Qxd4", "Bxe4 dxe4 Nc5 Bh3");
    let reason = |best, after| {
        let evals = [Eval::Centipawns(-60), Eval::Centipawns(after)];
        Case {
            evals,
            ..Case::new(fen, played, best)
        }
        .reason()
    };
    assert_eq!(reason(best, -313), "Allows Nxg3.");
    // It is the best answer to the better move too; it costs little.
    assert_eq!(reason("Rc2 Nxg3 fxg3 Bxg3", -313), "");
    assert_eq!(reason(best, -120), "");
}

#[test]
fn castling_rights() {
    let fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1";
    let lost = "Gives away the right to castle.";
    check(fen, "Ke2 O-O", "O-O-O O-O", lost);
    check(fen, "Rb1 O-O", "a3 O-O O-O-O", lost);
    // The right to the other side, castling the other way, and no castling at all.
    check(fen, "Rg1 O-O", "O-O-O O-O", "");
    check(fen, "O-O O-O", "O-O-O O-O", "");
    check(fen, "Ke2 O-O", "a3 O-O", "");
}

#[test]
fn the_opposition() {
    let fen = "4k3/8/8/4K3/4P3/8/8/8 w - - 0 1";
    check(fen, "Kd5 Kd7", "Ke6 Kd8", "Gives away the opposition.");
    check(fen, "Kd5 Kf7", "Ke6 Kd8", "");
    check(fen, "Kd5 Kd7", "Kf6 Kf8", "");
    // Not in an ending of pawns.
    check("4k3/8/8/4K3/4P3/8/8/7N w - - 0 1", "Kd5 Kd7", "Ke6 Kd8", "");
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
