// The curve of a game: the person's win rate and lead before each move, and the marked moves.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Lesson, Review, State } from "./protocol";

const HEIGHT = 170; // pixels
const WITH_LEAD = new Set(["go", "othello"]); // the others count no points
const WITH_CHANCE = new Set(["darkchess", "einstein"]); // a draw is half a game
const dark = matchMedia("(prefers-color-scheme: dark)");

interface Props {
  state: State;
  review: Review;
  at: number; // the position shown on the board
}

export function Curve({ state, review, at }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [isDark, setIsDark] = useState(dark.matches);
  const hasLead = WITH_LEAD.has(state.game);
  const chances = review.win_rates.map((winRate) => Math.round(100 * winRate));

  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(place.current?.clientWidth ?? 0));
    observer.observe(place.current!);
    const onScheme = () => setIsDark(dark.matches);
    dark.addEventListener("change", onScheme);
    return () => {
      observer.disconnect();
      dark.removeEventListener("change", onScheme);
    };
  }, []);

  useEffect(() => {
    if (width === 0) return;
    const numbers = chances.map((_, number) => number);
    const plot = new uPlot(
      options(width, hasLead, at, review, state),
      hasLead ? [numbers, chances, review.leads] : [numbers, chances],
      place.current!,
    );
    return () => plot.destroy();
  }, [width, isDark, review, at]);

  const last = chances.at(-1);
  const words =
    last === undefined
      ? ""
      : `: your chance to win was ${last}% in the end, and ${Math.max(...chances)}% at most`;
  return <div ref={place} class="curve" role="img" aria-label={`Curve of the game${words}`} />;
}

function options(
  width: number,
  hasLead: boolean,
  at: number,
  review: Review,
  state: State,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--faint");
  const axis = {
    stroke: ink,
    size: 30,
    grid: { stroke: style.getPropertyValue("--line"), width: 1 },
  };
  const lead = {
    scale: "lead",
    label: "Lead",
    stroke: style.getPropertyValue("--lead"),
    dash: [6, 4],
    width: 2,
  };
  return {
    width,
    height: HEIGHT,
    cursor: { show: false },
    legend: { live: false },
    scales: {
      x: { time: false },
      chance: { range: [0, 100] },
      lead: { range: (_, low, high) => even(low, high) },
    },
    axes: [
      axis,
      { ...axis, scale: "chance", size: 52, values: (_, marks) => marks.map((mark) => `${mark}%`) },
      ...(hasLead
        ? [{ ...axis, scale: "lead", side: 1 as const, size: 36, grid: { show: false } }]
        : []),
    ],
    series: [
      {},
      {
        scale: "chance",
        label: WITH_CHANCE.has(state.game) ? "Your expected result" : "Your chance",
        stroke: style.getPropertyValue("--main"),
        width: 2,
      },
      ...(hasLead ? [lead] : []),
    ],
    hooks: {
      draw: [
        (plot) => drawPlace(plot, at, ink),
        (plot) => drawMarks(plot, review, style.getPropertyValue("--bad")),
      ],
    },
  };
}

/** A range around 0, so that an even lead lies at the height of an even chance. */
function even(low: number, high: number): [number, number] {
  const most = Math.max(5, Math.abs(low), Math.abs(high));
  return [-most, most];
}

/** A line at the position that the board shows. */
function drawPlace(plot: uPlot, at: number, color: string): void {
  const x = plot.valToPos(at, "x", true);
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

const RADII: Record<Lesson["mark"], number> = { "": 0, inaccuracy: 3, mistake: 4, blunder: 5.5 };

/** A dot at each marked move; a greater one is a worse move. */
function drawMarks(plot: uPlot, review: Review, color: string): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio || 1;
  ctx.save();
  ctx.fillStyle = color;
  for (const { number, mark } of review.lessons) {
    const x = plot.valToPos(number, "x", true);
    const y = plot.valToPos(100 * (review.win_rates[number] ?? 0.5), "chance", true);
    ctx.beginPath();
    ctx.arc(x, y, ratio * RADII[mark], 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}
