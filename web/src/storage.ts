// What one tab of the browser remembers, and the few things that all tabs do.

import type { Review, State, Terms, TimeLeft } from "./protocol";

export interface SavedGame {
  terms: Terms;
  moves: string[];
}

function read<T>(storage: Storage, name: string): T | null {
  try {
    return JSON.parse(storage.getItem(`sparring.${name}`) ?? "null") as T | null;
  } catch {
    return null;
  }
}

function write(storage: Storage, name: string, value: unknown): void {
  try {
    storage.setItem(`sparring.${name}`, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs the resumption of the game, and nothing else.
  }
}

/** The token of the address: it leaves the address, so that no copied address holds it. */
export function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) {
    write(sessionStorage, "token", token);
    history.replaceState(null, "", location.pathname);
  }
  return read<string>(sessionStorage, "token");
}

export const visitor = {
  get: () => read<string>(sessionStorage, "visitor"),
  set: (token: string) => write(sessionStorage, "visitor", token),
};

/** The game under way, for a page that is loaded again. */
export function savedGame(): SavedGame | null {
  return read<SavedGame>(sessionStorage, "game");
}

/** The last state of a game that is over, for a page that is loaded again. */
export function savedEnd(): State | null {
  return read<State>(sessionStorage, "end");
}

/** The time left in the game under way; it stands while no page is open. */
export const savedClocks = {
  get: () => read<[TimeLeft, TimeLeft]>(sessionStorage, "clocks"),
  set: (value: [TimeLeft, TimeLeft] | null) => write(sessionStorage, "clocks", value),
};

export const review = {
  get: () => {
    const value = read<Review>(sessionStorage, "review");
    return value?.finished ? value : null; // an earlier version wrote other fields
  },
  set: (value: Review | null) => write(sessionStorage, "review", value),
};

export function save(state: State): void {
  const isOver = state.phase === "over";
  const game = { terms: state.terms, moves: state.moves.map(([, name]) => name) };
  write(sessionStorage, "game", isOver ? null : game);
  write(sessionStorage, "end", isOver ? state : null);
  write(localStorage, "name", state.terms.name);
}

export function savedName(): string {
  return read<string>(localStorage, "name") ?? "";
}
