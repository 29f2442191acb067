// The curve of a game: the person's chance to win and lead before each move.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Review, State } from "./protocol";

const HEIGHT = 170; // pixels
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
  const hasLead = state.game !== "connect4";
  const { chances, leads } = seenByPerson(state, review);

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
      options(width, hasLead, at),
      hasLead ? [numbers, chances, leads] : [numbers, chances],
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

function seenByPerson(state: State, review: Review): { chances: number[]; leads: number[] } {
  const isFirst = state.person === 0;
  return {
    chances: review.values.map((value) => Math.round(100 * (isFirst ? value : 1 - value))),
    leads: review.leads.map((lead) => (isFirst ? lead : -lead)),
  };
}

function options(width: number, hasLead: boolean, at: number): uPlot.Options {
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
      { scale: "chance", label: "Your chance", stroke: style.getPropertyValue("--main"), width: 2 },
      ...(hasLead ? [lead] : []),
    ],
    hooks: { draw: [(plot) => drawPlace(plot, at, ink)] },
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
