//! Opening and writing files: no file is waited for, and a name always refers to a complete file.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The reason a file was not read or written.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write '{}': {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("'{}' already exists; not overwritten", path.display())]
    Exists { path: PathBuf },
    #[error("'{}' is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("'{}' is too large: more than {most} bytes", path.display())]
    TooLarge { path: PathBuf, most: u64 },
    #[error("'{}' is one of the input files; choose another name with --out", path.display())]
    IsInput { path: PathBuf },
    #[error("'{}' is in use by another process", path.display())]
    InUse { path: PathBuf, source: TryLockError },
}

impl FileError {
    pub fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        // On Windows, nobody else can read a locked file.
        const ERROR_LOCK_VIOLATION: i32 = 33;
        move |source| match source.raw_os_error() {
            Some(ERROR_LOCK_VIOLATION) if cfg!(windows) => Self::InUse {
                path: path.to_path_buf(),
                source: TryLockError::WouldBlock,
            },
            _ => Self::Read {
                path: path.to_path_buf(),
                source,
            },
        }
    }

    /// For a file that must not exist yet.
    pub fn create(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| match source.kind() {
            ErrorKind::AlreadyExists => Self::Exists {
                path: path.to_path_buf(),
            },
            _ => Self::write(path)(source),
        }
    }

    pub fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Write {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// Opens a regular file for reading. A named pipe would block, and a device never end.
pub fn open(path: &Path) -> Result<File, FileError> {
    let file = open_now(OpenOptions::new().read(true), path, true);
    regular(file, path, FileError::read(path))
}

/// Opens a regular file that the user has named as an output.
pub fn open_output(options: &mut OpenOptions, path: &Path) -> Result<File, FileError> {
    regular(open_now(options, path, true), path, FileError::write(path))
}

/// Opens a file that the program keeps next to an output: a regular file, not a link to one.
pub fn open_beside(options: &mut OpenOptions, path: &Path) -> Result<File, FileError> {
    regular(open_now(options, path, false), path, FileError::write(path))
}

fn regular(
    opened: io::Result<File>,
    path: &Path,
    error: impl Fn(io::Error) -> FileError,
) -> Result<File, FileError> {
    let file = opened.map_err(&error)?;
    check(path, &file.metadata().map_err(&error)?)?;
    Ok(file)
}

/// Opens a file without waiting for the other end of a pipe.
fn open_now(options: &mut OpenOptions, path: &Path, follow_links: bool) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        let no_link = if follow_links { 0 } else { libc::O_NOFOLLOW };
        options.custom_flags(libc::O_NONBLOCK | no_link);
    }
    #[cfg(not(unix))]
    if !follow_links && fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is a link"));
    }
    options.open(path)
}

/// Reads a regular file of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let file = open(path)?;
    let length = file.metadata().map_err(FileError::read(path))?.len();
    let mut bytes = Vec::new();
    if length <= most {
        let mut file = file.take(most.saturating_add(1));
        file.read_to_end(&mut bytes)
            .map_err(FileError::read(path))?;
    }
    if length.max(bytes.len() as u64) > most {
        return Err(FileError::TooLarge {
            path: path.to_path_buf(),
            most,
        });
    }
    Ok(bytes)
}

/// Fails for directories, pipes and devices.
pub fn check(path: &Path, found: &Metadata) -> Result<(), FileError> {
    if found.is_file() {
        return Ok(());
    }
    Err(FileError::NotAFile {
        path: path.to_path_buf(),
    })
}

/// Writes a file, replacing any old one atomically; a symbolic link stays, and its target is
/// replaced, with its permissions kept. What is not a regular file is left alone.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    replace_with(path, |mut file| file.write_all(bytes))
}

/// Replaces a file like `replace`, with the bytes that `write` writes.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), FileError> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let found = fs::metadata(&target).ok();
    if let Some(found) = &found {
        check(path, found)?;
    }
    let write = |file: &File| {
        // Before anything is written: a private file stays private.
        if cfg!(unix)
            && let Some(found) = &found
        {
            // A file system without permissions has none to keep.
            let _ = file.set_permissions(found.permissions());
        }
        write(file)
    };
    let written = write_new(&target, write, rename);
    written.map_err(FileError::write(path))
}

/// Writes a file that the program keeps next to an output. A link is replaced, not its target.
pub fn replace_beside(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let written = write_new(path, |mut file| file.write_all(bytes), rename);
    written.map_err(FileError::write(path))
}

/// Writes a file like `replace_with`, unless the name is taken by the time it is complete.
pub fn create_with(
    path: &Path,
    write: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), FileError> {
    let written = write_new(path, write, rename_to_free);
    written.map_err(FileError::create(path))
}

/// Writes a file under a name of the program's own, then gives it its name.
fn write_new(
    target: &Path,
    write: impl FnOnce(&File) -> io::Result<()>,
    rename: fn(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    if let (Some(folder), Some(name)) = (target.parent(), target.file_name()) {
        remove_abandoned(folder, |target| OsStr::new(target) == name);
    }
    let (new, file) = create_unfinished(target)?;
    let written = write(&file)
        .and_then(|()| file.sync_all())
        // On Windows nobody can read a locked file.
        .and_then(|()| file.unlock().or(Ok(())))
        .and_then(|()| rename(&new, target));
    written.inspect_err(|_| {
        // If it cannot be removed, the first error is reported.
        let _ = fs::remove_file(&new);
    })
}

/// The end of the name of a file that is not complete.
const UNFINISHED: &str = ".new";

/// Removes what writers that were killed have left in a folder, of the targets with these names.
pub fn remove_abandoned(folder: &Path, is_target: impl Fn(&str) -> bool) {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_str().and_then(|name| name.strip_suffix(UNFINISHED));
        let Some((target, number)) = name.and_then(|name| name.rsplit_once('.')) else {
            continue;
        };
        let path = entry.path();
        if is_number(number)
            && is_target(target)
            && let Ok(file) = open_beside(OpenOptions::new().read(true), &path)
            && file.try_lock().is_ok()
        {
            // If that fails, the next writer tries again.
            let _ = fs::remove_file(&path);
        }
    }
}

/// Creates a file that nobody else has made, locked as long as it is written.
fn create_unfinished(target: &Path) -> io::Result<(PathBuf, File)> {
    const TRIES: usize = 16;
    let mut taken = io::Error::from(ErrorKind::AlreadyExists);
    for _ in 0..TRIES {
        let mut new = OsString::from(target);
        // The keys of a hash map's hasher are random.
        let number = RandomState::new().hash_one(()) as u32;
        new.push(format!(".{number}{UNFINISHED}"));
        match File::create_new(&new) {
            Ok(file) => {
                // Without locks an abandoned file stays.
                let _ = file.try_lock();
                return Ok((new.into(), file));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

/// Renames a file to a name that must be free.
fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // A file system without hard links.
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => rename(from, to),
    }
}

/// Renames a file, replacing any old one.
#[cfg(not(windows))]
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// Renames a file, replacing any old one. Windows refuses that while the old one is open in some
/// programs, of which virus scanners and indexers close it soon.
#[cfg(windows)]
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    let is_open = |error: &io::Error| {
        matches!(
            error.raw_os_error(),
            Some(ACCESS_DENIED | SHARING_VIOLATION)
        )
    };
    for pause in [10, 20, 40, 80, 160, 320] {
        match fs::rename(from, to) {
            Err(error) if is_open(&error) => {
                std::thread::sleep(std::time::Duration::from_millis(pause));
            }
            renamed => return renamed,
        }
    }
    fs::rename(from, to).map_err(|error| {
        if is_open(&error) {
            let message = format!("{error}; it may be open in another program");
            io::Error::new(error.kind(), message)
        } else {
            error
        }
    })
}

/// Writes a new file; an existing one is left alone.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut file = File::create_new(path).map_err(FileError::create(path))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // An incomplete file is removed; if that fails, the first error is reported.
        let _ = fs::remove_file(path);
        FileError::write(path)(error)
    })
}

/// The files written by one run of the program: it may overwrite these, and no others.
#[derive(Debug, Default)]
pub struct OwnFiles(HashSet<PathBuf>);

impl OwnFiles {
    pub fn write(&mut self, path: &Path, text: &str) -> Result<(), FileError> {
        if self.0.contains(path) {
            return replace(path, text.as_bytes());
        }
        create(path, text.as_bytes())?;
        self.0.insert(path.to_path_buf());
        Ok(())
    }
}

/// Fails if an output is one of the inputs, under whatever name.
pub fn check_output<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), FileError> {
    let is_output = |input: &&PathBuf| same_file::is_same_file(input, output).unwrap_or(false);
    if inputs.into_iter().any(|input| is_output(&input)) {
        return Err(FileError::IsInput {
            path: output.to_path_buf(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_common::TempDir;

    #[test]
    fn a_file_is_read_up_to_its_greatest_size() {
        let folder = TempDir::new("read");
        let file = folder.write("file", "12345678");
        let file = Path::new(&file);
        assert_eq!(read(file, 8).expect("a file"), b"12345678");
        assert!(matches!(read(file, 7), Err(FileError::TooLarge { .. })));
        let missing = read(&folder.directory().join("none"), 7);
        assert!(matches!(missing, Err(FileError::Read { .. })));
        let folder = open(folder.directory());
        assert!(matches!(folder, Err(FileError::NotAFile { .. })));
    }

    #[test]
    fn unfinished_files_are_new() {
        let folder = TempDir::new("unfinished");
        let target = folder.directory().join("file");
        let names: HashSet<PathBuf> = (0..4)
            .map(|_| create_unfinished(&target).expect("created").0)
            .collect();
        assert_eq!(names.len(), 4);
    }

    #[test]
    fn what_a_killed_writer_has_left_is_removed_by_the_next() {
        let folder = TempDir::new("abandoned");
        let target = folder.directory().join("file");
        let (living, file) = create_unfinished(&target).expect("created");
        let others = [
            "file.1",
            "file.x.new",
            "file.new",
            "other.1.new",
            "file.9.new.pgn",
        ];
        let names: Vec<String> = others.map(|name| folder.write(name, "")).into();
        let abandoned = folder.write("file.4294967295.new", "half of");
        replace(&target, b"whole").expect("written");
        assert!(!Path::new(&abandoned).exists());
        assert!(living.exists());
        assert!(names.iter().all(|name| Path::new(name).exists()));
        drop(file);
        replace(&target, b"whole").expect("written");
        assert!(!living.exists());
    }

    #[test]
    fn a_replaced_file_leaves_nothing_beside_it() {
        let folder = TempDir::new("replace");
        let file = folder.path("file");
        for text in ["one", "two"] {
            replace(Path::new(&file), text.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&file).expect("the file"), text);
        }
        let directory = folder.path("directory");
        fs::create_dir(&directory).expect("a directory");
        let refused = replace(Path::new(&directory), b"three");
        assert!(matches!(refused, Err(FileError::NotAFile { .. })));
        let exists = create(Path::new(&file), b"four");
        assert!(matches!(exists, Err(FileError::Exists { .. })));
        assert_eq!(folder.names().len(), 2);
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_not_replaced() {
        let folder = TempDir::new("create");
        let file = folder.directory().join("file");
        let write = |mut file: &fs::File| std::io::Write::write_all(&mut file, b"new");
        create_with(&file, write).expect("written");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "new");
        let late = folder.directory().join("late");
        let refused = create_with(&late, |file| {
            fs::write(&late, "another's")?;
            write(file)
        });
        assert!(matches!(refused, Err(FileError::Exists { .. })));
        assert_eq!(fs::read_to_string(&late).expect("the file"), "another's");
        assert_eq!(folder.names().len(), 2);
    }

    #[test]
    fn an_output_is_not_an_input_under_another_name() {
        let folder = TempDir::new("output");
        let inputs = ["one", "two"].map(|name| folder.write(name, name).into());
        let output = folder.directory().join("out");
        assert!(check_output(&output, &inputs).is_ok());
        fs::hard_link(&inputs[1], &output).expect("a link");
        let refused = check_output(&output, &inputs);
        assert!(matches!(refused, Err(FileError::IsInput { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let folder = TempDir::new("permissions");
        let file = folder.write("file", "one");
        let mode = |found: Metadata| found.permissions().mode() & 0o777;
        for expected in [0o600, 0o664] {
            fs::set_permissions(&file, fs::Permissions::from_mode(expected)).expect("a file");
            replace_with(Path::new(&file), |new| {
                assert_eq!(mode(new.metadata()?), expected);
                Ok(())
            })
            .expect("written");
            assert_eq!(mode(fs::metadata(&file).expect("the file")), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_without_waiting() {
        let folder = TempDir::new("pipe");
        let pipe = folder.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let refused = open(Path::new(&pipe));
        assert!(matches!(refused, Err(FileError::NotAFile { .. })));
        for options in [
            fs::OpenOptions::new().read(true),
            fs::OpenOptions::new().write(true),
        ] {
            assert!(open_beside(options, Path::new(&pipe)).is_err());
        }
    }

    #[cfg(windows)]
    #[test]
    fn an_open_file_is_replaced_once_it_is_closed() {
        use std::os::windows::fs::OpenOptionsExt;

        let folder = TempDir::new("open");
        let file = folder.write("file", "one");
        let mut alone = fs::OpenOptions::new();
        let other = alone.read(true).share_mode(0).open(&file).expect("a file");
        let refused = replace(Path::new(&file), b"two").expect_err("it is open");
        let message = refused.to_string();
        assert!(message.contains("open in another program"), "{message}");
        drop(other);
        assert_eq!(fs::read_to_string(&file).expect("the file"), "one");
        replace(Path::new(&file), b"two").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "two");
        assert_eq!(folder.names().len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_devices_too() {
        use std::os::unix::fs::symlink;

        let folder = TempDir::new("links");
        let file = folder.write("file", "one");
        let (link, device) = (folder.path("link"), folder.path("device"));
        symlink(&file, &link).expect("a link");
        symlink("/dev/null", &device).expect("a link");
        replace(Path::new(&link), b"two").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "two");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        let refused = replace(Path::new(&device), b"two");
        assert!(matches!(refused, Err(FileError::NotAFile { .. })));
        let refused = read(Path::new(&device), 1);
        assert!(matches!(refused, Err(FileError::NotAFile { .. })));
        let refused = open_beside(fs::OpenOptions::new().write(true), Path::new(&link));
        assert!(matches!(refused, Err(FileError::Write { .. })));
        assert_eq!(folder.names().len(), 3);
    }
}
