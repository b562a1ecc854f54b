//! Small descriptions of files: a valid file is built from the first bytes of an input, a few edits
//! damage it, and what only detects damage (lengths, hashes) is made right afterwards, so that the
//! decoder behind them is reached.

/// The bytes of an input, followed by zeros without end.
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        byte
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// At most `length` bytes.
    pub(crate) fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0
    }
}

/// The request in the first bytes of an input.
pub(crate) enum Input<'a> {
    /// The file itself.
    File(&'a [u8]),
    Description(Edits, Bytes<'a>),
}

/// Changes of single bytes; a change by zero truncates.
pub(crate) struct Edits {
    edits: Vec<(usize, u8)>,
    /// True if the checksum is wrong.
    pub(crate) wrong_checksum: bool,
}

impl<'a> Input<'a> {
    const FILE: u8 = 0xff;
    const WRONG_CHECKSUM: u8 = 0x80;
    const EDITS: u8 = 4;

    pub(crate) fn new(data: &'a [u8]) -> Self {
        let mut bytes = Bytes(data);
        let first = bytes.byte();
        if first == Self::FILE {
            return Input::File(bytes.rest());
        }
        let edits = (0..first % Self::EDITS).map(|_| (bytes.u16().into(), bytes.byte()));
        let edits = Edits {
            edits: edits.collect(),
            wrong_checksum: first & Self::WRONG_CHECKSUM != 0,
        };
        Input::Description(edits, bytes)
    }
}

impl Edits {
    pub(crate) fn apply(&self, bytes: &mut Vec<u8>) {
        for &(place, change) in &self.edits {
            if change == 0 {
                bytes.truncate(place);
            } else if let Some(byte) = bytes.get_mut(place) {
                *byte ^= change;
            }
        }
    }
}
