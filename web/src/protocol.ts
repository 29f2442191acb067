// The messages between the page and the engine; protocols/page/messages.py and views.py write them.

export const VERSION = 1;

export interface Terms {
  game: string;
  width: number;
  height: number;
  color: number; // the person's
  strength: string;
  name: string;
  rules?: string;
  komi?: number;
  handicap?: number;
  main?: number; // seconds of the clock; absent without one
  period?: number; // seconds
  periods?: number;
  increment?: number; // seconds
}

/** The time left of a color: main time, of the overtime period, number of periods. */
export type TimeLeft = [main: number, period: number, periods: number];

export interface Estimate {
  elo: number;
  low: number; // ends of the 95% interval
  high: number;
  rank: string; // empty in games without ranks
  games?: number;
}

export interface Engine {
  strength: string;
  level: number | null;
  level_text: string;
  reason: string;
  full_reason: string;
}

export interface Counting {
  dead: number[][];
  owners: number[][]; // 1 color 0, -1 color 1, 0 nobody
  text: string;
}

export interface Result {
  winner: number | null;
  text: string;
}

/**
 * The pieces of chess, dark chess and EinStein: capitals are White's and Red's, X is face down, A to
 * F and a to f are EinStein's 1 to 6.
 */
export interface Pieces {
  rows: string[]; // the board, "." an empty square
  check: string; // square of a king in check; "" without one
  sides: [number, number]; // of player 0 and 1: 0 White or Red, 1 Black or Blue, -1 not known yet
  captured: [string, string]; // letters of the pieces that player 0 and 1 have taken
  written: string[]; // the moves as people write them
}

export interface State {
  type: "state";
  game: string;
  title: string;
  width: number;
  height: number;
  colors: [string, string];
  person: number;
  phase: "yours" | "engine" | "counting" | "over";
  turn: number;
  board: number[][]; // 0 empty, 1 color 0, 2 color 1
  pieces: Pieces | null; // null in a game of stones
  legal: string[];
  moves: [number, string][];
  scores: [number, number] | null;
  can_undo: boolean;
  clocks: [TimeLeft, TimeLeft] | null; // of color 0 and 1
  is_running: boolean; // whether the person's clock runs
  terms: Terms;
  engine: Engine;
  belief: Estimate | null;
  counting: Counting | null;
  result: Result | null;
}

export interface Hint {
  type: "hint";
  move: string;
  text: string;
}

export interface Lesson {
  number: number; // the move's, from 1
  played: string;
  mark: "" | "inaccuracy" | "mistake" | "blunder"; // "" for a good move
  best: string[]; // begins with the best move
  sentences: string[];
}

/** The review of a finished game. The first one has the curve, the finished one the lessons too. */
export interface Review {
  type: "review";
  finished: boolean;
  win_rates: number[]; // the person's, before each move and at the end
  leads: number[]; // the person's
  boards: string[]; // one sign a cell: . x o, or the letters of pieces
  summary: string; // number of marks; "" for a game without moves of the person
  lucks: (number | null)[]; // the person's luck in each move, in games; null without chance
  others: string[]; // sentences beside our marks: Lichess's terms, the luck
  doubt: string; // "" unless the judge misjudges the game
  lessons: Lesson[];
  before: Estimate | null;
  after: Estimate | null;
}

export interface Reading {
  type: "reading"; // a review under way
  done: number; // positions
  total: number;
}

export interface GameRow {
  board: string;
  person: string;
  moves: number;
  strength: string;
  phase: State["phase"];
}

/** A person's level on one kind of board. */
export interface Level {
  board: string;
  estimate: Estimate;
  games: number;
  history: number[]; // Elo over time
}

export interface OpponentRow extends Level {
  name: string;
  last: string; // time, ISO
}

export interface Lists {
  type: "lists";
  games: GameRow[];
  people: OpponentRow[];
}

export interface OwnGame {
  board: string;
  color: string;
  strength: string;
  moves: number;
  outcome: "won" | "lost" | "drawn" | ""; // the person's; "" without a result
  result: string; // as SGF writes it
  started: string; // time, ISO
}

export interface Records {
  type: "records";
  levels: Level[];
  games: OwnGame[]; // the latest first
}

export interface LeftGame {
  board: string;
  moves: number;
}

export type FromEngine =
  | {
      type: "welcome";
      visitor: string;
      owner: boolean;
      name: string;
      left: LeftGame | null;
      refused: Record<string, string>; // the reason against a game that cannot be played here
    }
  | State
  | Hint
  | Review
  | Reading
  | Lists
  | Records
  | { type: "file"; name: string; text: string }
  | { type: "elsewhere" } // another tab has taken the game over
  | { type: "error"; text: string };

export type ToEngine =
  | { type: "hello"; visitor: string | null; name: string }
  | ({ type: "new" } & Partial<Terms>)
  | ({ type: "resume"; moves: string[]; clocks?: [TimeLeft, TimeLeft] } & Partial<Terms>)
  | { type: "move" | "mark"; at: string }
  | { type: "strength"; to: string }
  | {
      type:
        | "undo"
        | "hint"
        | "resign"
        | "flag"
        | "agree"
        | "play on"
        | "review"
        | "download"
        | "lists"
        | "records"
        | "continue";
    };
