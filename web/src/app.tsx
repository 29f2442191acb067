// The page: one game, its panel, and what comes after the game.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board, type Shown } from "./board";
import { useClocks } from "./clock";
import { Connection, type Status } from "./connection";
import { saveFile } from "./download";
import { ListsDialog, RecordsDialog } from "./lists";
import { counted } from "./names";
import { NewGame } from "./new_game";
import { After, Progress, type Past } from "./after";
import { Buttons, canHint, headline, Players, Strength, Words, type Send } from "./panel";
import type {
  FromEngine,
  Hint,
  LeftGame,
  Lists,
  Reading,
  Records,
  Review,
  State,
  Terms,
} from "./protocol";
import { review as stored, save, savedClocks, savedEnd, savedGame, savedName } from "./storage";

const NO_MOVES: ReadonlySet<string> = new Set();
const NO_PROGRESS: Reading = { type: "reading", done: 0, total: 1 };

export function App() {
  const [state, setState] = useState<State | null>(savedEnd);
  const [hint, setHint] = useState<Hint | null>(null);
  const [review, setReview] = useState<Review | null>(() => (state === null ? null : stored.get()));
  const [reading, setReading] = useState<Reading | null>(null);
  const [past, setPast] = useState<Past | null>(null); // a position of the review
  const [notice, setNotice] = useState("");
  const [status, setStatus] = useState<Status>("connecting");
  const [isOwner, setIsOwner] = useState(false);
  const [lists, setLists] = useState<Lists | null>(null);
  const [records, setRecords] = useState<Records | null>(null);
  const [left, setLeft] = useState<LeftGame | null>(null);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [isChoosing, setIsChoosing] = useState(false);
  const connection = useRef<Connection | null>(null);
  const over = useRef(state !== null);
  const isResuming = useRef(false);

  const onMessage = useCallback((message: FromEngine) => {
    switch (message.type) {
      case "welcome":
        if (over.current && stored.get() === null) askReview(connection.current!, setReading);
        setIsOwner(message.owner);
        setRefused(message.refused);
        setLeft(savedGame() === null ? message.left : null);
        isResuming.current = begin(connection.current!, over.current);
        break;
      case "state":
        if (message.phase === "over" && !over.current) {
          askReview(connection.current!, setReading);
        }
        isResuming.current = false;
        over.current = message.phase === "over";
        if (!over.current) {
          stored.set(null);
          setReview(null);
          setReading(null);
        }
        save(message);
        setPast(null);
        if (message.moves.length > 0) setLeft(null);
        setState(message);
        setHint(null);
        setNotice("");
        break;
      case "hint":
        setHint(message);
        break;
      case "review":
        if (message.finished) stored.set(message);
        setReview(message);
        if (message.finished) setReading(null);
        break;
      case "reading":
        setReading(message);
        break;
      case "lists":
        setLists(message);
        break;
      case "records":
        setRecords(message);
        break;
      case "file":
        saveFile(message.name, message.text);
        break;
      case "error":
        setNotice(message.text);
        setReading(null);
        // A game that cannot be gone on with would come up again at each reload.
        if (isResuming.current) connection.current!.send({ type: "new", name: savedName() });
        isResuming.current = false;
        break;
    }
  }, []);

  useEffect(() => {
    connection.current = new Connection(onMessage, setStatus);
    connection.current.open();
  }, [onMessage]);

  const send: Send = (type) => connection.current?.send({ type });
  const start = (terms: Partial<Terms>) => {
    setIsChoosing(false);
    connection.current?.send({ type: "new", ...terms });
  };
  const pick = (at: string) => {
    if (state === null) return;
    if (state.phase === "counting") connection.current?.send({ type: "mark", at });
    else if (state.phase !== "yours") return;
    else if (state.legal.includes(at)) connection.current?.send({ type: "move", at });
    else setNotice(`${at} is not a legal move here`);
  };
  const clocks = useClocks(state, status === "open", () => send("flag"));
  useKeys(state, send, pick, () => setIsChoosing(true));

  const shown = useMemo(() => {
    if (state === null) return null;
    return review !== null && past !== null ? pastOf(state, review, past) : shownOf(state, hint);
  }, [state, hint, review, past]);
  return (
    <>
      <header>
        <h1>Sparring</h1>
        {state && <span class="title">{state.title}</span>}
        <button type="button" onClick={() => connection.current?.send({ type: "records" })}>
          My games
        </button>
        {isOwner && (
          <button type="button" onClick={() => connection.current?.send({ type: "lists" })}>
            People
          </button>
        )}
        <button type="button" onClick={() => setIsChoosing(true)}>
          New game
        </button>
      </header>
      <main>
        {state && shown && <Board shown={shown} marks={state.phase === "counting"} onPick={pick} />}
        <div class="panel">
          <Connected status={status} />
          {left && (
            <p class="left">
              You left a game of {left.board} after {counted(left.moves, "move")}.{" "}
              <button type="button" onClick={() => connection.current?.send({ type: "continue" })}>
                Go on with it
              </button>
            </p>
          )}
          {state && (
            <>
              <Players state={state} clocks={clocks} />
              <p class="headline" role="status">
                {headline(state)}
              </p>
              <p class="notice" role="alert">
                {notice}
              </p>
              <Buttons
                state={state}
                send={send}
                onPass={() => pick("pass")}
                onNew={() => start({ ...state.terms })}
              />
              {state.phase === "over" && reading && <Progress reading={reading} />}
              {review && state.phase === "over" && (
                <After state={state} review={review} past={past} onPast={setPast} />
              )}
              {hint && (
                <p class="hint" role="status">
                  {hint.text}
                </p>
              )}
              {(state.phase !== "over" || !review?.after) && <Words state={state} />}
              {(state.phase === "yours" || state.phase === "engine") && (
                <Strength
                  state={state}
                  onChange={(to) => connection.current?.send({ type: "strength", to })}
                />
              )}
              <Moves state={state} />
            </>
          )}
        </div>
      </main>
      {lists && <ListsDialog lists={lists} onClose={() => setLists(null)} />}
      {records && <RecordsDialog records={records} onClose={() => setRecords(null)} />}
      {isChoosing && (
        <NewGame
          terms={state?.terms ?? null}
          name={savedName()}
          isOwner={isOwner}
          refused={refused}
          onStart={start}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </>
  );
}

/** Asks for the review of the finished game; again after a reload or a lost connection. */
function askReview(connection: Connection, onProgress: (reading: Reading) => void): void {
  connection.send({ type: "review" });
  onProgress(NO_PROGRESS);
}

/**
 * Resumes the tab's game; the first visit begins one on 9x9. A finished game stays as it is.
 * Returns whether a game is resumed.
 */
function begin(connection: Connection, isOver: boolean): boolean {
  const saved = savedGame();
  const clocks = savedClocks.get() ?? undefined;
  if (saved !== null) {
    connection.send({ type: "resume", ...saved.terms, moves: saved.moves, clocks });
  }
  if (saved === null && !isOver) connection.send({ type: "new", name: savedName() });
  return saved !== null;
}

function shownOf(state: State, hint: Hint | null): Shown {
  return {
    game: state.game,
    board: state.board,
    colors: state.colors,
    turn: state.turn,
    person: state.person,
    ...(state.pieces ? { pieces: state.pieces.rows, check: state.pieces.check } : {}),
    last: state.moves.at(-1)?.[1] ?? null,
    mover: state.moves.at(-1)?.[0] ?? 1,
    hint: hint?.move ?? null,
    legal: state.phase === "yours" ? new Set(state.legal) : NO_MOVES,
    ...(state.counting ? { dead: state.counting.dead, owners: state.counting.owners } : {}),
  };
}

/** A position of the finished game; `best` marks the better move in it. */
function pastOf(state: State, review: Review, past: Past): Shown {
  const cells = review.boards[past.number] ?? "";
  const rows = state.board.map((_, y) => cells.slice(y * state.width, (y + 1) * state.width));
  const board = rows.map((row) => Array.from(row, (sign) => ".xo".indexOf(sign)));
  return {
    game: state.game,
    board,
    ...(state.pieces ? { pieces: rows } : {}),
    person: state.person,
    colors: state.colors,
    turn: past.best === null ? state.turn : state.person,
    last: past.number > 0 ? state.moves[past.number - 1]![1] : null,
    mover: state.moves[past.number - 1]?.[0] ?? 1,
    hint: past.best,
    played: past.played,
    legal: NO_MOVES,
  };
}

const STATUSES: Record<Status, string> = {
  connecting: "Looking for the engine ...",
  open: "",
  lost: "The engine does not answer. The page tries again; your game is kept.",
  elsewhere: "This game goes on in another tab.",
};

function Connected({ status }: { status: Status }) {
  return (
    <p class="notice" role="status">
      {STATUSES[status]}
    </p>
  );
}

/** The moves as a list, for readers and for those who want to read a game again. */
function Moves({ state }: { state: State }) {
  return (
    <details class="moves">
      <summary>{state.moves.length} moves</summary>
      <ol>
        {state.moves.map(([color, name], number) => (
          <li key={number}>
            {state.colors[color]} {state.pieces?.written[number] ?? name}
          </li>
        ))}
      </ol>
    </details>
  );
}

function useKeys(
  state: State | null,
  send: Send,
  pick: (at: string) => void,
  onNew: () => void,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (state === null || event.ctrlKey || event.altKey || event.metaKey) return;
      if (target.closest("dialog, input, select, textarea")) return;
      if (event.key === "u" && state.can_undo) send("undo");
      else if (event.key === "p" && state.game === "go" && state.phase === "yours") pick("pass");
      else if (event.key === "h" && canHint(state)) send("hint");
      else if (event.key === "n") onNew();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
