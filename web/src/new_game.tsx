// The dialog of a new game. The first visit needs none: it begins on 9x9 with Black.

import { useEffect, useRef, useState } from "preact/hooks";
import { CONTROLS, controlOf, OWN_CONTROLS, ownTimes } from "./clock";
import type { Terms } from "./protocol";

const BOARDS: { label: string; game: string; width: number; height: number }[] = [
  { label: "Go 7x7", game: "go", width: 7, height: 7 },
  { label: "Go 9x9", game: "go", width: 9, height: 9 },
  { label: "Go 11x11", game: "go", width: 11, height: 11 },
  { label: "Go 13x13", game: "go", width: 13, height: 13 },
  { label: "Go 15x15", game: "go", width: 15, height: 15 },
  { label: "Go 17x17", game: "go", width: 17, height: 17 },
  { label: "Go 19x19", game: "go", width: 19, height: 19 },
  { label: "Othello 8x8", game: "othello", width: 8, height: 8 },
  { label: "Othello 6x6", game: "othello", width: 6, height: 6 },
  { label: "Connect4", game: "connect4", width: 7, height: 6 },
  { label: "Chess", game: "chess", width: 8, height: 8 },
  { label: "Chinese dark chess 4x8", game: "darkchess", width: 4, height: 8 },
  { label: "Chinese dark chess 2x4", game: "darkchess", width: 2, height: 4 },
  { label: "EinStein würfelt nicht", game: "einstein", width: 5, height: 5 },
];
const PLAYERS: Record<string, [string, string]> = {
  go: ["Black, first", "White, second"],
  othello: ["Black, first", "White, second"],
  connect4: ["Red, first", "Yellow, second"],
  chess: ["White, first", "Black, second"],
  darkchess: ["first", "second"], // the first flip gives the colors
  einstein: ["Red, first", "Blue, second"],
};
const STRENGTHS: [string, string][] = [
  ["easier", "Easier: I win two games of three"],
  ["even", "Even: each wins half"],
  ["harder", "Harder: I win two games of five"],
  ["full", "As strong as it can"],
];

interface Props {
  terms: Terms | null;
  name: string;
  isOwner: boolean;
  refused: Record<string, string>; // the reason against a game that cannot be played here
  onStart: (terms: Partial<Terms>) => void;
  onClose: () => void;
}

export function NewGame({ terms, name, isOwner, refused, onStart, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const first = BOARDS.findIndex((row) => row.game === terms?.game && row.width === terms.width);
  const [board, setBoard] = useState(first < 0 ? 1 : first);
  const [color, setColor] = useState(terms?.color ?? 0);
  const strengths =
    terms && !STRENGTHS.some(([value]) => value === terms.strength)
      ? [...STRENGTHS, [terms.strength, `As now: ${terms.strength.replace(":", " ")}`] as const]
      : STRENGTHS;
  const [strength, setStrength] = useState(terms?.strength ?? "even");
  const [rules, setRules] = useState(terms?.rules || "chinese");
  const [handicap, setHandicap] = useState(terms?.handicap ?? 0);
  const [called, setCalled] = useState(name);
  const [control, setControl] = useState(controlOf(terms));
  const [times, setTimes] = useState(OWN_CONTROLS.map((_, n) => ownTimes(terms, n)));
  const own = OWN_CONTROLS[control - CONTROLS.length];
  const ownTimesNow = times[control - CONTROLS.length] ?? [];
  const setTime = (at: number, value: number) =>
    setTimes(
      times.map((each, n) =>
        n === control - CONTROLS.length ? each.map((time, m) => (m === at ? value : time)) : each,
      ),
    );
  const row = BOARDS[board]!;
  const isGo = row.game === "go";
  const most = row.width >= 9 ? 9 : 4; // fixed handicap stones
  const players = PLAYERS[row.game]!;
  const reasons = BOARDS.filter(({ game }) => game in refused);

  const start = (event: Event) => {
    event.preventDefault();
    onStart({
      game: row.game,
      width: row.width,
      height: row.height,
      color: color === 2 ? Math.floor(2 * Math.random()) : color,
      strength,
      name: called,
      ...(own ? own.terms(ownTimesNow[0]!, ownTimesNow[1]!, ownTimesNow[2] ?? 0) : {}),
      ...CONTROLS[control]?.terms,
      ...(isGo ? { rules, handicap: Math.min(handicap, most) } : {}),
    });
  };

  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="new-game">
      <form method="dialog" onSubmit={start}>
        <h2 id="new-game">New game</h2>
        <Choice
          label="Game"
          value={board}
          options={BOARDS.map((each, n) => [n, each.label, each.game in refused])}
          onChange={(value) => setBoard(Number(value))}
        />
        {reasons.map(({ label, game }) => (
          <p class="refused" key={label}>
            {label} is not offered: {refused[game]}.
          </p>
        ))}
        <Choice
          label="You play"
          value={color}
          options={[
            [0, players[0]],
            [1, players[1]],
            [2, "either"],
          ]}
          onChange={(value) => setColor(Number(value))}
        />
        <Choice label="Opponent" value={strength} options={strengths} onChange={setStrength} />
        <Choice
          label="Clock"
          value={control}
          options={[...CONTROLS, ...OWN_CONTROLS].map((each, n) => [n, each.label])}
          onChange={(value) => setControl(Number(value))}
        />
        {own && (
          <div class="times">
            {own.numbers.map(({ label, least, most }, n) => (
              <label class="choice" key={label}>
                <span>{label}</span>
                <input
                  type="number"
                  required
                  min={least}
                  max={most}
                  step={label === "Minutes" ? 0.5 : 1}
                  value={ownTimesNow[n]}
                  onInput={(event) => setTime(n, event.currentTarget.valueAsNumber)}
                />
              </label>
            ))}
          </div>
        )}
        {isGo && (
          <details>
            <summary>Rules and handicap</summary>
            <Choice
              label="Rules"
              value={rules}
              options={[
                ["chinese", "Chinese"],
                ["japanese", "Japanese"],
                ["aga", "AGA"],
                ["new-zealand", "New Zealand"],
              ]}
              onChange={setRules}
            />
            <Choice
              label="Handicap"
              value={handicap}
              options={[
                [0, "none"],
                ...Array.from({ length: most - 1 }, (_, n): [number, string] => [
                  n + 2,
                  `${n + 2} stones`,
                ]),
              ]}
              onChange={(value) => setHandicap(Number(value))}
            />
          </details>
        )}
        {isOwner && (
          <label class="choice">
            <span>Remember me as</span>
            <input
              value={called}
              maxLength={40}
              placeholder="player"
              onInput={(event) => setCalled(event.currentTarget.value.trim())}
            />
          </label>
        )}
        <div class="buttons">
          <button type="submit" class="main">
            Start
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface ChoiceProps {
  label: string;
  value: string | number;
  options: readonly (readonly [string | number, string, boolean?])[]; // true: not to be chosen
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, text, isDisabled]) => (
          <option key={each} value={each} disabled={isDisabled}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
