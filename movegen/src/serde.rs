//! The `serde` feature: every type with a text is serialized as that text, colors and sides in
//! lower case, and reasons as their names with their data.

use crate::{
    Attackers, CastlingRights, CastlingSide, Color, File, Piece, PlayedMove, Position, Rank, Role,
    Setup, Square, UciMove,
};
use alloc::string::String;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

macro_rules! written_as_text {
    ($($text:ty),*) => {$(
        impl Serialize for $text {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

macro_rules! read_as_text {
    ($($text:ty),*) => {$(
        impl<'de> Deserialize<'de> for $text {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(Error::custom)
            }
        }
    )*};
}

written_as_text!(
    CastlingRights,
    CastlingSide,
    File,
    Piece,
    PlayedMove,
    Position,
    Rank,
    Role,
    Setup,
    Square,
    UciMove
);

read_as_text!(
    CastlingRights,
    Color,
    File,
    Piece,
    Position,
    Rank,
    Role,
    Setup,
    Square,
    UciMove
);

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Attackers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
