//! What `help` answers: the commands in a person's words.

/// One line each, in the order a newcomer needs them.
pub(super) const HELP: &[&str] = &[
    "uci                                      name, author, options, then uciok",
    "isready                                  answers readyok, also during a search",
    "ucinewgame                               forgets what was learnt about the previous game",
    "position startpos|fen <FEN> [moves ...]  sets the position",
    "go [depth N] [nodes N] [movetime ms] [mate N] [wtime ms] [btime ms] [winc ms] [binc ms]",
    "   [movestogo N] [infinite] [ponder] [searchmoves ...]   searches until the first limit",
    "go perft N                               counts the leaves of the move tree, move by move",
    "stop                                     ends what runs; a search answers with bestmove",
    "ponderhit                                the expected move was played: the clock runs now",
    "setoption name <option> [value <v>]      changes an option",
    "debug on|off                             says more, as which castling rights of a FEN are dropped",
    "d                                        shows the board, its FEN, key, checkers and moves",
    "eval                                     shows how the position is judged, man by man",
    "flip                                     swaps the colours",
    "bench [depth]                            a fixed piece of work, for comparing builds",
    "tune                                     lists the numbers that can be tuned",
    "quit                                     leaves",
];
