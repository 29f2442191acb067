// The names of cells and moves, as each game writes them (engine/games/table.py).

const GO_COLUMNS = "ABCDEFGHJKLMNOPQRST"; // without I
const LETTERS = "abcdefghijklmnopqrst";

const PIECES = new Set(["chess", "darkchess", "einstein"]);

/** Whether pieces move from square to square. */
export function hasPieces(game: string): boolean {
  return PIECES.has(game);
}

/**
 * The name of the move at a cell: "D4" in Go, "f5" in Othello, the column in Connect4; in a game of
 * pieces the square.
 */
export function moveAt(game: string, x: number, y: number, height: number): string {
  if (game === "go") return `${GO_COLUMNS[x]}${height - y}`;
  if (hasPieces(game)) return `${LETTERS[x]}${height - y}`;
  if (game === "othello") return `${LETTERS[x]}${y + 1}`;
  return `${x + 1}`;
}

/** The cell of a move, from the board after it; null for a pass. */
export function cellOf(
  game: string,
  move: string,
  board: number[][],
): { x: number; y: number } | null {
  if (game === "connect4") {
    const x = Number(move) - 1;
    const y = board.findIndex((row) => row[x] !== 0);
    return y < 0 ? null : { x, y };
  }
  const x = game === "go" ? GO_COLUMNS.indexOf(move[0]!) : LETTERS.indexOf(move[0]!);
  const row = Number(move.slice(1));
  if (x < 0 || Number.isNaN(row)) return null;
  return { x, y: game === "go" ? board.length - row : row - 1 };
}

/** The squares of a move of a piece, as "e7e8q" or "a4-a5"; a flip "b3(n)" has one square. */
export function endsOf(move: string): { from: string; to: string } {
  const [from, to] = move.match(/[a-h][1-8]/g) ?? [];
  return { from: from ?? "", to: to ?? from ?? "" };
}

/** The move between two squares, without a promotion. */
export function moveBetween(game: string, from: string, to: string): string {
  return game === "chess" ? `${from}${to}` : `${from}-${to}`;
}

/** What a screen reader says of a cell. */
export function labelOf(
  game: string,
  x: number,
  y: number,
  height: number,
  inside: string,
): string {
  if (game !== "connect4") return `${moveAt(game, x, y, height)}, ${inside}`;
  return `column ${x + 1}, row ${height - y}, ${inside}`;
}

/** A move inside a sentence: "D4", "column 4". */
export function spoken(game: string, move: string): string {
  return game === "connect4" ? `column ${move}` : move;
}

/** "1 game", "2 games". */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
