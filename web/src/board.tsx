// The board of a game: Shudan draws Go, plain cells draw Othello, Connect4 and games of pieces.

import { Goban, type Marker } from "@sabaki/shudan";
import { useEffect, useRef, useState } from "preact/hooks";
import { Cells } from "./cells";
import { cellOf, hasPieces, labelOf, moveAt } from "./names";
import { PieceBoard } from "./piece_board";

export interface Shown {
  game: string;
  board: number[][]; // 0 empty, 1 color 0, 2 color 1
  colors: [string, string];
  turn: number;
  person: number;
  pieces?: string[]; // the board in letters, in a game of pieces
  check?: string; // square of a king in check
  last: string | null; // the last move
  mover: number; // the color that made it
  hint: string | null; // the better move
  played?: string | null; // the move played in its place, in a review
  legal: ReadonlySet<string>;
  dead?: number[][];
  owners?: number[][];
}

interface Props {
  shown: Shown;
  marks: boolean; // whether stones are marked as dead instead of moves played
  onPick: (move: string) => void;
}

const STONES: Record<string, string> = { go: "stone", othello: "disc", connect4: "disc" };
// Cells that the frame and the coordinates take beside those of the board.
const BORDERS: Record<string, number> = {
  go: 2.4,
  othello: 1,
  connect4: 1,
  chess: 0.75,
  darkchess: 0.75,
  einstein: 0.75,
};
const MOST_WIDE = 760; // pixels
const BESIDE_WIDE = 460; // pixels of height that the page needs beside the board on wide screens
const DIE_HIGH = 56; // pixels of the die under a board
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function Board({ shown, marks, onPick }: Props) {
  const { game } = shown;
  const frame = useRef<HTMLDivElement>(null);
  const [space, setSpace] = useState(340);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => setSpace(Math.min(element.clientWidth, MOST_WIDE, tallest(game)));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, [game]);

  const { board, colors } = shown;
  const height = board.length;
  const width = board[0]!.length;
  const cell = Math.max(10, Math.floor(space / (Math.max(width, height) + BORDERS[game]!)));
  const stone = (x: number, y: number) => board[y]![x]!;
  const inside = (x: number, y: number) => {
    const at = stone(x, y);
    const dead = shown.dead?.[y]?.[x] ? "dead " : "";
    return at === 0 ? "empty" : `${dead}${colors[at - 1]} ${STONES[game]}`;
  };
  const isActive = (x: number, y: number) =>
    marks ? stone(x, y) !== 0 : shown.legal.has(moveAt(game, x, y, height));
  const cells = {
    game,
    width,
    height,
    cell,
    name: (x: number, y: number) => moveAt(game, x, y, height),
    label: (x: number, y: number) => labelOf(game, x, y, height, inside(x, y)),
    isActive,
    onPick: (x: number, y: number) => onPick(moveAt(game, x, y, height)),
  };
  const last = shown.last === null || hasPieces(game) ? null : cellOf(game, shown.last, board);
  if (hasPieces(game)) {
    return (
      <div class={`frame ${game}`} ref={frame}>
        <PieceBoard shown={shown} cell={cell} onPick={onPick} />
      </div>
    );
  }
  return (
    <div class={`frame ${game}`} ref={frame}>
      <div class="board">
        {game === "go" ? (
          <>
            <Stones shown={shown} cell={cell} last={last} />
            <Cells {...cells} picture={hints(shown)} />
          </>
        ) : (
          <Grid shown={shown} cells={cells} last={last} />
        )}
      </div>
    </div>
  );
}

function tallest(game: string): number {
  if (innerWidth < 800) return MOST_WIDE;
  return Math.max(BESIDE_WIDE, innerHeight - 90) - (game === "einstein" ? DIE_HIGH : 0);
}

type Cell = { x: number; y: number } | null;

/** The stones of Go. The cells above it take clicks and focus, so it is hidden from readers. */
function Stones({ shown, cell, last }: { shown: Shown; cell: number; last: Cell }) {
  const sign = (value: number): 0 | 1 | -1 => (value === 0 ? 0 : value === 1 ? 1 : -1);
  const marker = (x: number, y: number): Marker | null => {
    if (shown.dead?.[y]?.[x]) return { type: "cross" };
    return last?.x === x && last.y === y ? { type: "circle" } : null;
  };
  const map = <T,>(value: (x: number, y: number) => T): T[][] =>
    shown.board.map((row, y) => row.map((_, x) => value(x, y)));
  return (
    <Goban
      innerProps={{ "aria-hidden": true }}
      vertexSize={cell}
      showCoordinates
      coordX={(x) => moveAt("go", x, 0, 1).replace(/\d+/, "")}
      fuzzyStonePlacement
      animateStonePlacement={!calm.matches}
      signMap={map((x, y) => sign(shown.board[y]![x]!))}
      markerMap={map(marker)}
      paintMap={shown.owners as (0 | 1 | -1)[][] | undefined}
      dimmedVertices={shown.board.flatMap((row, y) =>
        row.flatMap((_, x) => (shown.dead?.[y]?.[x] ? [[x, y] as [number, number]] : [])),
      )}
    />
  );
}

/** The better move and the played one, in a review or as a hint. */
function hints({ game, board, hint, played }: Shown) {
  return (x: number, y: number) => {
    if (board[y]![x]! !== 0) return null;
    const name = moveAt(game, x, y, board.length);
    if (name === hint) return <span class="disc hinted" />;
    return name === played ? <span class="disc played" /> : null;
  };
}

type CellArguments = Parameters<typeof Cells>[0];

/** Othello and Connect4: each cell draws its own disc, with a shape for each color. */
function Grid({ shown, cells, last }: { shown: Shown; cells: CellArguments; last: Cell }) {
  const { game, board } = shown;
  const isLanding = (x: number, y: number) =>
    game !== "connect4" || y === board.length - 1 || board[y + 1]![x] !== 0;
  const isAt = (move: string | null | undefined, x: number, y: number) =>
    moveAt(game, x, y, board.length) === move && board[y]![x] === 0 && isLanding(x, y);
  const picture = (x: number, y: number) => {
    const at = board[y]![x]!;
    const isLast = last?.x === x && last.y === y;
    if (at !== 0) return <span class={`disc disc${at} ${isLast ? "last" : ""}`} />;
    if (isAt(shown.hint, x, y)) return <span class="disc hinted" />;
    return isAt(shown.played, x, y) ? <span class="disc played" /> : null;
  };
  const columns = board[0]!.map((_, x) => moveAt(game, x, 0, 1).replace(/(?<=[a-z])\d+/, ""));
  return (
    <div class="plain" style={{ fontSize: `${cells.cell}px` }}>
      <div class="names top" aria-hidden="true">
        {columns.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      {game === "othello" && (
        <div class="names side" aria-hidden="true">
          {board.map((_, y) => (
            <span key={y}>{y + 1}</span>
          ))}
        </div>
      )}
      <Cells {...cells} picture={picture} />
      {game === "othello" &&
        [2, board.length - 2].flatMap((y) =>
          [2, board.length - 2].map((x) => (
            <span
              key={`${x},${y}`}
              class="star"
              style={{ left: `${x + 0.62}em`, top: `${y + 0.62}em` }}
            />
          )),
        )}
    </div>
  );
}
