//! Properties that must hold wherever play leads: along random walks of standard chess,
//! Chess960 and DFRC, and from men scattered over the board.

mod exchange;
mod properties;
mod slow;
mod starts;
mod walks;
