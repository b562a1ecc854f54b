//! Every illegal move is explained. The errors of castling are in `castling`.

use crate::positions::{rows, standard};
use movegen::Square;
use test_common::positions::KIWIPETE;

#[test]
fn errors_name_the_square_and_the_reason() {
    for [fen, text, reason] in rows(
        "
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e4e5 | there is no piece on e4
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e7e5 | the pawn on e7 belongs to Black; White is to move
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | a1a2 | a2 is occupied by a piece of the same color
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e2e5 | a pawn on e2 cannot move to e5
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | a1a5 | a rook on a1 cannot move to a5
        8/1P6/4k3/8/8/8/8/4K3 w - - 0 1   | b7b8  | the pawn on b7 promotes; add the new piece: q, r, b or n
        8/8/1P2k3/8/8/8/8/4K3 w - - 0 1   | b6b7q | a pawn cannot promote from b6 to b7
        8/8/4k3/8/8/8/8/R3K3 w - - 0 1    | a1a8q | a rook cannot promote from a1 to a8
        3rk3/8/8/8/8/8/8/4K3 w - - 0 1    | e1d1  | the king would be in check on d1
        4k3/8/8/8/8/8/8/K2N3r w - - 0 1   | d1e3  | the knight on d1 is pinned to its king
        4k3/8/8/8/8/8/N7/K6r w - - 0 1    | a2b4  | the king is in check from h1, and this move does not resolve it
        4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1  | e5d6  | a pawn on e5 cannot move to d6
        5k2/5r2/8/8/8/8/8/4K2R w K - 0 1  | e1g1  | cannot castle kingside: f1 is attacked
        5k2/5r2/8/8/8/8/8/4K2R w K - 0 1  | e1h1  | cannot castle kingside: f1 is attacked
        r3k3/8/8/8/8/8/8/3RK3 b q - 0 1   | e8c8  | cannot castle queenside: d8 is attacked
        4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1   | e1c1  | cannot castle queenside: b1 is occupied
        4k3/8/8/8/1b6/8/8/4K2R w K - 0 1  | e1g1  | cannot castle kingside: the king is in check from b4
        r3k3/8/8/8/8/8/8/4K3 b - - 0 1    | e8c8  | Black may no longer castle queenside: the king or the rook has moved, or the right is not in the FEN
        ",
    ) {
        let error = standard(fen).move_from_uci(text).expect_err(fen);
        assert_eq!(error.to_string(), format!("illegal move '{text}': {reason}"), "{fen}");
    }
}

#[test]
fn every_error_has_words() {
    let position = standard(KIWIPETE);
    for from in Square::all() {
        for to in Square::all() {
            if let Err(reason) = position.find_move(from, to, None) {
                let words = reason.to_string();
                assert!(words.contains(' ') && words.is_ascii(), "{words}");
            }
        }
    }
}
