// The cells of a board as a grid of buttons: for mouse, finger, keyboard and screen reader alike.

import { useEffect, useRef, useState } from "preact/hooks";

const SMALL_CELL = 30; // pixels; fingers miss smaller cells, so they tap twice

export interface CellsProps {
  game: string;
  width: number;
  height: number;
  cell: number; // side of a cell, pixels
  name: (x: number, y: number) => string; // of the move or the square there
  label: (x: number, y: number) => string; // for a screen reader: "D4, empty" and so on
  kind?: (x: number, y: number) => string; // classes of the cell
  isChosen?: (x: number, y: number) => boolean; // whether it is the first one of two clicks
  isActive: (x: number, y: number) => boolean; // whether a click there does something
  onPick: (x: number, y: number) => void;
  picture?: (x: number, y: number) => preact.ComponentChildren;
}

export function Cells(props: CellsProps) {
  const { game, width, height, cell } = props;
  const [at, setAt] = useState({ x: Math.floor(width / 2), y: Math.floor(height / 2) });
  const [waiting, setWaiting] = useState<string | null>(null); // tapped once
  const grid = useRef<HTMLDivElement>(null);
  const byFinger = useRef(false);

  useEffect(() => {
    setAt({ x: Math.floor(width / 2), y: Math.floor(height / 2) });
    setWaiting(null);
  }, [game, width, height]);

  const focus = (x: number, y: number) => {
    setAt({ x, y });
    grid.current?.querySelector<HTMLElement>(`[data-cell="${x},${y}"]`)?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const x = Math.max(
      0,
      Math.min(width - 1, at.x + step[0] * (Math.abs(step[0]) > 1 ? width : 1)),
    );
    const y = Math.max(
      0,
      Math.min(height - 1, at.y + step[1] * (Math.abs(step[1]) > 1 ? height : 1)),
    );
    focus(x, y);
  };

  const pick = (x: number, y: number) => {
    setAt({ x, y });
    const name = `${x},${y}`;
    if (byFinger.current && cell < SMALL_CELL && waiting !== name && props.isActive(x, y)) {
      setWaiting(name);
      return;
    }
    setWaiting(null);
    props.onPick(x, y);
  };

  const row = (y: number) => (
    <div role="row" key={y}>
      {Array.from({ length: width }, (_, x) => {
        const name = `${x},${y}`;
        const active = props.isActive(x, y);
        return (
          <div role="gridcell" key={x}>
            <button
              type="button"
              data-cell={name}
              data-move={props.name(x, y)}
              class={`cell ${active ? "active" : ""} ${waiting === name ? "waiting" : ""} ${props.kind?.(x, y) ?? ""}`}
              tabIndex={at.x === x && at.y === y ? 0 : -1}
              aria-label={props.label(x, y)}
              aria-disabled={!active}
              aria-pressed={props.isChosen?.(x, y)}
              onFocus={() => setAt({ x, y })}
              onClick={() => pick(x, y)}
            >
              {props.picture?.(x, y)}
            </button>
          </div>
        );
      })}
    </div>
  );

  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Board: the arrows move, Enter plays"
      class="cells"
      style={{ fontSize: `${cell}px`, gridTemplateColumns: `repeat(${width}, 1em)` }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => (byFinger.current = event.pointerType === "touch")}
    >
      {Array.from({ length: height }, (_, y) => row(y))}
    </div>
  );
}

// Columns and rows of a step; more than one is as far as the board goes.
const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-2, 0],
  End: [2, 0],
  PageUp: [0, -2],
  PageDown: [0, 2],
};
