// Lists: a person's own games and levels; for the engine's owner all games and people too.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { counted } from "./names";
import { belief } from "./panel";
import type { Level, Lists, OwnGame, Records } from "./protocol";

const WIDTH = 90; // pixels of a small curve
const HEIGHT = 24;
const SHORT: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

interface ListDialogProps {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
}

/** A wide dialog with lists, and one button to close it. */
function ListDialog({ title, children, onClose }: ListDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="wide" onClose={onClose} aria-labelledby="list-title">
      <h2 id="list-title">{title}</h2>
      {children}
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}

export function ListsDialog({ lists, onClose }: { lists: Lists; onClose: () => void }) {
  return (
    <ListDialog title="Games under way" onClose={onClose}>
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
          <LevelRow key={`${row.name} ${row.board}`} level={row}>
            <strong>{row.name}</strong> on {row.board}, {counted(row.games, "game")}
          </LevelRow>
        ))}
      </ul>
    </ListDialog>
  );
}

/** A person's own games and levels. */
export function RecordsDialog({ records, onClose }: { records: Records; onClose: () => void }) {
  return (
    <ListDialog title="Your level" onClose={onClose}>
      {records.levels.length === 0 && <p>The engine does not know you yet.</p>}
      <ul class="people">
        {records.levels.map((level) => (
          <LevelRow key={level.board} level={level}>
            <strong>{level.board}</strong>, {counted(level.games, "game")}
          </LevelRow>
        ))}
      </ul>
      <h2>Your games</h2>
      {records.games.length === 0 && <p>None yet.</p>}
      <ul class="people">
        {records.games.map((game) => (
          <li key={game.started}>
            <span>
              <strong>{game.board}</strong>, {game.color}, {counted(game.moves, "move")}
              <small>
                {new Date(game.started).toLocaleString([], SHORT)}, {game.strength}
              </small>
            </span>
            <span>{outcome(game)}</span>
          </li>
        ))}
      </ul>
    </ListDialog>
  );
}

/** A level with its curve. children: its name. */
function LevelRow({ level, children }: { level: Level; children: ComponentChildren }) {
  return (
    <li>
      <span>
        {children}
        <small>{belief(level.estimate)}</small>
      </span>
      <SmallCurve level={level} />
    </li>
  );
}

function outcome(game: OwnGame): string {
  if (game.outcome === "") return "not finished";
  return game.result === "" ? game.outcome : `${game.outcome}, ${game.result}`;
}

function SmallCurve({ level }: { level: Level }) {
  const { history } = level;
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
