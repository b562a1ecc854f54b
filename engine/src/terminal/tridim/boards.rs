//! Boards as text: side by side with aligned ranks, and the state of castling.

use tridim::{Board, CastlingKind, CastlingStatus, Color, Piece, Position, SquareSet, file_letter};

const HIGHEST_RANK: u8 = 9;
const GAP: &str = "  ";
/// The columns of the rank numbers.
const MARGIN: usize = 3;

/// The style of drawn boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoardStyle {
    /// The side at the bottom.
    pub(super) bottom: Color,
    /// The columns of the terminal, if there is one.
    pub(super) columns: Option<usize>,
}

impl BoardStyle {
    /// Draws the boards, as many side by side as fit; marked squares are in brackets.
    pub(super) fn lines(self, position: &Position, marked: SquareSet) -> Vec<String> {
        let mut boards: Vec<Board> = position.placement().boards().collect();
        if self.bottom == Color::Black {
            boards.reverse();
        }
        let columns = self.columns.unwrap_or(usize::MAX);
        let mut rows: Vec<Vec<Board>> = Vec::new();
        let mut used = 0;
        for board in boards {
            used += GAP.len() + width(board);
            match rows.last_mut() {
                Some(row) if MARGIN + used <= columns => row.push(board),
                _ => {
                    rows.push(vec![board]);
                    used = width(board);
                }
            }
        }
        let in_parts = rows.len() > 1;
        rows.into_iter()
            .flat_map(|row| self.row(position, &row, marked, in_parts))
            .collect()
    }

    /// Draws some boards side by side. Ranks that none of them has are left out if there are others.
    fn row(
        self,
        position: &Position,
        boards: &[Board],
        marked: SquareSet,
        in_parts: bool,
    ) -> Vec<String> {
        let mut ranks: Vec<u8> = (0..=HIGHEST_RANK).rev().collect();
        if self.bottom == Color::Black {
            ranks.reverse();
        }
        let has = |rank: u8| boards.iter().any(|&board| has_rank(board, rank));
        let across = |number: &str, cell: &dyn Fn(Board) -> String| {
            let cells: Vec<String> = boards.iter().map(|&board| cell(board)).collect();
            let line = format!("{number:>2} {}", cells.join(GAP));
            line.trim_end().to_owned()
        };
        let mut lines = vec![across("", &|board| title(position, board))];
        for rank in ranks.into_iter().filter(|&rank| !in_parts || has(rank)) {
            let number = rank.to_string();
            lines.push(across(&number, &|board| {
                rank_of(position, board, rank, marked, self.bottom)
            }));
        }
        lines.push(across("", &|board| files(board, self.bottom)));
        lines
    }
}

fn has_rank(board: Board, rank: u8) -> bool {
    (board.lowest_rank()..board.lowest_rank() + board.width()).contains(&rank)
}

fn width(board: Board) -> usize {
    usize::from(board.width()) * 3
}

/// The name of a board, with its owner for an attack board.
fn title(position: &Position, board: Board) -> String {
    let mut title = board.to_string();
    title.extend(position.placement().board_owner(board).map(Color::letter));
    format!("{title:^0$}", width(board))
}

fn files(board: Board, bottom: Color) -> String {
    let files = board.first_file()..board.first_file() + board.width();
    in_order(files.map(|file| format!(" {} ", file_letter(file))), bottom)
}

/// The cells of a rank from left to right.
fn in_order(cells: impl DoubleEndedIterator<Item = String>, bottom: Color) -> String {
    match bottom {
        Color::White => cells.collect(),
        Color::Black => cells.rev().collect(),
    }
}

/// The board's squares on a rank; blanks where it does not have that rank.
fn rank_of(
    position: &Position,
    board: Board,
    rank: u8,
    marked: SquareSet,
    bottom: Color,
) -> String {
    let squares = SquareSet::of_board(board).into_iter();
    let squares: Vec<_> = squares.filter(|square| square.rank() == rank).collect();
    let cells = squares.into_iter().map(|square| {
        let piece = position.piece_on(square).map_or('.', Piece::letter);
        if marked.has(square) {
            format!("[{piece}]")
        } else {
            format!(" {piece} ")
        }
    });
    let cells = in_order(cells, bottom);
    let width = width(board);
    format!("{cells:width$}")
}

/// The legal castling moves on one line, if any.
pub(super) fn legal_castling(position: &Position) -> Option<String> {
    let kinds = position.castling_options(position.side_to_move());
    let words: Vec<String> = kinds
        .into_iter()
        .map(|kind| format!("{} ({kind})", kind.notation()))
        .collect();
    (!words.is_empty()).then(|| format!("Legal castling: {}", words.join(", ")))
}

/// Each kind of castling: its squares, or why it is not legal.
pub(super) fn castling_status(position: &Position) -> Vec<String> {
    let describe = |kind| CastlingStatus::new(position, kind).to_string();
    CastlingKind::ALL.map(describe).to_vec()
}

/// The squares of every legal castling.
pub(super) fn castling_squares(position: &Position) -> SquareSet {
    CastlingKind::ALL
        .into_iter()
        .filter_map(|kind| position.castle(kind).ok())
        .fold(SquareSet::EMPTY, |set, castling| set | castling.squares())
}
