//! The quality of the user's play over their annotated games: in time, and by phase, color and
//! opening.

use std::collections::BTreeMap;

use formats::notation;
use formats::pgn::{Nag, Record};
use movegen::{Color, Position, Role};
use serde::Serialize;

use crate::Side;
use crate::annotation::{Evaluation, Heading, Loss};
use crate::library::GameId;

/// The plies of the opening.
const OPENING_PLIES: usize = 20;
/// The most pieces besides kings and pawns in an endgame.
const ENDGAME_PIECES: u32 = 6;
/// The most openings with a group of their own.
const MAX_OPENINGS: usize = 6;

/// The dimensions by which moves are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    Phase,
    Color,
    Opening,
}

/// An annotated game of the user.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudiedGame {
    pub id: GameId,
    pub heading: Heading,
    pub side: Side,
    /// In percent.
    pub accuracy: f64,
    pub mistakes: u32,
    pub blunders: u32,
}

/// A mistake or blunder of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StudiedMistake {
    /// The index of its game.
    pub game: usize,
    /// The number of moves before it.
    pub ply: usize,
    /// The move with its number and symbol: `12... Nf6??`.
    pub text: String,
    /// The names of its groups.
    pub groups: Vec<String>,
}

/// The user's moves in a phase, with a color or in an opening.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    pub aspect: Aspect,
    pub name: String,
    pub games: usize,
    /// The average of the moves' accuracies, in percent.
    pub accuracy: f64,
    /// The difference from the average of all moves, in percentage points.
    pub difference: f64,
    /// Half of the 95 % confidence interval of the accuracy, from its spread over the games;
    /// `None` for one game.
    pub margin: Option<f64>,
    /// For each game.
    pub mistakes: f64,
    pub blunders: f64,
}

/// The standard deviations of a normal distribution in which 95 % lie.
const CONFIDENCE: f64 = 1.96;

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Progress {
    /// The earliest first.
    pub games: Vec<StudiedGame>,
    pub mistakes: Vec<StudiedMistake>,
    pub groups: Vec<Group>,
}

/// A move of the user in an annotated game.
#[derive(Debug)]
struct StudiedMove {
    ply: usize,
    text: String,
    groups: Vec<(Aspect, String)>,
    accuracy: f64,
    assessment: Option<Nag>,
}

/// Adds games to the progress that they show.
#[derive(Debug, Default)]
pub struct Study {
    games: BTreeMap<GameId, (StudiedGame, Vec<StudiedMove>)>,
}

#[derive(Debug, Default)]
struct Sums {
    /// The number of moves of each game, and the sum of their accuracies.
    games: BTreeMap<usize, (u32, f64)>,
    mistakes: u32,
    blunders: u32,
}

impl Study {
    /// Adds or replaces a game in which the user played a side, if it is annotated.
    pub fn add(&mut self, id: &GameId, record: &Record, side: Color) {
        let moves = moves(record, side);
        let own_plies = record.moves().len() / 2;
        if moves.is_empty() || 2 * moves.len() < own_plies {
            return;
        }
        let average = moves.iter().map(|mv| mv.accuracy).sum::<f64>() / moves.len() as f64;
        let tag = record.tags.get(&format!("{side}Accuracy"));
        let count = |nag| moves.iter().filter(|mv| mv.assessment == Some(nag)).count() as u32;
        let game = StudiedGame {
            id: id.clone(),
            heading: Heading::new(record),
            side: match side {
                Color::White => Side::White,
                Color::Black => Side::Black,
            },
            accuracy: tag
                .and_then(|text| text.parse().ok())
                .filter(|percent| (0.0..=100.0).contains(percent))
                .unwrap_or(average),
            mistakes: count(Nag::MISTAKE),
            blunders: count(Nag::BLUNDER),
        };
        self.games.insert(id.clone(), (game, moves));
    }

    pub fn progress(&self) -> Progress {
        let mut games: Vec<&(StudiedGame, Vec<StudiedMove>)> = self.games.values().collect();
        games.sort_by_key(|(game, _)| played_on(game));
        let mut sums: BTreeMap<&(Aspect, String), Sums> = BTreeMap::new();
        let mut mistakes = Vec::new();
        for (index, (_, moves)) in games.iter().enumerate() {
            for mv in moves {
                for group in &mv.groups {
                    let sum = sums.entry(group).or_default();
                    let (count, accuracy) = sum.games.entry(index).or_default();
                    *count += 1;
                    *accuracy += mv.accuracy;
                    sum.mistakes += u32::from(mv.assessment == Some(Nag::MISTAKE));
                    sum.blunders += u32::from(mv.assessment == Some(Nag::BLUNDER));
                }
                if matches!(mv.assessment, Some(Nag::MISTAKE | Nag::BLUNDER)) {
                    mistakes.push(StudiedMistake {
                        game: index,
                        ply: mv.ply,
                        text: mv.text.clone(),
                        groups: mv.groups.iter().map(|(_, name)| name.clone()).collect(),
                    });
                }
            }
        }
        let all = games.iter().flat_map(|(_, moves)| moves);
        let average = average(all.map(|mv| mv.accuracy));
        let groups = sums
            .into_iter()
            .map(|(key, sums)| Group::new(key, &sums, average));
        let mut groups: Vec<Group> = groups.collect();
        groups.sort_by_key(|group| (group.aspect, usize::MAX - group.games));
        let mut openings = 0;
        groups.retain(|group| {
            openings += usize::from(group.aspect == Aspect::Opening);
            group.aspect != Aspect::Opening || openings <= MAX_OPENINGS
        });
        Progress {
            games: games.into_iter().map(|(game, _)| game.clone()).collect(),
            mistakes,
            groups,
        }
    }
}

impl Group {
    fn new((aspect, name): &(Aspect, String), sums: &Sums, overall: f64) -> Self {
        let games = sums.games.len();
        let per_game = |count: u32| f64::from(count) / games.max(1) as f64;
        let moves: u32 = sums.games.values().map(|(count, _)| count).sum();
        let total: f64 = sums.games.values().map(|(_, accuracy)| accuracy).sum();
        let accuracy = total / f64::from(moves.max(1));
        let averages = sums.games.values();
        Self {
            aspect: *aspect,
            name: name.clone(),
            games,
            accuracy,
            difference: accuracy - overall,
            margin: margin(averages.map(|(count, sum)| sum / f64::from(*count))),
            mistakes: per_game(sums.mistakes),
            blunders: per_game(sums.blunders),
        }
    }
}

fn average(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Half of the confidence interval of the average of some values; `None` if there are too few.
fn margin(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = values.clone().count() as f64;
    let mean = average(values.clone());
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    (count > 1.0).then(|| CONFIDENCE * (squares / (count - 1.0) / count).sqrt())
}

/// The loss of each move of a side, by ply, where the positions before and after it are evaluated.
pub(crate) fn losses(record: &Record, side: Color) -> Vec<Option<Loss>> {
    let mut before = record.main_line.comment.eval;
    let mut position = record.start;
    let moves = record.main_line.moves.iter();
    let losses = moves.map_while(|node| {
        let mv = node.mv?;
        let eval = before.filter(|_| position.side_to_move() == side);
        position = position.play_unchecked(mv);
        before = node.comment.eval;
        let is_mate = position.in_check() && !position.has_moves();
        let eval = eval.filter(|_| before.is_some() || is_mate);
        Some(eval.map(|eval| {
            let [one, other] = [Some(eval), before].map(|eval| Evaluation {
                eval,
                expectation: if side == Color::White { 1.0 } else { 0.0 },
                line: Vec::new(),
            });
            Loss::new(side, mv, &one, &other)
        }))
    });
    losses.collect()
}

/// The moves of a side whose positions are evaluated before and after them.
fn moves(record: &Record, side: Color) -> Vec<StudiedMove> {
    let heading = Heading::new(record);
    let moves = notation::legal_moves(&record.start, record.moves());
    let moves = moves.zip(&record.main_line.moves).enumerate();
    let studied = moves.zip(losses(record, side));
    let studied = studied.filter_map(|((ply, ((position, mv), node)), loss)| {
        let assessment = node
            .nags
            .iter()
            .find(|nag| nag.is_move_assessment())
            .copied();
        let (number, san) = (notation::move_number(&position), position.san(mv));
        let mark = assessment.map_or("", Nag::symbol);
        Some(StudiedMove {
            ply,
            text: format!("{number} {san}{mark}"),
            groups: groups(&heading, &position, ply),
            accuracy: loss?.accuracy,
            assessment,
        })
    });
    studied.collect()
}

/// The groups of a move by the side to move: its phase, color and opening.
pub(crate) fn groups(heading: &Heading, position: &Position, ply: usize) -> Vec<(Aspect, String)> {
    let mut groups = vec![
        (Aspect::Phase, phase(position, ply).to_owned()),
        (Aspect::Color, position.side_to_move().to_string()),
    ];
    groups.extend(opening(heading).map(|name| (Aspect::Opening, name.to_owned())));
    groups
}

fn phase(position: &Position, ply: usize) -> &'static str {
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let pieces: u32 = roles
        .map(|role| position.by_role(role).count())
        .iter()
        .sum();
    if pieces <= ENDGAME_PIECES {
        "Endgame"
    } else if ply < OPENING_PLIES {
        "Opening"
    } else {
        "Middlegame"
    }
}

/// The name of the opening without its variations.
fn opening(heading: &Heading) -> Option<&str> {
    let name = heading.opening.split([':', ',']).next()?.trim();
    (!name.is_empty()).then_some(name)
}

/// The date of a game, unknown parts as 0, or that of its entry in the library.
fn played_on(game: &StudiedGame) -> String {
    let date = &game.heading.sortable_date;
    let parts = date.split(['.', '-', '/']);
    let mut parts = parts.map(|part| part.parse::<u32>().unwrap_or(0));
    match [(); 3].map(|()| parts.next().unwrap_or(0)) {
        [year @ 1000..=9999, month, day] => format!("{year}{month:02}{day:02}"),
        _ => game.id.to_string().chars().take(8).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use formats::pgn::Games;
    use movegen::Color;

    use super::{Aspect, Study};
    use crate::library::GameId;

    fn study(games: &[(&str, Color)]) -> Study {
        let mut study = Study::default();
        for (number, (pgn, side)) in games.iter().enumerate() {
            let id = GameId::try_from(format!("2026111{number}-120000000-0")).expect("valid");
            let mut records = Games::new(Cursor::new(*pgn), None);
            let record = records.next_game().expect("read").expect("one");
            study.add(&id, &record.expect("valid"), *side);
        }
        study
    }

    /// 2... f6 loses 150 centipawns: Win% falls from 50 to 36.53, for which lichess's formula gives
    /// 54.2 %; 1. Rd4 loses from 97.54 to 50, for which it gives 9.9 %.
    const PHILIDOR: &str = "[Date \"2026.11.20\"]\n\n1. e4 {[%eval 0.0]} e5 {[%eval 0.0]} \
                            2. Nf3 {[%eval 0.0]} f6 $2 {[%eval 1.5]} 3. Nxe5 {[%eval 1.5]} 1-0";
    const ENDGAME: &str = "[FEN \"8/8/8/4k3/7R/8/8/4K3 w - - 0 1\"]\n[WhiteAccuracy \"12.5\"]\n\n\
                           {[%eval #20]} 1. Rd4 $4 {[%eval 0.0]} Kxd4 {[%eval 0.0]} 2. Kd2 {[%eval 0.0]} 1/2-1/2";

    /// Those whose date is not known by the day of their entry.
    #[test]
    fn games_are_in_the_order_of_their_dates() {
        let dates = ["????.??.??", "2020.05.01", "1998.??.??", "2020.5.2"];
        let moves = "1. e4 {[%eval 0.0]} e5 {[%eval 0.0]} 1-0";
        let games = dates.map(|date| format!("[Date \"{date}\"]\n\n{moves}"));
        let games = games.each_ref().map(|pgn| (pgn.as_str(), Color::Black));
        let sorted = study(&games).progress().games;
        let found: Vec<String> = sorted.iter().map(|game| game.id.to_string()).collect();
        let expected = [2, 1, 3, 0].map(|number| format!("2026111{number}-120000000-0"));
        assert_eq!(found, expected);
    }

    #[test]
    fn play_is_summed_up_by_phase_color_and_opening() {
        let study = study(&[
            (PHILIDOR, Color::Black),
            (ENDGAME, Color::White),
            ("1. d4 d5 2. c4 e6 1-0", Color::White),
        ]);
        let progress = study.progress();
        // By their dates: the endgame has only that of its entry. One is not annotated.
        let games: Vec<(f64, u32, u32)> = progress
            .games
            .iter()
            .map(|game| (game.accuracy.round(), game.mistakes, game.blunders))
            .collect();
        assert_eq!(games, [(13.0, 0, 1), (77.0, 1, 0)]);
        let groups: Vec<(Aspect, &str, f64, f64, f64)> = progress
            .groups
            .iter()
            .map(|group| {
                let accuracy = group.accuracy.round();
                (
                    group.aspect,
                    group.name.as_str(),
                    accuracy,
                    group.mistakes,
                    group.blunders,
                )
            })
            .collect();
        assert_eq!(
            groups,
            [
                (Aspect::Phase, "Endgame", 55.0, 0.0, 1.0),
                (Aspect::Phase, "Opening", 77.0, 1.0, 0.0),
                (Aspect::Color, "Black", 77.0, 1.0, 0.0),
                (Aspect::Color, "White", 55.0, 0.0, 1.0),
                (Aspect::Opening, "King's Pawn Game", 77.0, 1.0, 0.0),
            ]
        );
        // Of the four moves, with 100, 54.2, 9.9 and 100 %, the average is 66.0 %.
        let differences = progress.groups.iter().map(|group| group.difference.round());
        assert_eq!(
            differences.collect::<Vec<f64>>(),
            [-11.0, 11.0, 11.0, -11.0, 11.0]
        );
        assert!(progress.groups.iter().all(|group| group.margin.is_none()));
        let mistakes: Vec<(usize, usize, &str, String)> = progress
            .mistakes
            .iter()
            .map(|mistake| {
                let groups = mistake.groups.join(", ");
                (mistake.game, mistake.ply, mistake.text.as_str(), groups)
            })
            .collect();
        assert_eq!(
            mistakes,
            [
                (0, 0, "1. Rd4??", "Endgame, White".to_owned()),
                (
                    1,
                    3,
                    "2... f6?",
                    "Opening, Black, King's Pawn Game".to_owned()
                ),
            ]
        );
    }

    /// Values 80, 90 and 100 have the standard deviation 10, and 1.96 · 10 / √3 is 11.316.
    #[test]
    fn the_margin_follows_from_the_spread() {
        let values = [80.0, 90.0, 100.0];
        let found = super::margin(values.into_iter()).expect("three values");
        assert!((found - 11.316).abs() < 0.001, "{found}");
        assert_eq!(super::margin([80.0].into_iter()), None);
    }
}
