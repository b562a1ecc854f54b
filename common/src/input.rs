//! Reading lines of untrusted input. Knows no command.

use std::io::{self, BufRead, ErrorKind};

use thiserror::Error;

/// The longest line that is read; a game of ten thousand plies fits many times.
pub const LONGEST_LINE: usize = 1 << 20;

/// The reason a line could not be read. Only after `Read` is the input unusable.
#[derive(Debug, Error)]
pub enum InputError {
    #[error("the line is not valid UTF-8 (first bad byte: number {at}); it was ignored")]
    NotUtf8 { at: usize },

    #[error("the text is UTF-16; expected UTF-8")]
    Utf16,

    #[error("the line is longer than {limit} bytes; it was ignored")]
    TooLong { limit: usize },

    #[error("cannot read the input: {0}")]
    Read(#[from] io::Error),
}

/// Splits a stream into lines; holds at most one line, of bounded length.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    longest: usize,
    /// The bytes of the lines read so far.
    consumed: u64,
    /// Bytes after the last line have been read.
    more: bool,
    /// Set at the end of the input, after which it is not read again: a terminal would wait for
    /// another line.
    ended: bool,
}

impl<R: BufRead> LineReader<R> {
    pub fn new(input: R) -> Self {
        Self::with_longest(input, LONGEST_LINE)
    }

    fn with_longest(input: R, longest: usize) -> Self {
        Self {
            input,
            longest,
            consumed: 0,
            more: false,
            ended: false,
        }
    }

    /// The bytes of the lines read so far, with their endings.
    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    /// True if the input would not have to be waited for.
    pub fn has_more(&self) -> bool {
        self.more || self.ended
    }

    /// The next line without its line ending, or `None` at the end of the input. The last line need
    /// not have one.
    pub fn next_line(&mut self) -> Result<Option<String>, InputError> {
        let mut line = Vec::new();
        if !self.read_line(&mut line)? {
            return Ok(None);
        }
        let mut line = String::from_utf8(line).map_err(|error| {
            if is_utf16(error.as_bytes()) {
                return InputError::Utf16;
            }
            let at = error.utf8_error().valid_up_to() + 1;
            InputError::NotUtf8 { at }
        })?;
        if line.ends_with('\r') {
            line.pop();
        }
        Ok(Some(line))
    }

    /// Reads the next line into `line`, in any encoding and with the `\r` of a `\r\n` ending. False
    /// at the end of the input.
    pub fn read_line(&mut self, line: &mut Vec<u8>) -> Result<bool, InputError> {
        line.clear();
        if self.ended {
            return Ok(false);
        }
        let mut length = 0;
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            self.ended = available.is_empty();
            if self.ended && length == 0 {
                return Ok(false);
            }
            let newline = available.iter().position(|byte| *byte == b'\n');
            let ended = newline.is_some() || self.ended;
            let piece = newline.unwrap_or(available.len());
            let kept = piece.min(self.longest.saturating_sub(line.len()));
            line.extend_from_slice(available.get(..kept).unwrap_or_default());
            length += piece;
            let consumed = piece + usize::from(newline.is_some());
            self.more = available.len() > consumed;
            self.input.consume(consumed);
            self.consumed += consumed as u64;
            if ended {
                break;
            }
        }
        if length > self.longest {
            return Err(InputError::TooLong {
                limit: self.longest,
            });
        }
        Ok(true)
    }
}

/// True if a text begins as one in UTF-16 does.
pub fn is_utf16(text: &[u8]) -> bool {
    matches!(text, [0xff, 0xfe, _, 0, ..] | [0xfe, 0xff, 0, _, ..])
}

/// True if standard input can be read, or has ended, after waiting for that up to this long.
#[cfg(target_os = "wasi")]
pub fn stdin_is_ready(longest: std::time::Duration) -> bool {
    let milliseconds = longest.as_micros().div_ceil(1000);
    let mut stdin = libc::pollfd {
        fd: libc::STDIN_FILENO,
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one descriptor, borrowed for the call. A negative time is without end.
    unsafe { libc::poll(&raw mut stdin, 1, i32::try_from(milliseconds).unwrap_or(-1)) > 0 }
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufReader, Cursor, ErrorKind, Read};

    use super::{InputError, LineReader};

    const LIMIT: usize = 8;

    /// The lines that a reader with a small buffer returns for these bytes.
    fn lines(bytes: &[u8], buffer: usize) -> Vec<String> {
        let input = BufReader::with_capacity(buffer, Cursor::new(bytes.to_vec()));
        let mut reader = LineReader::with_longest(input, LIMIT);
        let mut lines = Vec::new();
        loop {
            lines.push(match reader.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return lines,
                Err(InputError::NotUtf8 { at }) => format!("<bad byte {at}>"),
                Err(InputError::Utf16) => "<UTF-16>".to_owned(),
                Err(InputError::TooLong { limit }) => format!("<over {limit}>"),
                Err(InputError::Read(error)) => panic!("{error}"),
            });
        }
    }

    #[test]
    fn every_line_arrives_whatever_the_buffer_holds() {
        for buffer in 1..40 {
            assert_eq!(lines(b"", buffer), [""; 0]);
            assert_eq!(lines(b"\n", buffer), [""]);
            assert_eq!(lines(b"uci\nstop\n", buffer), ["uci", "stop"]);
            assert_eq!(lines(b"uci\r\n\r\ngo", buffer), ["uci", "", "go"]);
            assert_eq!(lines(b"a\0b\nc\rd\n", buffer), ["a\0b", "c\rd"]);
            assert_eq!(lines(b"uci\n\nquit\r", buffer), ["uci", "", "quit"]);
        }
    }

    #[test]
    fn a_line_that_has_been_read_need_not_be_waited_for() {
        let mut reader = LineReader::new(Cursor::new(b"uci\nisready\n".to_vec()));
        let mut next = || (reader.next_line().expect("input"), reader.has_more());
        assert_eq!(next(), (Some("uci".to_owned()), true));
        assert_eq!(next(), (Some("isready".to_owned()), false));
        assert_eq!(next(), (None, true));
    }

    #[test]
    fn an_invalid_line_leaves_the_others_readable() {
        for buffer in 1..40 {
            assert_eq!(
                lines(b"one\ntw\xffo\nthree\n", buffer),
                ["one", "<bad byte 3>", "three"]
            );
            assert_eq!(
                lines(b"12345678\n123456789\nok\n", buffer),
                ["12345678", "<over 8>", "ok"]
            );
            assert_eq!(lines(b"123456789", buffer), ["<over 8>"]);
            assert_eq!(lines(b"\xff\xfeu\0", buffer), ["<UTF-16>"]);
        }
    }

    #[test]
    fn megabytes_without_a_line_end_are_not_kept() {
        let mut bytes = vec![b'x'; 50 << 20];
        bytes.extend(b"\nisready\n");
        assert_eq!(lines(&bytes, 1 << 16), ["<over 8>", "isready"]);
    }

    /// A terminal, on which a line may be typed after the end of the input.
    struct Keyboard(Vec<&'static [u8]>);

    impl Read for Keyboard {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let typed = self.0.remove(0);
            buffer[..typed.len()].copy_from_slice(typed);
            Ok(typed.len())
        }
    }

    #[test]
    fn the_input_is_not_read_past_its_end() {
        for typed in [
            &[&b"uci\n"[..], b"", b"more\n"][..],
            &[b"uci", b"", b"more\n"],
        ] {
            let mut reader = LineReader::new(BufReader::new(Keyboard(typed.to_vec())));
            let mut next = || reader.next_line().expect("input");
            assert_eq!(
                [next(), next(), next()],
                [Some("uci".to_owned()), None, None]
            );
        }
    }

    /// Interrupted at first, then broken for good.
    struct Broken(bool);

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let interrupted = std::mem::replace(&mut self.0, true);
            Err(if interrupted {
                ErrorKind::BrokenPipe.into()
            } else {
                ErrorKind::Interrupted.into()
            })
        }
    }

    #[test]
    fn an_interruption_is_no_error_and_a_broken_input_is() {
        let mut reader = LineReader::new(BufReader::new(Broken(false)));
        match reader.next_line() {
            Err(InputError::Read(error)) => assert_eq!(error.kind(), ErrorKind::BrokenPipe),
            other => panic!("{other:?}"),
        }
    }
}
