// EinStein wuerfelt nicht: the die under the board, and the placing of one's pieces before the game.

import { moveAt } from "./names";
import { numberOf, SIDES } from "./pieces";

const SIZE = 5;
const NUMBERS = "123456";
// Columns and rows of the corner's cells, as a placing names them; Blue's are opposite.
const CORNER: [number, number][] = [
  [0, 0],
  [1, 0],
  [2, 0],
  [0, 1],
  [1, 1],
  [0, 2],
];

/** The die of the next side in a played move such as "a5-b4(3)"; null without one. */
export function dieOf(game: string, move: string | null): number | null {
  const die = game === "einstein" ? move?.match(/\((\d)\)$/)?.[1] : undefined;
  return die === undefined ? null : Number(die);
}

/** Whether the legal moves are the placings of the pieces. */
export function isPlacing(game: string, legal: Iterable<string>): boolean {
  const [first] = legal;
  return game === "einstein" && first !== undefined && /^\d+$/.test(first);
}

function cellsOf(side: number): [number, number][] {
  return side === 0 ? CORNER : CORNER.map(([x, y]) => [SIZE - 1 - x, SIZE - 1 - y]);
}

/** The board with a side's pieces in its corner. */
export function withPlacing(rows: string[], side: number, placing: string): string[] {
  const cells = rows.map((row) => Array.from(row));
  const letters = side === 0 ? "ABCDEF" : "abcdef";
  cellsOf(side).forEach(([x, y], n) => (cells[y]![x] = letters[Number(placing[n]) - 1]!));
  return cells.map((row) => row.join(""));
}

/** The exchanges of two pieces in the corner: their squares, and the placing after it. */
export function swaps(side: number, placing: string): { move: string; from: string; to: string }[] {
  const squares = cellsOf(side).map(([x, y]) => moveAt("einstein", x, y, SIZE));
  return squares.flatMap((from, n) =>
    squares.flatMap((to, m) => {
      if (n === m) return [];
      const numbers = Array.from(placing);
      [numbers[n], numbers[m]] = [numbers[m]!, numbers[n]!];
      return [{ move: numbers.join(""), from, to }];
    }),
  );
}

function shuffled(): string {
  const order = Array.from(NUMBERS, (number) => ({ number, at: Math.random() }));
  order.sort((one, other) => one.at - other.at);
  return order.map(({ number }) => number).join("");
}

interface PlacingProps {
  placing: string;
  onChange: (placing: string) => void;
  onPlace: (placing: string) => void;
}

/** The buttons under the board while the person places its pieces. */
export function Placing({ placing, onChange, onPlace }: PlacingProps) {
  return (
    <div class="beneath">
      <span>Change two pieces by clicks or a drag, then place them.</span>
      <div class="buttons">
        <button type="button" class="main" onClick={() => onPlace(placing)}>
          Place
        </button>
        <button type="button" onClick={() => onChange(shuffled())}>
          Shuffle
        </button>
      </div>
    </div>
  );
}

interface DieProps {
  die: number;
  side: number; // the side that moves by it
  movable: string[]; // letters of the person's pieces that may move; empty on the other's turn
}

/** The die, and the pieces that it lets move. */
export function Die({ die, side, movable }: DieProps) {
  const numbers = movable.map(numberOf).sort();
  const isGone = movable.length > 0 && !numbers.includes(die);
  const may = `piece ${numbers.join(" or ")} may move`;
  return (
    <div class="beneath">
      <svg class={`die side${side}`} viewBox="0 0 45 45" aria-hidden="true">
        <rect class="face" x="3" y="3" width="39" height="39" rx="8" />
        {PIPS[die]!.map(([x, y]) => (
          <circle class="pip" key={`${x},${y}`} cx={x} cy={y} r="4" />
        ))}
      </svg>
      <span>
        {movable.length > 0 ? `Your die is ${die}` : `${SIDES.einstein![side]}'s die is ${die}`}
        {isGone ? `, and your ${die} is gone: ${may}.` : movable.length > 0 ? `: ${may}.` : "."}
      </span>
    </div>
  );
}

const [LOW, MIDDLE, HIGH] = [12, 22.5, 33];
const DIAGONAL: [number, number][] = [
  [LOW, HIGH],
  [HIGH, LOW],
];
const CORNERS: [number, number][] = [...DIAGONAL, [LOW, LOW], [HIGH, HIGH]];
const CENTER: [number, number][] = [[MIDDLE, MIDDLE]];
const PIPS: Record<number, [number, number][]> = {
  1: CENTER,
  2: DIAGONAL,
  3: [...DIAGONAL, ...CENTER],
  4: CORNERS,
  5: [...CORNERS, ...CENTER],
  6: [...CORNERS, [LOW, MIDDLE], [HIGH, MIDDLE]],
};
