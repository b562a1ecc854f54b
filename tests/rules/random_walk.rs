//! Properties that hold along random walks of standard chess, Chess960 and DFRC, and from random
//! boards.

mod notation;
mod properties;
mod reference;
mod starts;
mod truth;
mod walks;
