// After the game: the curve, the dearest moves, and what the engine has learned about the person.

import { Curve } from "./curve";
import { counted, spoken } from "./names";
import { belief } from "./panel";
import type { DearMove, Review, State } from "./protocol";

/** A position of the finished game. best: the move to show in it. */
export interface Past {
  number: number; // moves before it
  best: string | null;
  played: string | null; // the move played in its place
}

interface Props {
  state: State;
  review: Review;
  past: Past | null;
  onPast: (past: Past | null) => void;
}

export function After({ state, review, past, onPast }: Props) {
  const isDone = review.done === review.total;
  const last = review.total - 1;
  const at = past?.number ?? last;
  const go = (number: number) =>
    onPast(number === last ? null : { number, best: null, played: null });
  return (
    <section class="after" aria-label="After the game">
      {review.after && (
        <p>
          {review.before
            ? `Before the game it took you for ${belief(review.before)}. `
            : "Before the game it did not know you. "}
          Now it takes you for {belief(review.after)}.
        </p>
      )}
      {!isDone && (
        <label class="progress">
          Reading the game ... <progress value={review.done} max={review.total} />
        </label>
      )}
      <Curve state={state} review={review} at={at} />
      {isDone && (
        <label class="choice">
          <span>Position after {counted(at, "move")}</span>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
        </label>
      )}
      {isDone && <Dearest state={state} review={review} past={past} onPast={onPast} />}
    </section>
  );
}

function Dearest({ state, review, past, onPast }: Props) {
  if (review.dearest.length === 0) return <p>No move of yours cost much.</p>;
  return (
    <>
      <h2>Your dearest moves</h2>
      <ol class="dearest">
        {review.dearest.map((dear) => (
          <li key={dear.number}>
            <button
              type="button"
              aria-pressed={past?.number === dear.number - 1 && past.best !== null}
              onClick={() => onPast(placeOf(dear))}
            >
              Move {dear.number}: {spoken(state.game, dear.played)}
              <small>{cost(state, dear)}</small>
            </button>
            <p>{advice(state, dear)}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

function placeOf(dear: DearMove): Past {
  return { number: dear.number - 1, best: dear.best[0] ?? null, played: dear.played };
}

function cost(state: State, dear: DearMove): string {
  const parts = [`${percent(dear.loss)} of the chance to win`];
  if (dear.points !== null && dear.points >= 0.5) {
    parts.push(`${dear.points} ${state.game === "go" ? "points" : "discs"}`);
  }
  return `${dear.kind ? `${dear.kind}: ` : ""}${parts.join(", ")}`;
}

function advice(state: State, dear: DearMove): string {
  const [best, ...rest] = dear.best;
  const line = rest.length > 0 ? ` (then ${rest.join(" ")})` : "";
  const strong =
    best === dear.played ? "" : `A strong player plays ${spoken(state.game, best ?? "")}${line}. `;
  if (dear.people_share === null) return strong;
  const level = state.belief?.rank ? "people of your level" : "people";
  const others = dear.people
    .filter(({ move }) => move !== dear.played)
    .map(({ move, share }) => `${percent(share)} play ${move}`);
  const played = `${percent(dear.people_share)} of ${level} play ${dear.played} too`;
  const people = [played, ...others].join(", ");
  return `${strong}${people[0]!.toUpperCase()}${people.slice(1)}.`;
}

function percent(share: number): string {
  return share < 0.01 ? "under 1%" : `${Math.round(100 * share)}%`;
}
