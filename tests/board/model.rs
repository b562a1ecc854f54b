//! Three pages of two servers, their annotation in the background, and a terminal, which write one
//! library at random. Everything that any of them was told is kept is there at the end.
//!
//! `CASTELLAN_STEPS` asks for more steps, with as many libraries as they need, and `CASTELLAN_SEED`
//! for others.

use std::env;
use std::fmt::Debug;
use std::str::FromStr;

use formats::pgn::{GameResult, Record, Variation};
use game::library::{Entry, GameKind, Library, record};
use game::profile::Profile;
use movegen::{Game, Move, Position};
use serde_json::{Value, json};
use test_common::{Rng, TempDir};

use crate::claims::{Added, Claim, text, uci};
use crate::harness::{Page, Server};

/// With each library.
const STEPS: u64 = 200;
/// More would seldom have two writers.
const MAX_GAMES: usize = 12;

/// A page and what it shows.
struct Tab {
    server: usize,
    page: Page,
    play: Value,
    analysis: Value,
    position: Value,
    /// The last state of Play.
    claim: Claim,
    /// The moves and words added in Analyze that are not kept yet.
    added: Vec<Added>,
}

impl Tab {
    fn new(server: usize, page: Page) -> Self {
        let mut tab = Self {
            server,
            page,
            play: Value::Null,
            analysis: Value::Null,
            position: Value::Null,
            claim: Claim::default(),
            added: Vec::new(),
        };
        tab.send("play", &json!({"type": "state"}));
        tab.send("analysis", &json!({"type": "new"}));
        tab.events();
        tab
    }

    fn send(&mut self, mode: &str, request: &Value) {
        let message = json!({"mode": mode, "request": request});
        self.page.send(&message.to_string());
    }

    /// Takes the events of the requests so far; returns those that do not show a state.
    fn events(&mut self) -> Vec<Value> {
        // It is answered last.
        let request =
            json!({"type": "inspect", "fen": Position::default().fen(), "chess960": false});
        self.send("castling", &request);
        let mut others = Vec::new();
        loop {
            let mut event = self.page.event().expect("an event");
            let mode = text(&event["mode"]);
            let event = event["event"].take();
            match (mode.as_str(), event["type"].as_str()) {
                ("castling", _) => return others,
                ("play", Some("game")) => self.play = event,
                ("analysis", Some("game")) => self.analysis = event,
                ("analysis", Some("position")) => self.position = event,
                _ => others.push(event),
            }
        }
    }
}

struct Model {
    state: TempDir,
    library: Library,
    servers: Vec<Server>,
    tabs: Vec<Tab>,
    /// The last game of the terminal.
    terminal: (Entry, Claim),
    claims: Vec<Claim>,
    added: Vec<Added>,
    words: usize,
    rng: Rng,
}

impl Model {
    fn new(seed: u64) -> Self {
        let state = TempDir::new("board model");
        let servers = vec![Server::start(&state, 0), Server::start(&state, 0)];
        let tabs = [0, 0, 1].map(|server| Tab::new(server, servers[server].page()));
        Self {
            library: Library::at(state.directory().join("castellan/games")),
            state,
            servers,
            tabs: tabs.into(),
            terminal: (Entry::default(), Claim::default()),
            claims: Vec::new(),
            added: Vec::new(),
            words: 0,
            rng: Rng::new(seed),
        }
    }

    /// The games of the library.
    fn games(&self) -> Vec<(String, Record)> {
        let ids = self.library.games().expect("readable").into_iter();
        let games = ids.map(|id| {
            let (_, pgn) = self.library.find(&id).expect("readable").expect("a game");
            let record = record(&pgn).unwrap_or_else(|| panic!("valid: {pgn}"));
            (id.to_string(), record)
        });
        games.collect()
    }

    /// Some pages do something at the same time; then they hear what has become of it.
    fn step(&mut self) {
        let mut acting = Vec::new();
        for _ in 0..3 {
            let tab = self.rng.below(self.tabs.len());
            if !acting.iter().any(|(other, _)| *other == tab) {
                let action = self.begin(tab);
                acting.push((tab, action));
            }
        }
        if self.rng.below(8) == 0 {
            self.play_in_terminal();
        }
        // What a page has opened may be taken back by another at the same time.
        acting.sort_by_key(|(_, action)| *action != "new");
        for (tab, action) in acting {
            self.end(tab, action);
        }
        for (_, game) in self.games() {
            let moves: Vec<String> = game.moves().map(uci).collect();
            for (node, number) in game.main_line.moves.iter().zip(1..) {
                let evaluation = Added::Evaluation(moves[..number].to_vec());
                if node.comment.eval.is_some() && !self.added.contains(&evaluation) {
                    self.added.push(evaluation);
                }
            }
        }
        if self.rng.below(40) == 0 {
            self.restart();
        }
    }

    /// Sends the requests of an action, and returns its name.
    fn begin(&mut self, tab: usize) -> &'static str {
        let games = self.games();
        let open: Vec<&String> = games
            .iter()
            .filter(|(_, game)| game.result == GameResult::Unknown)
            .map(|(id, _)| id)
            .collect();
        let (rng, tab) = (&mut self.rng, &mut self.tabs[tab]);
        let legal = |view: &Value| view["legal"].as_array().cloned().unwrap_or_default();
        match rng.below(16) {
            0 if games.len() < MAX_GAMES => {
                tab.send("play", &json!({"type": "new", "side": "both"}));
                "new"
            }
            1 | 2 if !open.is_empty() => {
                let id = rng.choose(&open);
                tab.send("play", &json!({"type": "continue", "id": id}));
                "new"
            }
            3..=6 if !legal(&tab.play).is_empty() => {
                let legal = legal(&tab.play);
                let mv = &rng.choose(&legal)["uci"];
                tab.send("play", &json!({"type": "move", "text": mv}));
                "play"
            }
            7 if tab.claim.moves.len() > 1 && tab.claim.result.is_none() => {
                tab.send("play", &json!({"type": "takeback"}));
                "takeback"
            }
            8 if tab.claim.moves.len() > 3 && rng.below(2) == 0 => {
                tab.send("play", &json!({"type": "resign"}));
                "play"
            }
            9 if !games.is_empty() => {
                let (id, _) = rng.choose(&games);
                tab.send("library", &json!({"type": "open", "id": id}));
                "open"
            }
            10 => {
                self.words += 1;
                let word = format!("word{}", self.words);
                let nodes = tab.analysis["nodes"].as_array().expect("nodes");
                let node = rng.choose(nodes);
                let comment = node["comment"].as_str().unwrap_or_default();
                let comment = format!("{comment} {word}");
                let request = json!({"type": "comment", "node": node["id"], "text": comment});
                tab.added.push(Added::Word(word));
                tab.send("analysis", &request);
                "analyze"
            }
            11 => {
                let nodes = tab.analysis["nodes"].as_array().expect("nodes");
                let node = rng.choose(nodes)["id"].clone();
                tab.send("analysis", &json!({"type": "go", "node": node}));
                "analyze"
            }
            12 if !legal(&tab.position).is_empty() => {
                let legal = legal(&tab.position);
                let mv = &rng.choose(&legal)["uci"];
                tab.send("analysis", &json!({"type": "move", "text": mv}));
                "vary"
            }
            13 | 14 => {
                tab.send("analysis", &json!({"type": "keep"}));
                "keep"
            }
            _ => {
                let nodes = rng.choose(&[100, 5_000, 50_000]);
                tab.send("training", &json!({"type": "annotate", "nodes": nodes}));
                let cancels = rng.below(8) == 0;
                if cancels {
                    tab.send("training", &json!({"type": "cancel_annotation"}));
                }
                // The games of the library are looked at when the mode is shown.
                let message = json!({"mode": "show", "request": "training"});
                tab.page.send(&message.to_string());
                "annotate"
            }
        }
    }

    fn end(&mut self, number: usize, action: &str) {
        let tab = &mut self.tabs[number];
        let before = tab.claim.clone();
        let events = tab.events();
        // Nothing that can fail here fails.
        let failed = events.iter().find(|event| {
            let message = event["text"].as_str().unwrap_or_default();
            message.starts_with("Cannot") || message.contains("in use")
        });
        assert_eq!(failed, None, "{action}");
        match action {
            "new" | "play" | "takeback" => {
                if action == "new" && !before.moves.is_empty() {
                    self.claims.push(before.clone());
                }
                tab.claim = Claim::of(&tab.play);
                let claim = tab.claim.clone();
                if action == "takeback" && claim.id == before.id {
                    self.take_back(number, &claim, &before.moves);
                }
            }
            "open" => {
                let opened = events.iter().find(|event| event["type"] == "opened");
                let opened = opened.expect("a game");
                let request =
                    json!({"type": "load_pgn", "text": opened["pgn"], "id": opened["id"]});
                tab.added.clear();
                tab.send("analysis", &request);
                tab.events();
            }
            "vary" => {
                let line = line_to(&tab.analysis, &tab.position);
                tab.added.push(Added::Line(line));
            }
            "keep" => {
                let kept = events.iter().any(|event| event["type"] == "kept");
                assert!(kept, "{events:?}");
                self.added.append(&mut tab.added);
            }
            _ => {}
        }
    }

    /// A page has taken moves of a game back that others have seen or made: they are not claimed
    /// any more.
    fn take_back(&mut self, number: usize, taken: &Claim, before: &[String]) {
        if let Some(removed) = before.get(..=taken.moves.len()) {
            let stays =
                |added: &Added| !matches!(added, Added::Line(line) if line.starts_with(removed));
            self.added.retain(stays);
            for tab in &mut self.tabs {
                tab.added.retain(stays);
            }
        }
        let others = self.tabs.iter_mut().enumerate();
        let others = others.filter(|(other, _)| *other != number);
        let others = others.map(|(_, tab)| &mut tab.claim);
        for claim in others.chain(&mut self.claims) {
            let is_open = claim.id == taken.id && claim.result.is_none();
            if is_open && claim.moves.starts_with(&taken.moves) {
                claim.moves.clone_from(&taken.moves);
            }
        }
    }

    /// Does what `castellan play` does at the end of a game, which may be undone and end in another
    /// way.
    fn play_in_terminal(&mut self) {
        let (mut entry, before) = self.terminal.clone();
        let mut game = Game::new(Position::default());
        if before.moves.is_empty() || self.rng.below(2) == 0 {
            self.claims.push(before);
            entry = Entry::default();
        } else {
            for mv in &before.moves[..before.moves.len() - 1] {
                let mv = game.position().move_from_uci(mv).expect("legal");
                game.push(mv).expect("legal");
            }
        }
        for _ in 0..2 + self.rng.below(4) {
            let legal: Vec<Move> = game.position().legal_moves().iter().copied().collect();
            if legal.is_empty() || game.outcome().is_some() {
                break;
            }
            game.push(*self.rng.choose(&legal)).expect("legal");
        }
        let result = *self.rng.choose(&["1-0", "0-1", "1/2-1/2"]);
        let mut record = Record::new(*game.start());
        record.main_line = Variation::new(game.moves());
        record.result = GameResult::parse(result).expect("a result");
        let kept = self
            .library
            .keep(&mut entry, GameKind::Chess, &record.pgn());
        kept.expect("written");
        let claim = Claim {
            id: Some(entry.id.to_string()),
            moves: game.moves().map(uci).collect(),
            result: Some(result.to_owned()),
        };
        self.terminal = (entry, claim);
    }

    /// A server is killed, and its pages restore what they show with a new one.
    fn restart(&mut self) {
        let number = self.rng.below(self.servers.len());
        self.servers[number] = Server::start(&self.state, 0);
        for tab in self.tabs.iter_mut().filter(|tab| tab.server == number) {
            tab.page = self.servers[number].page();
            let saved = tab.play["saved"].clone();
            tab.send("play", &json!({"type": "restore", "saved": saved}));
            let (game, path) = (&tab.analysis, &tab.position["path"]);
            let request = json!({
                "type": "restore", "pgn": game["pgn"], "path": path, "id": game["id"], "based_on": game["based_on"],
            });
            tab.send("analysis", &request);
            tab.events();
        }
    }

    /// All that was claimed is in the library.
    fn check(mut self) {
        let claims = self.tabs.iter().map(|tab| tab.claim.clone());
        self.claims.extend(claims.chain([self.terminal.1.clone()]));
        drop((self.tabs, self.servers));
        let library = self.library;
        let ids = library.games().expect("readable").into_iter();
        let texts = ids.map(|id| library.find(&id).expect("readable").expect("a game").1);
        let texts: Vec<String> = texts.collect();
        let games: Vec<Record> = texts
            .iter()
            .map(|pgn| record(pgn).expect("valid"))
            .collect();
        let texts = texts.concat();
        all(&self.claims, |claim| claim.is_in(&games), &texts);
        all(&self.added, |added| added.is_in(&games), &texts);
        Profile::read(&library).expect("a profile");
        let is_evaluation = |added: &&Added| matches!(added, Added::Evaluation(_));
        let evaluations = self.added.iter().filter(is_evaluation).count();
        assert!(evaluations > 0 && self.added.len() > evaluations && self.claims.len() > 1);
        let folder = library.folder().expect("a folder");
        drop(library.keep(&mut Entry::default(), GameKind::Chess, "*"));
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy();
            assert!(!name.ends_with(".new"), "{name}");
        }
    }
}

fn all<T: Debug>(claims: &[T], holds: impl Fn(&T) -> bool, games: &str) {
    let lost: Vec<&T> = claims.iter().filter(|claim| !holds(claim)).collect();
    assert!(lost.is_empty(), "lost: {lost:?} of\n{games}");
}

/// The moves that lead to the position shown.
fn line_to(game: &Value, position: &Value) -> Vec<String> {
    let nodes = game["nodes"].as_array().expect("nodes");
    let mut sans = Vec::new();
    let mut next = position["node"].clone();
    while let Some(node) = nodes.iter().find(|node| node["id"] == next) {
        sans.extend(node["san"].as_str());
        next = node["parent"].clone();
    }
    let mut line = Game::new(Position::default());
    for san in sans.into_iter().rev() {
        let mv = line.position().move_from_san(san).expect("legal");
        line.push(mv).expect("legal");
    }
    line.moves().map(uci).collect()
}

fn asked<T: FromStr>(name: &str, otherwise: T) -> T {
    let value = env::var(name).ok().and_then(|value| value.parse().ok());
    value.unwrap_or(otherwise)
}

#[test]
fn what_is_kept_stays() {
    let first: u64 = asked("CASTELLAN_SEED", 1);
    let libraries = asked("CASTELLAN_STEPS", STEPS).div_ceil(STEPS);
    for seed in first..first + libraries {
        println!("CASTELLAN_SEED={seed}");
        let mut model = Model::new(seed);
        for _ in 0..STEPS {
            model.step();
        }
        model.check();
    }
}
