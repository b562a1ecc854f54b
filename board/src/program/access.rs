//! Access to the server, for requests that name this host, come from this page, and know its token.
//!
//! The token is kept in a file that only the user can read, so that a page still has access after
//! the server was started again.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use common::files::{self, FileError};
use game::game_file::state_dir;
use thiserror::Error;

const TOKEN_FILE: &str = "board-token";
const TOKEN_BYTES: usize = 16;

#[derive(Debug, Error)]
pub(crate) enum AccessError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the system has no random numbers: {0}")]
    Random(#[from] getrandom::Error),
}

/// The reason a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Refused {
    #[error("invalid Host header: expected 127.0.0.1 or localhost with the port of this server")]
    Host,
    #[error("invalid Origin header: only the page of this server may connect")]
    Origin,
    #[error("wrong or missing token: open the address that castellan-board has printed")]
    Token,
}

#[derive(Debug, Clone)]
pub(crate) struct Access {
    token: String,
    /// The values of `Host` under which this server is known.
    hosts: Vec<String>,
    /// A page with the token has connected.
    is_known: Arc<AtomicBool>,
    /// The token of the page that leads to the server's, which is valid once.
    one_time: Arc<Mutex<Option<String>>>,
}

impl Access {
    fn new(token: String) -> Self {
        Self {
            token,
            hosts: Vec::new(),
            is_known: Arc::default(),
            one_time: Arc::default(),
        }
    }

    /// With the token of the last start, or a new one.
    pub(crate) fn load_or_create() -> Result<Self, AccessError> {
        match state_dir() {
            Ok(directory) if fs::create_dir_all(&directory).is_ok() => {
                Self::at(&directory.join(TOKEN_FILE))
            }
            // Nowhere to keep it.
            _ => Ok(Self::new(new_token()?)),
        }
    }

    fn at(path: &Path) -> Result<Self, AccessError> {
        if let Some(token) = kept_token(path) {
            return Ok(Self::new(token));
        }
        let token = new_token()?;
        write_private(path, &token).map_err(FileError::write(path))?;
        Ok(Self::new(token))
    }

    /// Writes a page that leads to the page of the server: a command line with a token could be
    /// read by every user of the machine, this file only by its owner. It is not in a hidden
    /// folder, which browsers installed as snaps cannot read, and replaces no file. Its token is
    /// valid once, and as long as the page is there.
    pub(crate) fn write_redirect(&self) -> Result<RedirectPage, AccessError> {
        let directory = env::home_dir().filter(|home| home.is_dir());
        self.write_redirect_in(&directory.unwrap_or_else(env::temp_dir))
    }

    fn write_redirect_in(&self, directory: &Path) -> Result<RedirectPage, AccessError> {
        let path = directory.join(format!("castellan-board-{}.html", new_token()?));
        let token = new_token()?;
        let address = format!("{}/?once={token}", self.origin());
        let page = format!(
            "<!doctype html><meta charset=\"utf-8\"><title>Castellan Board</title>\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\">\
             <a href=\"{address}\">Castellan Board</a>\n"
        );
        create_private(&path, &page).map_err(FileError::write(&path))?;
        *lock(&self.one_time) = Some(token);
        Ok(RedirectPage {
            path,
            one_time: Arc::clone(&self.one_time),
        })
    }

    /// The address of the page, for the token that is valid once.
    pub(crate) fn redeem(&self, token: &str) -> Result<String, Refused> {
        let valid = lock(&self.one_time).take_if(|valid| *valid == token);
        valid.map(|_| self.address()).ok_or(Refused::Token)
    }

    /// True once a page with the token has connected.
    pub(crate) fn is_known(&self) -> bool {
        self.is_known.load(Ordering::Relaxed)
    }

    /// The server listens on this port.
    pub(crate) fn set_port(&mut self, port: u16) {
        self.hosts = ["127.0.0.1", "localhost"]
            .map(|host| format!("{host}:{port}"))
            .to_vec();
    }

    fn origin(&self) -> String {
        let host = self.hosts.first().map_or("", String::as_str);
        format!("http://{host}")
    }

    /// The address of the page.
    pub(crate) fn address(&self) -> String {
        format!("{}/?token={}", self.origin(), self.token)
    }

    /// The sources of the page's WebSocket, for its content security policy.
    pub(crate) fn sockets(&self) -> String {
        let sockets: Vec<_> = self
            .hosts
            .iter()
            .map(|host| format!("ws://{host}"))
            .collect();
        sockets.join(" ")
    }

    /// Another name for this address would let a foreign page reach it (DNS rebinding).
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let host = header(headers, &HOST).ok_or(Refused::Host)?;
        let is_known = |known: &String| known.eq_ignore_ascii_case(host);
        if self.hosts.iter().any(is_known) {
            Ok(())
        } else {
            Err(Refused::Host)
        }
    }

    /// A WebSocket of a foreign page is not stopped by the browser.
    pub(crate) fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let origin = header(headers, &ORIGIN).ok_or(Refused::Origin)?;
        let host = origin.strip_prefix("http://").ok_or(Refused::Origin)?;
        if header(headers, &HOST).is_some_and(|own| own.eq_ignore_ascii_case(host)) {
            Ok(())
        } else {
            Err(Refused::Origin)
        }
    }

    pub(crate) fn check_token(&self, token: Option<&str>) -> Result<(), Refused> {
        if token == Some(self.token.as_str()) {
            self.is_known.store(true, Ordering::Relaxed);
            Ok(())
        } else {
            Err(Refused::Token)
        }
    }
}

/// A page that leads to that of the server, at the latest until it is dropped.
#[derive(Debug)]
pub(crate) struct RedirectPage {
    path: PathBuf,
    one_time: Arc<Mutex<Option<String>>>,
}

impl RedirectPage {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn remove(&self) {
        *lock(&self.one_time) = None;
        // It may be gone already.
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for RedirectPage {
    fn drop(&mut self) {
        self.remove();
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The token in a file; `None` if the file is not a token that only its owner can read.
fn kept_token(path: &Path) -> Option<String> {
    let file = files::open_beside(OpenOptions::new().read(true), path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        const OTHERS: u32 = 0o077;
        if file.metadata().ok()?.permissions().mode() & OTHERS != 0 {
            return None;
        }
    }
    let mut text = String::new();
    let longest = 2 * TOKEN_BYTES as u64 + 1;
    file.take(longest).read_to_string(&mut text).ok()?;
    is_token(&text).then_some(text)
}

fn header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn is_token(text: &str) -> bool {
    text.len() == 2 * TOKEN_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Replaces a file by one that only the user can read. Windows files have no mode: there the
/// directory, in the user's profile, is closed to other users.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_private(path, text)
}

fn create_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Access, Refused};
    use axum::http::{HeaderMap, HeaderName, HeaderValue};
    use std::fs;
    use test_common::TempDir;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
    }

    #[test]
    fn only_this_host_and_page() {
        let mut access = Access::new("0123".to_owned());
        access.set_port(8640);
        let host = ("host", "127.0.0.1:8640");
        assert_eq!(access.check_host(&headers(&[host])), Ok(()));
        assert_eq!(
            access.check_host(&headers(&[("host", "LOCALHOST:8640")])),
            Ok(())
        );
        for wrong in ["evil.example:8640", "127.0.0.1", "127.0.0.1:8641", ""] {
            assert_eq!(
                access.check_host(&headers(&[("host", wrong)])),
                Err(Refused::Host)
            );
        }
        assert_eq!(access.check_host(&headers(&[])), Err(Refused::Host));

        let from = |origin| access.check_origin(&headers(&[host, ("origin", origin)]));
        assert_eq!(from("http://127.0.0.1:8640"), Ok(()));
        for wrong in [
            "http://evil.example",
            "https://127.0.0.1:8640",
            "null",
            "http://127.0.0.1:1",
        ] {
            assert_eq!(from(wrong), Err(Refused::Origin), "{wrong}");
        }
        assert_eq!(access.check_origin(&headers(&[host])), Err(Refused::Origin));
    }

    #[test]
    fn a_redirect_is_a_new_file_of_the_user_until_it_is_removed() {
        let folder = TempDir::new("redirect");
        let mut access = Access::new("0123".to_owned());
        access.set_port(8640);
        let [one, other] = [(); 2].map(|()| access.write_redirect_in(folder.directory()));
        let (one, other) = (one.expect("written"), other.expect("written"));
        assert_ne!(one.path(), other.path());
        let page = fs::read_to_string(other.path()).expect("the page");
        let (_, rest) = page
            .split_once("url=http://127.0.0.1:8640/?once=")
            .expect("an address");
        let once = rest.get(..32).expect("a token");
        assert!(!page.contains("0123\"") && access.redeem("0123").is_err());
        let address = access.redeem(once);
        assert_eq!(address.as_deref(), Ok("http://127.0.0.1:8640/?token=0123"));
        assert!(access.redeem(once).is_err());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(one.path()).expect("the file").permissions();
            assert_eq!(mode.mode() & 0o777, 0o600);
        }
        one.remove();
        assert!(!one.path().exists() && other.path().exists());

        assert!(access.check_token(Some("0124")).is_err() && !access.is_known());
        assert!(access.check_token(Some("0123")).is_ok() && access.is_known());
    }

    #[test]
    fn a_token_is_kept_and_a_damaged_one_replaced() {
        let folder = TempDir::new("token");
        let path = folder.directory().join("token");
        let first = Access::at(&path).expect("a new token").token;
        assert_eq!(Access::at(&path).expect("the same token").token, first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&path).expect("the file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            let readable = fs::Permissions::from_mode(0o644);
            fs::set_permissions(&path, readable).expect("the file");
            let new = Access::at(&path).expect("another token").token;
            assert_ne!(new, first, "others may have read it");
        }
        for damaged in [&b"short"[..], &[0xff; 32]] {
            fs::write(&path, damaged).expect("written");
            let new = Access::at(&path).expect("another token").token;
            assert!(new.len() == 32 && new != first);
        }
    }
}
