//! Boards as text: side by side with aligned ranks, and the state of castling.

use crate::{Board, CastlingKind, Color, Piece, Position, SquareSet, file_letter};

const HIGHEST_RANK: u8 = 9;
const GAP: &str = "  ";

/// Draws the boards; marked squares are in brackets.
pub(super) fn lines(position: &Position, marked: SquareSet) -> Vec<String> {
    let boards: Vec<Board> = position.placement().boards().collect();
    let across = |number: &str, cell: &dyn Fn(Board) -> String| {
        let cells: Vec<String> = boards.iter().map(|&board| cell(board)).collect();
        let line = format!("{number:>2} {}", cells.join(GAP));
        line.trim_end().to_owned()
    };
    let mut lines = vec![across("", &|board| title(position, board))];
    for rank in (0..=HIGHEST_RANK).rev() {
        let number = rank.to_string();
        lines.push(across(&number, &|board| row(position, board, rank, marked)));
    }
    lines.push(across("", &files));
    lines
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

fn files(board: Board) -> String {
    let files = board.first_file()..board.first_file() + board.width();
    files
        .map(|file| format!(" {} ", file_letter(file)))
        .collect()
}

/// The board's squares on a rank; blanks where it does not have that rank.
fn row(position: &Position, board: Board, rank: u8, marked: SquareSet) -> String {
    let cells: String = SquareSet::of_board(board)
        .into_iter()
        .filter(|square| square.rank() == rank)
        .map(|square| {
            let piece = position.piece_on(square).map_or('.', Piece::letter);
            match marked.has(square) {
                true => format!("[{piece}]"),
                false => format!(" {piece} "),
            }
        })
        .collect();
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
    let describe = |kind: CastlingKind| match position.castle(kind) {
        Ok(castling) => format!(
            "{} ({kind}) is legal: king {}-{}, rook {}-{}",
            kind.notation(),
            castling.king_from,
            castling.king_to,
            castling.rook_from,
            castling.rook_to
        ),
        Err(error) => error.to_string(),
    };
    CastlingKind::ALL.map(describe).to_vec()
}

/// The squares of every legal castling.
pub(super) fn castling_squares(position: &Position) -> SquareSet {
    CastlingKind::ALL
        .into_iter()
        .filter_map(|kind| position.castle(kind).ok())
        .fold(SquareSet::EMPTY, |set, castling| set | castling.squares())
}
