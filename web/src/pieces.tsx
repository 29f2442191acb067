// The pieces of chess, dark chess and EinStein: drawings of this project's own, and their names.

const CHESS: Record<string, string> = {
  k: "king",
  q: "queen",
  r: "rook",
  b: "bishop",
  n: "knight",
  p: "pawn",
};
const DARK_CHESS: Record<string, string> = {
  k: "king",
  g: "guard",
  m: "minister",
  r: "rook",
  n: "knight",
  c: "cannon",
  p: "pawn",
};
const FACE_DOWN = "X";
export const SIDES: Record<string, [string, string]> = {
  chess: ["White", "Black"],
  darkchess: ["Red", "Black"],
  einstein: ["Red", "Blue"],
};

/** 0 for White's and Red's pieces, 1 for Black's and Blue's. */
export function sideOf(letter: string): number {
  return letter === letter.toLowerCase() ? 1 : 0;
}

/** The number of a piece: A to F are Red's 1 to 6, a to f Blue's. */
export function numberOf(letter: string): number {
  return letter.toLowerCase().charCodeAt(0) - "a".charCodeAt(0) + 1;
}

/** The name of a piece: "White rook", "face-down piece", "Red 3"; "empty" for an empty square. */
export function pieceName(game: string, letter: string): string {
  if (letter === ".") return "empty";
  if (letter === FACE_DOWN) return "face-down piece";
  const side = SIDES[game]![sideOf(letter)];
  if (game === "einstein") return `${side} ${numberOf(letter)}`;
  const names = game === "chess" ? CHESS : DARK_CHESS;
  return `${side} ${names[letter.toLowerCase()]}`;
}

// Outlines in a square of 45, each followed by lines inside the piece.
const FOOT = "M10.5 39.5v-2.5c0-2.5 2-4 4.5-4h15c2.5 0 4.5 1.5 4.5 4v2.5z";
const SHAPES: Record<string, { outline: string; lines: string }> = {
  p: {
    outline: `M22.5 7.5a5.5 5.5 0 0 1 3.5 9.7h3l-2 3.3c.5 5 3.5 8.5 4.5 12.5h-18c1-4 4-7.5 4.5-12.5l-2-3.3h3a5.5 5.5 0 0 1 3.5-9.7z${FOOT}`,
    lines: "M13.5 33h18",
  },
  r: {
    outline: `M11.5 8h5v3.5h3.5V8h5v3.5h3.5V8h5v8l-3.5 3.5 1 13.5h-17l1-13.5-3.5-3.5z${FOOT}`,
    lines: "M15 19.5h15M13.5 33h18",
  },
  n: {
    outline:
      "M17.5 5.5l4.5 3.5c9 .5 13.5 8.5 13.5 18.5v12h-22c-.5-8 2.5-12 8-17.5-3 .2-5 2.3-7.5 4.3-2.5 2-6.5.2-5.8-3.3.5-2.5 3.3-5.5 5.3-9 1.2-2.2 2-3.8 3.8-4.7z",
    lines: "M19 15.5l1.5-1M30 16c2 4 2.5 9 2.2 15",
  },
  b: {
    outline: `M22.5 4.5a2.7 2.7 0 0 1 1.5 5c4.7 3.5 7.5 7.5 7.5 12 0 3-1.5 5.5-3.5 7l1.5 4.5h-14l1.5-4.5c-2-1.5-3.5-4-3.5-7 0-4.5 2.8-8.5 7.5-12a2.7 2.7 0 0 1 1.5-5z${FOOT}`,
    lines: "M17 28.5h11M13.5 33h18M22.5 15v7M19 18.5h7",
  },
  q: {
    outline: `M22.5 6a2.5 2.5 0 0 1 1.7 4.300l3.8 9.2 4-7.5a2.5 2.5 0 1 1 2.7.8L31.5 28l1 5h-20l1-5-3.2-15.200a2.5 2.5 0 1 1 2.7-.8l4 7.5 3.8-9.200A2.5 2.5 0 0 1 22.5 6z${FOOT}`,
    lines: "M13.5 28h18M13 33h19",
  },
  k: {
    outline: `M21 4h3v3h3v3h-3v4c1 .7 1.5 2 1.5 3.5 4-3 11-1.5 11 4 0 4-3.5 6.5-4.5 11.5h-19c-1-5-4.5-7.5-4.5-11.5 0-5.5 7-7 11-4 0-1.5.5-2.8 1.5-3.5v-4h-3V7h3z${FOOT}`,
    lines: "M13.5 33h18M22.5 18.5v9.5M18.5 23h8",
  },
};

interface PieceProps {
  game: string;
  letter: string;
}

/** A piece in the middle of its square; hidden from readers, as the square has its name. */
export function Piece({ game, letter }: PieceProps) {
  if (letter === ".") return null;
  if (game === "einstein") return <NumberedPiece letter={letter} />;
  if (game !== "chess") return <Token letter={letter} />;
  const { outline, lines } = SHAPES[letter.toLowerCase()]!;
  return (
    <svg class={`piece side${sideOf(letter)}`} viewBox="0 0 45 45" aria-hidden="true">
      <path class="outline" d={outline} />
      <path class="lines" d={lines} />
    </svg>
  );
}

/** A round piece of dark chess: Red's have a light face and two rings, Black's a dark face. */
function Token({ letter }: { letter: string }) {
  const isDown = letter === FACE_DOWN;
  return (
    <svg
      class={`piece token ${isDown ? "down" : `side${sideOf(letter)}`}`}
      viewBox="0 0 45 45"
      aria-hidden="true"
    >
      <circle class="face" cx="22.5" cy="22.5" r="19.5" />
      <circle class="ring" cx="22.5" cy="22.5" r="16" />
      {!isDown && (
        <text x="22.5" y="30" text-anchor="middle">
          {letter.toUpperCase()}
        </text>
      )}
    </svg>
  );
}

/** A piece of EinStein: Red's are square, Blue's round. */
function NumberedPiece({ letter }: { letter: string }) {
  const side = sideOf(letter);
  return (
    <svg class={`piece numbered side${side}`} viewBox="0 0 45 45" aria-hidden="true">
      <rect class="face" x="4" y="4" width="37" height="37" rx={side === 0 ? 6 : 18.5} />
      <text x="22.5" y="31" text-anchor="middle">
        {numberOf(letter)}
      </text>
    </svg>
  );
}
