// The board of a game of pieces: two clicks or a drag move a piece, one click flips it. Before a game
// of EinStein they exchange two of the person's pieces.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Shown } from "./board";
import { Cells } from "./cells";
import { Die, dieOf, isPlacing, Placing, swaps, withPlacing } from "./einstein";
import { endsOf, moveAt, moveBetween } from "./names";
import { Piece, pieceName } from "./pieces";

// What a screen reader says of a piece that may move, where few of a side's pieces may.
const START: Record<string, string> = { einstein: ", may move" };
const DRAG_AFTER = 5; // pixels that tell a drag from a click

interface Props {
  shown: Shown;
  cell: number; // side of a cell, pixels
  onPick: (move: string) => void;
}

interface Drag {
  from: string;
  x: number; // of its beginning
  y: number;
  offset: [number, number] | null; // null before it is told from a click
}

export function PieceBoard({ shown, cell, onPick }: Props) {
  const { game, legal } = shown;
  const [placing, setPlacing] = useState("123456"); // of the person's pieces, before the game
  const places = isPlacing(game, legal);
  const onBoard = shown.pieces ?? [];
  const rows = places ? withPlacing(onBoard, shown.person, placing) : onBoard;
  const height = rows.length;
  const width = rows[0]?.length ?? 0;
  const [from, setFrom] = useState<string | null>(null); // the square of the first click
  const [promotions, setPromotions] = useState<string[]>([]); // moves to choose from
  const [drag, setDrag] = useState<Drag | null>(null);
  useEffect(() => {
    setFrom(null);
    setPromotions([]);
    setDrag(null);
  }, [shown.pieces, legal]);

  const isTurned = game === "chess" && shown.person === 1; // Black sits below
  const column = (x: number) => (isTurned ? width - 1 - x : x);
  const row = (y: number) => (isTurned ? height - 1 - y : y);
  const squareAt = (x: number, y: number) => moveAt(game, column(x), row(y), height);
  const letterAt = (x: number, y: number) => rows[row(y)]?.[column(x)] ?? ".";
  const moves = places
    ? swaps(shown.person, placing)
    : [...legal].map((move) => ({ move, ...endsOf(move) }));
  const starts = new Set(moves.map((each) => each.from));
  const chosen = drag?.offset ? drag.from : from;
  const targets = new Set(moves.filter((each) => each.from === chosen).map((each) => each.to));

  const moveTo = (start: string, to: string) => {
    const found = moves.filter((each) => each.from === start && each.to === to);
    setFrom(null);
    if (places) setPlacing(found[0]?.move ?? placing);
    else if (found.length > 1) setPromotions(found.map(({ move }) => move));
    else onPick(found[0]?.move ?? moveBetween(game, start, to));
  };
  const pick = (square: string) => {
    const flip = moves.find((each) => each.from === square && each.to === square);
    if (flip !== undefined) onPick(flip.move);
    else if (from !== null && targets.has(square)) moveTo(from, square);
    else if (starts.has(square)) setFrom(square === from ? null : square);
    else if (from !== null) moveTo(from, square);
  };

  const begin = (event: PointerEvent) => {
    const square = squareOf(event.target);
    if (event.button !== 0 || square === null || !starts.has(square)) return;
    if (targets.has(square) && from !== null) return;
    setDrag({ from: square, x: event.clientX, y: event.clientY, offset: null });
  };
  const follow = (event: PointerEvent) => {
    if (drag === null) return;
    const offset: [number, number] = [event.clientX - drag.x, event.clientY - drag.y];
    if (drag.offset !== null || Math.hypot(...offset) > DRAG_AFTER) setDrag({ ...drag, offset });
  };
  const drop = (event: PointerEvent) => {
    setDrag(null);
    if (!drag?.offset) return;
    const to = squareOf(document.elementFromPoint(event.clientX, event.clientY));
    if (to !== null && to !== drag.from) moveTo(drag.from, to);
  };

  const last = shown.last === null ? null : endsOf(shown.last);
  const kind = (x: number, y: number) => {
    const square = squareAt(x, y);
    const classes = [(x + y) % 2 === 0 ? "light" : "dark"];
    if (square === last?.from || square === last?.to) classes.push("last");
    if (square === chosen) classes.push("chosen");
    if (targets.has(square) && !places)
      classes.push(letterAt(x, y) === "." ? "target" : "target taken");
    if (square === shown.check) classes.push("check");
    if (starts.has(square)) classes.push("start");
    return classes.join(" ");
  };
  const picture = (x: number, y: number) => {
    const offset = drag?.from === squareAt(x, y) ? drag.offset : null;
    const style = offset && { transform: `translate(${offset[0]}px, ${offset[1]}px)` };
    return (
      <span class={`on-square ${offset ? "dragged" : ""}`} style={style ?? undefined}>
        <Piece game={game} letter={letterAt(x, y)} />
      </span>
    );
  };
  const label = (x: number, y: number) => {
    const square = squareAt(x, y);
    const target = places ? ", can be exchanged" : ", can be moved to";
    const more = targets.has(square) ? target : (starts.has(square) && START[game]) || "";
    return `${square}, ${pieceName(game, letterAt(x, y))}${more}`;
  };
  const die = dieOf(game, shown.last);
  const movable = rows.flatMap((letters, y) =>
    Array.from(letters).filter((_, x) => starts.has(moveAt(game, x, y, height))),
  );
  const names = Array.from({ length: Math.max(width, height) }, (_, n) => n);
  return (
    <div
      class="board pieces"
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={drop}
      onPointerCancel={() => setDrag(null)}
      onKeyDown={(event) => event.key === "Escape" && setFrom(null)}
    >
      <div class="plain" style={{ fontSize: `${cell}px` }}>
        <div class="names side" aria-hidden="true">
          {names.slice(0, height).map((y) => (
            <span key={y}>{height - row(y)}</span>
          ))}
        </div>
        <Cells
          game={`${game} ${isTurned}`}
          width={width}
          height={height}
          cell={cell}
          name={squareAt}
          label={label}
          kind={kind}
          picture={picture}
          isActive={(x, y) => starts.has(squareAt(x, y)) || targets.has(squareAt(x, y))}
          isChosen={(x, y) => squareAt(x, y) === from}
          onPick={(x, y) => pick(squareAt(x, y))}
        />
        <div class="names bottom" aria-hidden="true">
          {names.slice(0, width).map((x) => (
            <span key={x}>{moveAt(game, column(x), 0, 1).replace(/\d/, "")}</span>
          ))}
        </div>
        <Arrows shown={shown} width={width} height={height} isTurned={isTurned} />
      </div>
      {places && <Placing placing={placing} onChange={setPlacing} onPlace={onPick} />}
      {die !== null && <Die die={die} side={1 - shown.mover} movable={movable} />}
      {promotions.length > 0 && (
        <Promotion
          moves={promotions}
          side={shown.person}
          onChoose={onPick}
          onClose={() => setPromotions([])}
        />
      )}
    </div>
  );
}

/** The square of the cell that an event is on; null beside the cells. */
function squareOf(target: EventTarget | Element | null): string | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-cell]") : null;
  return cell?.dataset.move ?? null;
}

interface ArrowsProps {
  shown: Shown;
  width: number;
  height: number;
  isTurned: boolean;
}

/** The better move and the played one, in a review or as a hint: arrows, rings for flips. */
function Arrows({ shown, width, height, isTurned }: ArrowsProps) {
  const middle = (square: string): [number, number] => {
    const x = square.charCodeAt(0) - "a".charCodeAt(0);
    const y = height - Number(square[1]);
    return isTurned ? [width - x - 0.5, height - y - 0.5] : [x + 0.5, y + 0.5];
  };
  const arrow = (move: string | null | undefined, kind: string) => {
    if (!move) return null;
    const { from, to } = endsOf(move);
    if (from === "") return null;
    const [x1, y1] = middle(from);
    if (from === to) return <circle class={kind} cx={x1} cy={y1} r="0.42" />;
    const [x2, y2] = middle(to);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [bx, by] = [x2 - 0.35 * dx, y2 - 0.35 * dy]; // where the head begins
    const head = `M${x2} ${y2}L${bx - 0.22 * dy} ${by + 0.22 * dx}L${bx + 0.22 * dy} ${by - 0.22 * dx}z`;
    return (
      <g class={kind}>
        <line x1={x1} y1={y1} x2={bx} y2={by} />
        <path d={head} />
      </g>
    );
  };
  const played = shown.played === shown.hint ? null : shown.played;
  return (
    <svg class="arrows" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {arrow(played, "played")}
      {arrow(shown.hint, "hinted")}
    </svg>
  );
}

const PROMOTIONS: [string, string][] = [
  ["q", "Queen"],
  ["r", "Rook"],
  ["b", "Bishop"],
  ["n", "Knight"],
];

interface PromotionProps {
  moves: string[];
  side: number;
  onChoose: (move: string) => void;
  onClose: () => void;
}

/** The choice of the piece that a pawn becomes. */
function Promotion({ moves, side, onChoose, onClose }: PromotionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="promotion" onClose={onClose} aria-labelledby="promotion">
      <h2 id="promotion">The pawn becomes a</h2>
      <div class="buttons">
        {PROMOTIONS.flatMap(([letter, name]) =>
          moves
            .filter((move) => move.endsWith(letter))
            .map((move) => (
              <button type="button" key={letter} onClick={() => onChoose(move)}>
                <Piece game="chess" letter={side === 0 ? letter.toUpperCase() : letter} />
                {name}
              </button>
            )),
        )}
      </div>
    </dialog>
  );
}
