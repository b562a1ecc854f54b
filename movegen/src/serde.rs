//! The `serde` feature: every type with a text is serialized as that text.

use crate::{CastlingRights, Color, File, Piece, Position, Rank, Role, Setup, Square, UciMove};
use alloc::string::String;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

macro_rules! as_text {
    ($($text:ty),*) => {$(
        impl Serialize for $text {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $text {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(Error::custom)
            }
        }
    )*};
}

as_text!(
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
