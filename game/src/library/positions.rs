//! Search of the library by position: an index of the moves of all games, which a search plays
//! again.
//!
//! The index is kept in a file beside the games. Each of its games has the length and the time of
//! the file that it was read from, so that games that were changed, added or deleted are noticed
//! before every search. A file of another version, or one that is damaged, is made anew.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use common::files::{self, FileError};
use common::hash::fnv1a;
use formats::notation;
use movegen::{Color, Move, Position, Role, Variant};

use super::{GameId, GameKind, Library, record};

/// The name of the file.
const FILE: &str = "positions.index";
/// More than any index needs.
const MAX_INDEX_BYTES: u64 = 1 << 30;
/// Changes with the format.
const SIGNATURE: &str = "castellan positions 1";
/// The number of games that are read again rather than to write the file for them.
const MAX_UNSAVED: usize = 100;

/// The part of a position that is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The position itself, with the same moves.
    All,
    /// The pawns of both sides.
    Pawns,
    /// The number of pieces of each kind.
    Material,
}

impl Part {
    /// The number of pieces, or of pawns.
    fn count(self, position: &Position) -> u32 {
        let pieces = match self {
            Self::All | Self::Material => position.occupied(),
            Self::Pawns => position.by_role(Role::Pawn),
        };
        pieces.count()
    }

    fn is_same(self, one: &Position, other: &Position) -> bool {
        let pieces = |position: &Position, color, role| position.pieces(color, role);
        match self {
            Self::All => one.same_position(other),
            Self::Pawns => Color::ALL
                .iter()
                .all(|&color| pieces(one, color, Role::Pawn) == pieces(other, color, Role::Pawn)),
            Self::Material => {
                self.count(one) == self.count(other)
                    && Color::ALL.iter().all(|&color| {
                        Role::ALL.iter().all(|&role| {
                            let count = |position| pieces(position, color, role).count();
                            count(one) == count(other)
                        })
                    })
            }
        }
    }
}

/// Tells a file from a changed one: in WebAssembly, which has no times, by its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    /// In nanoseconds; 0 for a file that has just been written and may be written again without a
    /// difference.
    changed: u128,
}

impl Stamp {
    #[cfg(not(target_family = "wasm"))]
    fn new(path: &Path) -> Option<Self> {
        use std::time::SystemTime;

        /// Within this time two changes may have one time.
        const UNSURE: Duration = Duration::from_secs(2);
        let found = path.metadata().ok()?;
        let time = found.modified().ok()?;
        let age = SystemTime::now().duration_since(time);
        let changed = time.duration_since(SystemTime::UNIX_EPOCH).ok();
        let is_old = age.is_ok_and(|age| age > UNSURE);
        Some(Self {
            length: found.len(),
            changed: changed.filter(|_| is_old).map_or(0, |time| time.as_nanos()),
        })
    }

    #[cfg(target_family = "wasm")]
    fn new(path: &Path) -> Option<Self> {
        let bytes = files::read(path, super::MAX_BYTES).ok()?;
        Some(Self {
            length: bytes.len() as u64,
            changed: fnv1a(&bytes).into(),
        })
    }

    fn is_sure(&self) -> bool {
        self.changed != 0
    }
}

/// The moves of a game; `None` for a text that is no game of chess.
type Moves = Option<(Position, Box<[Move]>)>;

/// The games of a library, to be searched by position.
#[derive(Debug, Default)]
pub struct Positions {
    games: BTreeMap<GameId, (Stamp, Moves)>,
    /// The games that are to be read, the latest last.
    waiting: Vec<(GameId, Stamp)>,
    is_loaded: bool,
    /// The number of games by which the file differs.
    unsaved: usize,
}

impl Positions {
    /// Compares the index with the games that there are.
    pub fn check(&mut self, library: &Library) -> Result<(), FileError> {
        let Some(folder) = library.folder() else {
            return Ok(());
        };
        if !self.is_loaded {
            self.is_loaded = true;
            self.games = load(&folder.join(FILE)).unwrap_or_default();
        }
        let mut before = std::mem::take(&mut self.games);
        self.waiting.clear();
        for id in library.games()? {
            let Some(path) = library.path(&id, GameKind::Chess) else {
                continue;
            };
            // A game of another kind has no such file.
            let Some(stamp) = Stamp::new(&path) else {
                continue;
            };
            match before.remove(&id) {
                Some(known) if known.0 == stamp && stamp.is_sure() => {
                    self.games.insert(id, known);
                }
                _ => self.waiting.push((id, stamp)),
            }
        }
        self.waiting.reverse();
        self.unsaved += before.len();
        Ok(())
    }

    /// Reads games that are not known for about this long; returns how many are left.
    pub fn read(&mut self, library: &Library, time: Duration) -> usize {
        let start = Instant::now();
        while start.elapsed() < time
            && let Some((id, stamp)) = self.waiting.pop()
        {
            let found = library.find(&id).ok().flatten();
            let record = found.and_then(|(_, text)| record(&text));
            let moves = record.map(|record| (record.start, record.moves().collect()));
            self.games.insert(id, (stamp, moves));
            self.unsaved += 1;
        }
        if self.waiting.is_empty() && self.unsaved > MAX_UNSAVED {
            self.unsaved = 0;
            self.save(library);
        }
        self.waiting.len()
    }

    /// The number of games that are known.
    pub fn known(&self) -> usize {
        self.games.len()
    }

    /// The games with a position like this one, the latest first, and the number of moves before it
    /// occurs first.
    pub fn find(&self, part: Part, position: &Position) -> Vec<(GameId, usize)> {
        let games = self.games.iter().rev();
        let found = games.filter_map(|(id, (_, moves))| {
            let (start, moves) = moves.as_ref()?;
            let mut next = *start;
            let mut moves = moves.iter();
            let mut ply = 0;
            // There are never more pieces than before, nor pawns.
            while part.count(&next) >= part.count(position) {
                if part.is_same(&next, position) {
                    return Some((id.clone(), ply));
                }
                next = next.try_play(*moves.next()?)?;
                ply += 1;
            }
            None
        });
        found.collect()
    }

    /// Writes the file. Without one the next program reads the games again.
    fn save(&self, library: &Library) {
        if cfg!(target_family = "wasm") {
            return;
        }
        let lines = self
            .games
            .iter()
            .map(|(id, (Stamp { length, changed }, moves))| {
                let game = moves.as_ref().map_or_else(
                    || "-".to_owned(),
                    |(start, moves)| {
                        let moves: String = moves.iter().map(|mv| format!(" {mv}")).collect();
                        format!("{}{moves}", start_text(start))
                    },
                );
                format!("{id}\t{length}\t{changed}\t{game}\n")
            });
        let text: String = lines.collect();
        let text = format!("{SIGNATURE} {:016x}\n{text}", fnv1a(text.as_bytes()));
        if let Some(folder) = library.folder() {
            let _ = files::replace(&folder.join(FILE), text.as_bytes());
        }
    }
}

/// The start of a game as one word.
fn start_text(start: &Position) -> String {
    if *start == Position::default() {
        return "start".to_owned();
    }
    let fen = notation::fen(start, start.variant()).replace(' ', "_");
    let variant = if start.variant() == Variant::Chess960 {
        "960:"
    } else {
        ""
    };
    format!("{variant}{fen}")
}

fn start(text: &str) -> Option<Position> {
    let (text, variant) = match text.strip_prefix("960:") {
        Some(text) => (text, Variant::Chess960),
        None => (text, Variant::Standard),
    };
    if text == "start" {
        return Some(Position::default());
    }
    Position::from_fen(&text.replace('_', " "), variant).ok()
}

/// The games of a file; `None` if it is damaged, or of another version.
fn load(path: &Path) -> Option<BTreeMap<GameId, (Stamp, Moves)>> {
    let text = String::from_utf8(files::read(path, MAX_INDEX_BYTES).ok()?).ok()?;
    let (head, lines) = text.split_once('\n')?;
    let expected = format!("{SIGNATURE} {:016x}", fnv1a(lines.as_bytes()));
    (head == expected).then_some(())?;
    let games = lines.lines().map(|line| {
        let mut fields = line.split('\t');
        let id = GameId::try_from(fields.next()?.to_owned()).ok()?;
        let length = fields.next()?.parse().ok()?;
        let changed = fields.next()?.parse().ok()?;
        let mut words = fields.next()?.split(' ');
        let game = match words.next()? {
            "-" => None,
            first => {
                let start = start(first)?;
                let mut position = start;
                let moves = words.map(|word| {
                    let mv = position.move_from_uci(word).ok()?;
                    position = position.play_unchecked(mv);
                    Some(mv)
                });
                Some((start, moves.collect::<Option<_>>()?))
            }
        };
        Some((id, (Stamp { length, changed }, game)))
    });
    games.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use movegen::{Position, Variant};
    use test_common::{TempDir, game_after, positions::START};

    use super::{FILE, Part, Positions};
    use crate::library::{GameId, Library};

    const OLD: SystemTime = SystemTime::UNIX_EPOCH;

    fn write(library: &Library, number: usize, pgn: &str, changed: SystemTime) {
        let path = library
            .folder()
            .expect("a folder")
            .join(format!("{number}.pgn"));
        fs::write(&path, pgn).expect("written");
        let file = fs::File::options().write(true).open(&path).expect("there");
        file.set_modified(changed).expect("changed");
    }

    /// The numbers of the games that are found, with the plies, by an index that is made or loaded
    /// now.
    fn found(library: &Library, part: Part, position: &Position) -> Vec<(String, usize)> {
        search(&mut Positions::default(), library, part, position)
    }

    fn search(
        positions: &mut Positions,
        library: &Library,
        part: Part,
        position: &Position,
    ) -> Vec<(String, usize)> {
        positions.check(library).expect("a folder");
        assert_eq!(positions.read(library, Duration::MAX), 0);
        let found = positions.find(part, position).into_iter();
        found.map(|(id, ply)| (id.to_string(), ply)).collect()
    }

    fn expected(found: &[(&str, usize)]) -> Vec<(String, usize)> {
        found
            .iter()
            .map(|&(id, ply)| (id.to_owned(), ply))
            .collect()
    }

    #[test]
    fn positions_pawns_and_material_are_found() {
        let folder = TempDir::new("positions");
        let library = Library::at(folder.directory().to_owned());
        for (number, pgn) in [
            "1. e4 c5 2. Nf3 d6 3. Nc3 1-0",
            "1. Nf3 c5 2. e4 d6 0-1",
            "1. e4 d6 2. Bb5+ c6 *",
            "1. e4 c5 2. Nc3 d6 3. Bb5+ Bd7 4. Bxd7+ Qxd7 5. a3 1/2-1/2",
            "1. e4 d5 2. exd5 Qxd5",
            "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w H - 0 1\"]\n\n1. O-O Ke7 *",
            "no game",
        ]
        .into_iter()
        .enumerate()
        {
            write(&library, number, pgn, OLD);
        }
        let after = |moves: &str| *game_after(START, moves).position();
        let transposed = after("e4 c5 Nf3 d6");
        for _ in ["made", "loaded"] {
            let find = |part, position: &Position| found(&library, part, position);
            assert_eq!(
                find(Part::All, &transposed),
                expected(&[("1", 4), ("0", 4)])
            );
            let pawns = expected(&[("3", 4), ("1", 4), ("0", 4)]);
            assert_eq!(find(Part::Pawns, &transposed), pawns);
            let unmoved = after("e4 c5 a3 d6");
            assert_eq!(find(Part::Pawns, &unmoved), expected(&[("3", 9)]));
            let traded = after("d4 d5 c4 c6 cxd5 Qxd5");
            assert_eq!(find(Part::Material, &traded), expected(&[("4", 4)]));
            let rook = Position::from_fen("8/4k3/8/8/8/8/8/5RK1 w - - 2 2", Variant::Standard);
            assert_eq!(
                find(Part::All, &rook.expect("legal")),
                expected(&[("5", 2)])
            );
            let mut positions = Positions::default();
            search(&mut positions, &library, Part::All, &transposed);
            positions.save(&library);
        }
    }

    #[test]
    fn a_game_that_changes_is_read_again_and_a_damaged_file_made_anew() {
        let folder = TempDir::new("stale positions");
        let library = Library::at(folder.directory().to_owned());
        let path = folder.directory().join(FILE);
        let one = |text: &str| [GameId::try_from(text.to_owned()).expect("valid")];
        let e4 = *game_after(START, "e4").position();
        let later = OLD + Duration::from_secs(9);
        let mut positions = Positions::default();
        for number in 1..=3 {
            write(&library, number, "1. e4 *", OLD);
        }
        let mut find = |are: &[&str]| {
            let kept = search(&mut positions, &library, Part::All, &e4);
            positions.save(&library);
            for found in [kept, found(&library, Part::All, &e4)] {
                let found: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
                assert_eq!(found, are);
            }
        };
        find(&["3", "2", "1"]);
        // Of the same length; at another time, or one that may be that of another change.
        write(&library, 1, "1. d4 *", later);
        write(&library, 2, "1. d4 *", SystemTime::now());
        find(&["3"]);
        write(&library, 2, "1. e4 *", SystemTime::now());
        library.delete(&one("3")).expect("deleted");
        find(&["2"]);
        // A text that differs in one move, and one that ends early.
        let text = fs::read_to_string(&path).expect("a file");
        for damaged in [
            text.replace("d2d4", "e2e4"),
            text[..text.len() / 2].to_owned(),
        ] {
            fs::write(&path, damaged).expect("written");
            assert_eq!(found(&library, Part::All, &e4), expected(&[("2", 1)]));
        }
    }
}
