// For the engine's owner: the games under way, and the people it knows with their level over time.

import { useEffect, useRef } from "preact/hooks";
import { counted } from "./names";
import { belief } from "./panel";
import type { Lists, OpponentRow } from "./protocol";

const WIDTH = 90; // pixels of a small curve
const HEIGHT = 24;

export function ListsDialog({ lists, onClose }: { lists: Lists; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="wide" onClose={onClose} aria-labelledby="lists">
      <h2 id="lists">Games under way</h2>
      {lists.games.length === 0 && <p>None.</p>}
      <ul>
        {lists.games.map((game, number) => (
          <li key={number}>
            {game.board}: {game.person}, {counted(game.moves, "move")}, {game.strength}
            {game.phase === "over" ? ", over" : ""}
          </li>
        ))}
      </ul>
      <h2>People</h2>
      {lists.people.length === 0 && <p>The engine remembers nobody yet.</p>}
      <ul class="people">
        {lists.people.map((row) => (
          <li key={`${row.name} ${row.board}`}>
            <span>
              <strong>{row.name}</strong> on {row.board}, {counted(row.games, "game")}
              <small>{belief(row.estimate)}</small>
            </span>
            <SmallCurve row={row} />
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}

function SmallCurve({ row }: { row: OpponentRow }) {
  const { history } = row;
  if (history.length < 2) return null;
  const low = Math.min(...history);
  const range = Math.max(...history) - low || 1;
  const points = history.map((elo, number) => {
    const x = 2 + ((WIDTH - 4) * number) / (history.length - 1);
    const y = HEIGHT - 2 - ((HEIGHT - 4) * (elo - low)) / range;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const words = `Level over ${history.length} games: from ${history[0]} to ${history.at(-1)} Elo`;
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={words} class="small-curve">
      <polyline points={points.join(" ")} />
    </svg>
  );
}
