// Beside the board: who plays at what level, why it moved, and what one can do.

import { useEffect, useState } from "preact/hooks";
import { ClockFace } from "./clock";
import { dieOf, isPlacing } from "./einstein";
import { counted, spoken } from "./names";
import { Piece, pieceName } from "./pieces";
import type { Estimate, State, TimeLeft } from "./protocol";

export type Send = (
  name: "undo" | "hint" | "resign" | "flag" | "agree" | "play on" | "download",
) => void;

const STRENGTHS: [string, string][] = [
  ["easier", "Easier"],
  ["even", "Even"],
  ["harder", "Harder"],
];

/** An estimate in a few words, such as "about 8k (5k to 12k)"; without ranks in Elo. */
export function belief(estimate: Estimate): string {
  return estimate.rank || elo(estimate);
}

function elo(estimate: Estimate): string {
  return `${estimate.elo} Elo (${estimate.low} to ${estimate.high})`;
}

const UNSURE = 1200; // Elo between the ends of an interval that tells next to nothing

/** The turn, the count or the result, in a sentence. */
export function headline(state: State): string {
  if (state.phase === "over") return outcome(state);
  if (state.phase === "counting") return `Count: ${state.counting?.text}`;
  const last = lastMoves(state);
  if (state.phase === "engine") return `${last}Sparring is thinking`;
  const die = dieOf(state.game, state.moves.at(-1)?.[1] ?? null);
  const more = isPlacing(state.game, state.legal) ? ". Place your pieces" : "";
  const color = state.colors[state.person];
  return `${last}Your turn: you play ${color}${more}${die === null ? "" : `. Your die is ${die}`}`;
}

/** Whether a hint can be searched: no placing of EinStein is known to be better than another. */
export function canHint(state: State): boolean {
  return state.phase === "yours" && !isPlacing(state.game, state.legal);
}

function outcome({ result, person }: State): string {
  if (result === null) return "The game is over";
  if (result.winner === null) return result.text;
  return `${result.winner === person ? "You win" : "You lose"}: ${result.text}`;
}

/** The moves since the person's last choice; a pass of the person's there was forced. */
function lastMoves(state: State): string {
  const since: string[] = [];
  for (let number = state.moves.length - 1; number >= 0; number--) {
    const [color, name] = state.moves[number]!;
    const isForced = color === state.person && name === "pass" && state.game === "othello";
    if (color === state.person && !isForced) break;
    const who = color === state.person ? "You" : "Sparring";
    const pass = isForced ? "had no move and passed" : color === state.person ? "passed" : "passes";
    since.unshift(`${who} ${name === "pass" ? pass : `plays ${moveText(state, number)}`}. `);
  }
  return since.join("");
}

/** A move of the game inside a sentence: "D4", "column 4", "Nf3". number: from 0. */
export function moveText(state: State, number: number): string {
  return state.pieces?.written[number] ?? spoken(state.game, state.moves[number]?.[1] ?? "");
}

interface PlayersProps {
  state: State;
  clocks: [TimeLeft, TimeLeft] | null;
}

export function Players({ state, clocks }: PlayersProps) {
  const row = (color: number) => {
    const isPerson = color === state.person;
    const name = isPerson ? "You" : "Sparring";
    const score = state.scores === null ? "" : String(state.scores[color]);
    const unit = `${state.game === "go" ? "prisoner" : "disc"}${score === "1" ? "" : "s"}`;
    return (
      <div class={`player ${state.turn === color && state.phase !== "over" ? "turn" : ""}`}>
        <span class={discClass(state, color)} aria-hidden="true" />
        <span class="who">
          {name}
          <small>
            {state.colors[color]}
            {score && `, ${score} ${unit}`}
            <Captured state={state} color={color} />
          </small>
        </span>
        {clocks && <ClockFace left={clocks[color]!} />}
      </div>
    );
  };
  return (
    <div class="players">
      {row(0)}
      {row(1)}
    </div>
  );
}

/** The classes of the disc that stands for a player; a player without pieces yet has an empty one. */
function discClass(state: State, color: number): string {
  if (state.pieces === null) return `disc disc${color + 1} ${state.game}`;
  return `disc side${state.pieces.sides[color]} ${state.game}`;
}

/** The pieces that a player has taken. */
function Captured({ state, color }: { state: State; color: number }) {
  const letters = state.pieces?.captured[color] ?? "";
  if (letters === "") return null;
  const names = Array.from(letters, (letter) => pieceName(state.game, letter)).join(", ");
  return (
    <span class="captured" role="img" aria-label={`has taken: ${names}`}>
      {Array.from(letters, (letter, number) => (
        <Piece key={number} game={state.game} letter={letter} />
      ))}
    </span>
  );
}

/** The engine's level, its belief about the person, and the reason of its last move. */
export function Words({ state }: { state: State }) {
  const { engine, belief: known } = state;
  return (
    <section aria-label="The engine" class="words">
      {engine.reason && (
        <details>
          <summary>{engine.reason}</summary>
          <p>{engine.full_reason}</p>
        </details>
      )}
      <p>
        {engine.level_text && `Sparring plays at level ${engine.level_text}. `}
        {known === null
          ? "It does not know you yet: it learns from your moves."
          : `${takesFor(known, state.phase === "over")}${games(known.games ?? 0)}.`}
      </p>
      {(known !== null || engine.level_text) && (
        <small>
          {known?.rank ? `${elo(known)}. ` : ""}Levels are in Elo: random play has level 0.
        </small>
      )}
    </section>
  );
}

/** The belief in words: during a game the one before it, which no single move changes. */
function takesFor(known: Estimate, isOver: boolean): string {
  return isOver ? `It ${presentBelief(known)}` : `Before this game it ${earlierBelief(known)}`;
}

/** A belief of now: "takes you for about 8k (5k to 12k)", or a guess if it is wide. */
export function presentBelief(known: Estimate): string {
  const [isSure, text] = soundness(known);
  return isSure ? `takes you for ${text}` : `hardly knows you yet; its guess is ${text}`;
}

/** A belief of before: "took you for about 8k (5k to 12k)", or a guess if it was wide. */
export function earlierBelief(known: Estimate): string {
  const [isSure, text] = soundness(known);
  return isSure ? `took you for ${text}` : `hardly knew you; its guess was ${text}`;
}

/** Whether an estimate tells much, and its text; without the interval if it tells little. */
function soundness(known: Estimate): [boolean, string] {
  if (known.high - known.low <= UNSURE) return [true, belief(known)];
  return [false, known.rank ? known.rank.split(" (")[0]! : `${known.elo} Elo`];
}

function games(number: number): string {
  return number === 0 ? "" : `, after ${counted(number, "game")}`;
}

export function Strength({ state, onChange }: { state: State; onChange: (to: string) => void }) {
  const { strength, level } = state.engine;
  const isPinned = strength.startsWith("level:");
  return (
    <fieldset class="strength">
      <legend>Its play from now on</legend>
      {STRENGTHS.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="strength"
            checked={strength === value}
            onChange={() => onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
      <label class="pin">
        <input
          type="checkbox"
          checked={isPinned}
          disabled={!isPinned && level === null}
          onChange={() => onChange(isPinned ? "even" : `level:${level}`)}
        />
        <span>Stay at this level</span>
      </label>
    </fieldset>
  );
}

interface ButtonsProps {
  state: State;
  send: Send;
  onPass: () => void;
  onNew: () => void;
}

export function Buttons({ state, send, onPass, onNew }: ButtonsProps) {
  const { phase } = state;
  if (phase === "counting") {
    return (
      <div class="buttons">
        <p>Dead stones have a cross. Click on stones to mark them as dead or alive.</p>
        <button type="button" class="main" onClick={() => send("agree")}>
          Agree to this count
        </button>
        <button type="button" onClick={() => send("play on")}>
          Play on
        </button>
      </div>
    );
  }
  if (phase === "over") {
    return (
      <div class="buttons">
        <button type="button" class="main" onClick={onNew}>
          Play again
        </button>
        <button type="button" onClick={() => send("download")}>
          Download
        </button>
      </div>
    );
  }
  const mine = phase === "yours";
  return (
    <div class="buttons">
      <button type="button" disabled={!state.can_undo} onClick={() => send("undo")}>
        Undo
      </button>
      {state.game === "go" && (
        <button type="button" disabled={!mine} onClick={onPass}>
          Pass
        </button>
      )}
      <button type="button" disabled={!canHint(state)} onClick={() => send("hint")}>
        Hint
      </button>
      <Resign onResign={() => send("resign")} />
    </div>
  );
}

const DOUBT_MILLISECONDS = 4000; // in which a second click resigns

/** Resigns by two clicks: a slip of the finger loses no game. */
function Resign({ onResign }: { onResign: () => void }) {
  const [isSure, setIsSure] = useState(false);
  useEffect(() => {
    if (!isSure) return;
    const timer = setTimeout(() => setIsSure(false), DOUBT_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isSure]);
  return (
    <button type="button" onClick={() => (isSure ? onResign() : setIsSure(true))}>
      {isSure ? "Really resign?" : "Resign"}
    </button>
  );
}
