// After the game: the curve, the lessons, and what the engine has learned about the person.

import { Curve } from "./curve";
import { counted } from "./names";
import { earlierBelief, moveText, presentBelief } from "./panel";
import type { Lesson, Reading, Review, State } from "./protocol";

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

/** The signs of the marks, as game records write them. */
export const SIGNS: Record<Lesson["mark"], string> = {
  "": "!",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
};

export function After({ state, review, past, onPast }: Props) {
  const last = review.boards.length - 1;
  const at = past?.number ?? last;
  const go = (number: number) =>
    onPast(number === last ? null : { number, best: null, played: null });
  return (
    <section class="after" aria-label="After the game">
      {review.after && (
        <p>
          Before the game it {review.before ? earlierBelief(review.before) : "did not know you"}.
          Now it {presentBelief(review.after)}.
        </p>
      )}
      {review.win_rates.length > 0 && <Curve state={state} review={review} at={at} />}
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
      {at > 0 && <Luck luck={review.lucks?.[at - 1]} number={at} />}
      {review.finished && <Lessons state={state} review={review} past={past} onPast={onPast} />}
    </section>
  );
}

/** The person's luck in the move before the position shown. */
function Luck({ luck, number }: { luck: number | null | undefined; number: number }) {
  if (luck === null || luck === undefined) return null;
  const size = Math.round(100 * Math.abs(luck));
  const text = size === 0 ? "changes nothing" : `${luck > 0 ? "gives" : "takes"} you ${size}%`;
  return (
    <p class="luck">
      Chance at move {number}: it {text} of a game.
    </p>
  );
}

/** The progress of a review, while it searches. */
export function Progress({ reading }: { reading: Reading }) {
  return (
    <label class="progress">
      Reading the game ... <progress value={reading.done} max={reading.total} />
    </label>
  );
}

function Lessons({ state, review, past, onPast }: Props) {
  return (
    <>
      <h2>Your moves</h2>
      {review.summary && (
        <p>
          {review.summary}
          {review.lessons.filter(({ mark }) => mark !== "").length > 1 && " The worst ones:"}
        </p>
      )}
      {review.others.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {review.doubt && <p class="doubt">{review.doubt}</p>}
      <ol class="lessons">
        {review.lessons.map((lesson) => (
          <li key={lesson.number}>
            <button
              type="button"
              aria-pressed={past?.number === lesson.number - 1 && past.best !== null}
              onClick={() => onPast(placeOf(lesson))}
            >
              <span class={`sign ${lesson.mark || "good"}`} aria-hidden="true">
                {SIGNS[lesson.mark]}
              </span>
              Move {lesson.number}: {moveText(state, lesson.number - 1)}
            </button>
            <p>{lesson.sentences.join(" ")}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

function placeOf(lesson: Lesson): Past {
  const best = lesson.mark === "" ? null : (lesson.best[0] ?? null);
  return { number: lesson.number - 1, best: best ?? lesson.played, played: lesson.played };
}
