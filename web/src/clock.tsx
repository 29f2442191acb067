// The clocks: the engine counts, and the page shows the time that passes meanwhile.

import { useEffect, useState } from "preact/hooks";
import type { State, Terms, TimeLeft } from "./protocol";
import { savedClocks } from "./storage";

const TICK = 200; // milliseconds
const LOW = 10; // seconds: a clock with less is shown in another color
const FLAG_AFTER = 1.2; // seconds beyond the end, which the engine allows for the way
const FLAG_AGAIN = 5;

/** The clocks of a new game. The first one is none. */
export const CONTROLS: { label: string; terms: Partial<Terms> }[] = [
  { label: "No clock", terms: {} },
  { label: "3 minutes, 2 seconds more a move", terms: { main: 180, increment: 2 } },
  { label: "10 minutes, 5 seconds more a move", terms: { main: 600, increment: 5 } },
  { label: "5 minutes, then 3 times 20 seconds", terms: { main: 300, period: 20, periods: 3 } },
  { label: "20 minutes, then 5 times 30 seconds", terms: { main: 1200, period: 30, periods: 5 } },
  { label: "60 minutes, then 5 times 60 seconds", terms: { main: 3600, period: 60, periods: 5 } },
];

/** The clocks with times of one's own: the labels of their numbers, and the terms of these. */
export const OWN_CONTROLS: {
  label: string;
  numbers: { label: string; least: number; most: number; usual: number }[];
  terms: (minutes: number, seconds: number, periods: number) => Partial<Terms>;
}[] = [
  {
    label: "Own times: more seconds a move",
    numbers: [
      { label: "Minutes", least: 0.5, most: 600, usual: 15 },
      { label: "Seconds more a move", least: 0, most: 3600, usual: 10 },
    ],
    terms: (minutes, increment) => ({ main: 60 * minutes, increment }),
  },
  {
    label: "Own times: then periods",
    numbers: [
      { label: "Minutes", least: 0, most: 600, usual: 15 },
      { label: "Seconds a period", least: 1, most: 3600, usual: 30 },
      { label: "Periods", least: 1, most: 100, usual: 3 },
    ],
    terms: (minutes, period, periods) => ({ main: 60 * minutes, period, periods }),
  },
];

/** The row of a game among CONTROLS and then OWN_CONTROLS; 0 without a clock. */
export function controlOf(terms: Terms | null): number {
  if (terms?.main === undefined) return 0;
  const found = CONTROLS.findIndex(
    ({ terms: row }) =>
      row.main === terms.main &&
      (row.period ?? 0) === (terms.period ?? 0) &&
      (row.periods ?? 0) === (terms.periods ?? 0) &&
      (row.increment ?? 0) === (terms.increment ?? 0),
  );
  return found >= 0 ? found : CONTROLS.length + (terms.periods ? 1 : 0);
}

/** The numbers of a game's own times, as the row of OWN_CONTROLS has them; its usual ones else. */
export function ownTimes(terms: Terms | null, row: number): number[] {
  const usual = OWN_CONTROLS[row]!.numbers.map((number) => number.usual);
  if (terms?.main === undefined || controlOf(terms) !== CONTROLS.length + row) return usual;
  const more = row === 0 ? [terms.increment ?? 0] : [terms.period ?? 0, terms.periods ?? 0];
  return [terms.main / 60, ...more];
}

/** The time left so many seconds later; full: the length of a period. */
export function after([main, period, periods]: TimeLeft, seconds: number, full: number): TimeLeft {
  if (seconds < main) return [main - seconds, period, periods];
  if (periods === 0) return [0, 0, 0];
  const left = Math.max(0, main + period + full * (periods - 1) - seconds);
  const more = Math.max(1, Math.ceil(left / full));
  return [0, left - full * (more - 1), more];
}

function ended([main, period]: TimeLeft): boolean {
  return main <= 0 && period <= 0;
}

/**
 * The time left of both colors, as it passes. isConnected: without the engine no clock runs. A clock
 * that has ended is reported by onFlag.
 */
export function useClocks(
  state: State | null,
  isConnected: boolean,
  onFlag: () => void,
): [TimeLeft, TimeLeft] | null {
  const [shown, setShown] = useState<[TimeLeft, TimeLeft] | null>(state?.clocks ?? null);
  useEffect(() => {
    if (state === null) return;
    setShown(state.clocks);
    savedClocks.set(state.clocks);
  }, [state]);
  useEffect(() => {
    const clocks = state?.clocks ?? null;
    const runs = state?.is_running || state?.phase === "engine";
    if (clocks === null || state === null || !isConnected || !runs) return;
    const began = performance.now();
    const full = state.terms.period ?? 0;
    let flagged = -FLAG_AGAIN;
    const timer = setInterval(() => {
      const passed = (performance.now() - began) / 1000;
      const now = clocks.map((left, color) =>
        color === state.turn ? after(left, passed, full) : left,
      ) as [TimeLeft, TimeLeft];
      setShown(now);
      savedClocks.set(now);
      const over = state.is_running && ended(now[state.person]!);
      const wait = ended(after(clocks[state.person]!, passed - FLAG_AFTER, full));
      if (over && wait && passed - flagged > FLAG_AGAIN) {
        flagged = passed;
        onFlag();
      }
    }, TICK);
    return () => clearInterval(timer);
  }, [state, isConnected]);
  return shown;
}

export function ClockFace({ left }: { left: TimeLeft }) {
  const [main, period, periods] = left;
  const isOvertime = main <= 0 && periods > 0;
  const seconds = isOvertime ? period : main;
  const text = isOvertime ? `${written(seconds)} (${periods})` : written(seconds);
  const words = isOvertime ? `, ${periods} periods left` : "";
  return (
    <span
      class={`clock ${seconds < LOW && (isOvertime || periods === 0) ? "low" : ""}`}
      role="timer"
      aria-label={`${Math.ceil(seconds)} seconds${words}`}
    >
      {text}
    </span>
  );
}

function written(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return `${minutes}:${String(rest).padStart(2, "0")}`;
}
