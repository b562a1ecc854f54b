//! HTTP and WebSockets on the loopback interface.
//!
//! Connections that only wait end: one that has not become a page's, by a time limit, whatever it
//! sends or does not read; a page that does not read, when one more event cannot be sent.

use std::io::{self, ErrorKind};
use std::net::Ipv4Addr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, TrySendError};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use service::Engine;
use thiserror::Error;
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::signal::unix::SignalKind;
use tokio::sync::mpsc as channel;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::access::{Access, Refused};
use super::page::{self, MODULES, STYLE, STYLE_PATH};
use super::warn;
use crate::annotator::Annotator;
use crate::context::Context;
use crate::messages::MAX_REQUEST_BYTES;
use crate::report::Input;
use crate::session::Session;

const DEFAULT_PORT: u16 = 8640;
/// Connections that have not become a page's; more wait until one ends.
const MAX_CONNECTIONS: usize = 512;
/// The time to send a request, and between two of them: short, so that a page waits no longer for
/// clients that send none and connect again.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(1);
/// The time in which a connection may begin requests, and then the time to read the last answer.
/// The files of a page need a second, and a browser connects again for more.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);
/// After a connection that could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Sessions at a time, each with its own hash table.
const MAX_SESSIONS: usize = 8;
/// Requests that wait for a session.
const MAX_WAITING: usize = 256;
/// Events that wait for the page; the session waits when there are more.
const MAX_EVENTS: usize = 64;
/// A page that reads nothing for this long is gone.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug, Error)]
pub(crate) enum ServerError {
    #[error("cannot start the server: {0}")]
    Runtime(io::Error),
    #[error("cannot listen on port {port}: {source}")]
    Listen { port: u16, source: io::Error },
}

#[derive(Debug)]
struct App {
    access: Access,
    engine: Engine,
    annotator: Annotator,
    policy: HeaderValue,
    sessions: Arc<Semaphore>,
}

/// Serves until the program is asked to end; `ready` is called when the page can be opened.
pub(crate) fn run(
    port: Option<u16>,
    mut access: Access,
    engine: Engine,
    annotator: Annotator,
    ready: impl FnOnce(&Access),
) -> Result<(), ServerError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(ServerError::Runtime)?;
    runtime.block_on(async {
        let listener = listen(port).await?;
        let bound = listener.local_addr().map_err(ServerError::Runtime)?;
        access.set_port(bound.port());
        let policy = HeaderValue::try_from(page::policy(&access.sockets()));
        let app = Arc::new(App {
            access,
            engine,
            annotator,
            policy: policy.map_err(|error| ServerError::Runtime(io::Error::other(error)))?,
            sessions: Arc::new(Semaphore::new(MAX_SESSIONS)),
        });
        ready(&app.access);
        let end = async {
            if let Err(error) = asked_to_end().await {
                warn(format_args!("cannot wait for Ctrl-C: {error}"));
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = serve(&listener, router(app)) => {}
            () = end => {}
        }
        Ok(())
    })
}

/// Waits for Ctrl-C, or for the system to end the program.
async fn asked_to_end() -> io::Result<()> {
    #[cfg(unix)]
    let mut terminated = tokio::signal::unix::signal(SignalKind::terminate())?;
    #[cfg(windows)]
    let mut terminated = tokio::signal::windows::ctrl_close()?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminated.recv() => Ok(()),
    }
}

/// Accepts connections until the process ends.
async fn serve(listener: &TcpListener, router: Router) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIMEOUT);
    // Fails only when the semaphore is closed.
    while let Ok(permit) = Arc::clone(&connections).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many files are open, or the client has already disconnected.
            sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            let mut connection = pin!(connection.with_upgrades());
            // Whatever happens to a connection, the others are served.
            if timeout(CONNECTION_TIMEOUT, connection.as_mut())
                .await
                .is_err()
            {
                connection.as_mut().graceful_shutdown();
                let _ = timeout(CONNECTION_TIMEOUT, connection).await;
            }
            drop(permit);
        });
    }
}

async fn listen(port: Option<u16>) -> Result<TcpListener, ServerError> {
    let wanted = port.unwrap_or(DEFAULT_PORT);
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).await;
    let bound = match bound {
        Err(error) if port.is_none() && error.kind() == ErrorKind::AddrInUse => {
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await
        }
        bound => bound,
    };
    bound.map_err(|source| ServerError::Listen {
        port: wanted,
        source,
    })
}

fn router(app: Arc<App>) -> Router {
    let mut router = Router::new()
        .route("/", get(document))
        .route(STYLE_PATH, get(async || content("text/css", STYLE)))
        .route("/socket", get(socket));
    for &(path, script) in MODULES {
        router = router.route(path, get(async move || content("text/javascript", script)));
    }
    router
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// Checks the host of every request and adds the headers of every response.
async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if let Err(refused) = app.access.check_host(request.headers()) {
        return refused.into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, app.policy.clone());
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (StatusCode::FORBIDDEN, format!("{self}\n")).into_response()
    }
}

#[derive(Debug, Deserialize)]
struct Token {
    token: Option<String>,
    once: Option<String>,
}

async fn document(State(app): State<Arc<App>>, Query(query): Query<Token>) -> Response {
    if let Some(once) = query.once {
        return match app.access.redeem(&once) {
            Ok(address) => Redirect::to(&address).into_response(),
            Err(refused) => refused.into_response(),
        };
    }
    match app.access.check_token(query.token.as_deref()) {
        Ok(()) => content("text/html", page::document()),
        Err(refused) => refused.into_response(),
    }
}

fn content(kind: &'static str, body: impl Into<Bytes>) -> Response {
    let kind = format!("{kind}; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], body.into()).into_response()
}

async fn socket(
    State(app): State<Arc<App>>,
    Query(query): Query<Token>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let checked = app
        .access
        .check_origin(&headers)
        .and_then(|()| app.access.check_token(query.token.as_deref()));
    if let Err(refused) = checked {
        return refused.into_response();
    }
    let permit = Arc::clone(&app.sessions).try_acquire_owned().ok();
    upgrade
        .max_message_size(MAX_REQUEST_BYTES)
        .max_frame_size(MAX_REQUEST_BYTES)
        .on_upgrade(async move |socket| match permit {
            Some(permit) => {
                let engine = app.engine.another();
                converse(socket, engine, app.annotator.clone(), permit).await;
            }
            None => close(socket, "too many pages are open: close one of them").await,
        })
}

/// Connects a page with its session until either ends.
async fn converse(
    mut socket: WebSocket,
    engine: Engine,
    annotator: Annotator,
    permit: OwnedSemaphorePermit,
) {
    let (inputs, session_inputs) = mpsc::channel();
    let (requests, session_requests) = mpsc::sync_channel(MAX_WAITING);
    let (session_events, mut events) = channel::channel(MAX_EVENTS);
    let session_sender = inputs.clone();
    let session = thread::Builder::new()
        .name("session".to_owned())
        .spawn(move || {
            let send = move |event| session_events.blocking_send(event).is_ok();
            let context = Context::new(engine, annotator, session_sender, Box::new(send));
            serve_session(Session::new(context), &session_inputs, &session_requests);
            drop(permit);
        });
    if let Err(error) = session {
        return close(socket, &format!("cannot start a session: {error}")).await;
    }
    let reason = loop {
        tokio::select! {
            event = events.recv() => {
                let Some(text) = event else {
                    break "the session has ended unexpectedly";
                };
                if !is_sent(&mut socket, Message::text(text)).await {
                    break "the page does not answer";
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    match requests.try_send(text.to_string()) {
                        Ok(()) => _ = inputs.send(Input::Request),
                        Err(TrySendError::Full(_)) => break "too many requests",
                        Err(TrySendError::Disconnected(_)) => {
                            break "the session has ended unexpectedly";
                        }
                    }
                }
                // Answers that nobody reads would fill the memory.
                Some(Ok(Message::Ping(data))) => {
                    if !is_sent(&mut socket, Message::Pong(data)).await {
                        break "the page does not answer";
                    }
                }
                Some(Ok(Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => break "expected text",
                Some(Ok(Message::Close(_)) | Err(_)) | None => break "",
            },
        }
    };
    // The session may be waiting to send an event.
    drop(events);
    let _ = inputs.send(Input::Closed);
    close(socket, reason).await;
}

fn serve_session(
    mut session: Session,
    inputs: &mpsc::Receiver<Input>,
    requests: &mpsc::Receiver<String>,
) {
    session.greet();
    while !session.is_over() {
        let wait = session.time_left().unwrap_or(Duration::from_secs(3600));
        match inputs.recv_timeout(wait) {
            Ok(Input::Task(id, report)) => session.handle_task(id, report),
            Ok(Input::Annotator(report)) => session.handle_annotator(report),
            Ok(Input::Request) => {
                if let Ok(text) = requests.try_recv() {
                    session.handle_request(&text);
                }
            }
            Err(RecvTimeoutError::Timeout) => session.time_out(),
            Ok(Input::Closed) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// True if the page has taken a message in time.
async fn is_sent(socket: &mut WebSocket, message: Message) -> bool {
    matches!(
        timeout(WRITE_TIMEOUT, socket.send(message)).await,
        Ok(Ok(()))
    )
}

async fn close(mut socket: WebSocket, reason: &str) {
    let frame = CloseFrame {
        code: close_code::POLICY,
        reason: reason.into(),
    };
    // The page may be gone.
    let _ = is_sent(&mut socket, Message::Close(Some(frame))).await;
}
