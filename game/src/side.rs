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
            Self::White => color == Color::White,
            Self::Black => color == Color::Black,
            Self::Both => true,
        }
    }

    /// The color of the user's pieces where White or Black is to move.
    pub fn color(self, side_to_move: Color) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
            Self::Both => side_to_move,
        }
    }

    /// The side of the user in a rematch.
    pub fn rematch(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
            Self::Both => Self::Both,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Both => "both",
        })
    }
}

impl FromStr for Side {
    type Err = SideError;

    fn from_str(text: &str) -> Result<Self, SideError> {
        match text {
            "white" => Ok(Self::White),
            "black" => Ok(Self::Black),
            "both" => Ok(Self::Both),
            _ => Err(SideError),
        }
    }
}
