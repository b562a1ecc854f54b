//! The side that the user plays.

use std::fmt;
use std::str::FromStr;

use movegen::Color;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The side whose moves the user makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    White,
    Black,
    Both,
}

/// The text is not the name of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected white, black or both")]
pub struct SideError;

impl Side {
    /// The names that can be parsed.
    pub const NAMES: [&str; 3] = ["white", "black", "both"];

    /// True if the user moves the pieces of this color.
    pub fn includes(self, color: Color) -> bool {
        match self {
            Side::White => color == Color::White,
            Side::Black => color == Color::Black,
            Side::Both => true,
        }
    }

    /// The color of the user's pieces where White or Black is to move.
    pub fn color(self, side_to_move: Color) -> Color {
        match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Both => side_to_move,
        }
    }

    /// The side of the user in a rematch.
    pub fn rematch(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
            Side::Both => Side::Both,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "white",
            Side::Black => "black",
            Side::Both => "both",
        })
    }
}

impl FromStr for Side {
    type Err = SideError;

    fn from_str(text: &str) -> Result<Side, SideError> {
        match text {
            "white" => Ok(Side::White),
            "black" => Ok(Side::Black),
            "both" => Ok(Side::Both),
            _ => Err(SideError),
        }
    }
}
