"""A program of the dark chess dialect: plays the first legal move, or as its argument says.

`python -m tests.support.dark_chess_program [illegal|refuses|silent]`.
"""

from __future__ import annotations

import sys

from engine.games.dark_chess import new_position, read_action, write_action


def main(way: str) -> None:
    position = new_position(4, 8)
    for line in sys.stdin:
        number, name, *words = line.split()
        answer = ""
        if name == "reset_board":
            position = new_position(4, 8)
        elif name == "move":
            position.play(read_action(f"{words[0]}-{words[1]}", 4, 8))
        elif name == "flip":
            position.play(read_action(f"{words[0]}({words[1]})", 4, 8))
        elif name == "genmove":
            color = ("red", "black", "unknown")[position.color_of_player(position.to_move)]
            assert words == [color], line
            text = write_action(position.legal_moves()[0], 4, 8)
            answer = " a1 c8" if way == "illegal" else f" {text[:2]} {text[3:5]}"
            if "?" in text and way != "illegal":
                answer = f" {text[:2]} {text[:2]}"
        sign = "?" if way == "refuses" and name == "genmove" else "="
        print(f"# {name}")
        print(f"{sign}{number}{answer}", flush=True)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["legal"]))
