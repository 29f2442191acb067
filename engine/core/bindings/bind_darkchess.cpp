// The Python interface of dark chess.
#include "bindings/bind_darkchess.h"

#include <nanobind/stl/array.h>

#include "bindings/bind_position.h"
#include "darkchess/darkchess.h"
#include "solvers/chance_perft.h"

namespace sparring {

namespace {

constexpr int kMostQuiet = 1000;

// The material as counts by kind; the board has a cell for each piece.
KindCounts checked_material(const std::vector<int>& counts, int cells) {
  if (counts.size() != kDarkChessKinds)
    refuse("material of " + std::to_string(counts.size()) + " kinds; there are " +
           std::to_string(kDarkChessKinds));
  KindCounts material{};
  for (int kind = 0; kind < kDarkChessKinds; ++kind)
    material[kind] = static_cast<std::uint8_t>(checked("material", counts[kind], 0, cells));
  if (2 * count_of(material) != cells)
    refuse("material of " + std::to_string(count_of(material)) + " pieces a side on " +
           std::to_string(cells) + " cells");
  return material;
}

void construct(DarkChessPosition* self, int width, int height, const std::vector<int>& material,
               int quiet_limit, int repetitions) {
  if (!DarkChessGeometry::fits(width, height))
    refuse("board size " + std::to_string(width) + "x" + std::to_string(height) +
           " is not at least 2x2 with an even number of cells up to 32");
  new (self) DarkChessPosition(width, height,
                               {.material = checked_material(material, width * height),
                                .quiet_limit = checked("quiet_limit", quiet_limit, 0, kMostQuiet),
                                .repetitions = checked("repetitions", repetitions, 0, kMostQuiet)});
}

using Placed = std::vector<std::pair<int, int>>;

void set_up(DarkChessPosition& self, const Placed& stones, int to_move) {
  DarkChessSetup setup;
  for (const auto& [code, cell] : stones) {
    checked("piece", code, 0, DarkChessPosition::kFirstIsBlack);
    if (code == DarkChessPosition::kFirstIsBlack)
      setup.first_color = 1;
    else if (code == DarkChessPosition::kFaceDown)
      setup.hidden.push_back(checked_cell(self, cell));
    else if (cell == -1)
      setup.pool[code] += setup.pool[code] < 255;
    else
      setup.pieces.emplace_back(code, checked_cell(self, cell));
  }
  if (!self.setup(setup, checked_color(to_move)))
    refuse(
        "pieces set up twice on a cell, more of a kind than in the material, or another number of "
        "unrevealed pieces than of face-down cells");
}

Placed placed(const DarkChessPosition& self) {
  const DarkChessSetup setup = self.as_setup();
  Placed out = setup.pieces;
  for (const int cell : setup.hidden) out.emplace_back(DarkChessPosition::kFaceDown, cell);
  for (int code = 0; code < kPieceCodes; ++code)
    for (int i = 0; i < setup.pool[code]; ++i) out.emplace_back(code, -1);
  if (setup.first_color == 1) out.emplace_back(DarkChessPosition::kFirstIsBlack, -1);
  return out;
}

int stone_at(const DarkChessPosition& self, int cell) {
  return self.piece_at(cell) == DarkChessPosition::kFaceDown ? 3 : self.color_at(cell) + 1;
}

void bind_chance(nb::class_<DarkChessPosition>& position) {
  position
      .def_prop_ro("played_move_count", &DarkChessPosition::played_move_count,
                   "Played moves are 0..played_move_count - 1: those with outcomes included.")
      .def(
          "outcomes",
          [](const DarkChessPosition& self, int move) {
            if (self.is_flip(checked_move(self, move)))
              check_legal(self, move, std::nullopt, false);
            return self.outcomes(move);
          },
          "move"_a,
          "(played move, weight) of each outcome of a move, equal pieces together; the "
          "probability\n"
          "is the weight's share. A move without chance is its only outcome. ValueError on a flip\n"
          "without a face-down piece.")
      .def(
          "with_outcome",
          [](const DarkChessPosition& self, int move, int code) {
            checked_move(self, move);
            if (!self.is_flip(move)) refuse("move " + std::to_string(move) + " is no flip");
            return self.with_outcome(self.move_without_outcome(move),
                                     checked("piece", code, 0, kPieceCodes - 1));
          },
          "move"_a, "piece"_a, "The played move of a flip that reveals this piece.")
      .def(
          "without_outcome",
          [](const DarkChessPosition& self, int move) {
            return self.move_without_outcome(checked_move(self, move));
          },
          "move"_a, "The move, 0..move_count - 1, of a played move.")
      .def(
          "outcome_of",
          [](const DarkChessPosition& self, int move) {
            return self.outcome_code(checked_move(self, move));
          },
          "move"_a, "The piece that a played move reveals; -1 for none.");
}

void bind_pieces(nb::class_<DarkChessPosition>& position) {
  position
      .def_prop_ro(
          "pieces",
          [](const DarkChessPosition& self) {
            return board_array<std::int8_t>(self, [&](int cell) { return self.piece_at(cell); });
          },
          nb::rv_policy::automatic,
          "int8 [height, width]: -1 empty, 14 face down, else the piece: color * 7 + kind.")
      .def_prop_ro(
          "pool",
          [](const DarkChessPosition& self) {
            return std::vector<int>(self.board().pool.begin(), self.board().pool.end());
          },
          "Unrevealed pieces by code, [14].")
      .def_prop_ro(
          "material",
          [](const DarkChessPosition& self) {
            return std::vector<int>(self.rules().material.begin(), self.rules().material.end());
          },
          "Pieces of each side at the start by kind, [7].")
      .def_prop_ro("quiet_limit",
                   [](const DarkChessPosition& self) { return self.rules().quiet_limit; })
      .def_prop_ro("repetitions",
                   [](const DarkChessPosition& self) { return self.rules().repetitions; })
      .def_prop_ro(
          "captures",
          [](const DarkChessPosition& self) {
            std::vector<int> out;
            if (self.is_over()) return out;
            for (const DarkChessAction& action : self.board().captures())
              out.push_back(self.board().geometry->move_of(action.from, action.to));
            return out;
          },
          "The legal moves that capture.")
      .def_prop_ro("phase", &DarkChessPosition::phase,
                   "The share of captures and flips that are made, 0..1.")
      .def_prop_ro("quiet_moves", &DarkChessPosition::quiet_moves,
                   "Moves since the last capture or flip.")
      .def(
          "color_of_player",
          [](const DarkChessPosition& self, int player) {
            return self.color_of_player(checked_color(player));
          },
          "player"_a, "0 red or 1 black; -1 before the first flip.");
}

}  // namespace

void bind_darkchess(nb::module_& m) {
  auto position = nb::class_<DarkChessPosition>(
      m, "DarkChessPosition",
      "A position of Chinese dark chess. The players are 0, the first to move, and 1; a cell is\n"
      "y * width + x from the top left. Moves are the flip of each cell, then, from each cell, "
      "one\n"
      "to each other cell of its row and of its column. A flip is played with its outcome.\n"
      "Kinds are king, guard, minister, rook, knight, cannon, pawn; a piece is color * 7 + kind.");
  position.def("__init__", &construct, "width"_a = 4, "height"_a = 8,
               "material"_a = std::vector<int>{1, 2, 2, 2, 2, 2, 5}, "quiet_limit"_a = 40,
               "repetitions"_a = 3);
  bind_common(position);
  bind_chance(position);
  bind_pieces(position);
  position.def_prop_ro("to_move", &DarkChessPosition::to_move)
      .def_prop_ro("black_score", &DarkChessPosition::black_score,
                   "1 for a win of player 0, -1 for a loss, 0 for a draw or before the end.")
      .def("setup", &set_up, "stones"_a, "to_move"_a = 0,
           "Replaces the board by (piece, cell)s: 14 is a face-down piece, and cell -1 stands for\n"
           "an unrevealed one. Player 0 has red, or black where (15, -1) is in the list.\n"
           "ValueError, with nothing changed, on a board that can't be.")
      .def_prop_ro("placed", &placed, "The board as (piece, cell)s for setup.")
      .def_prop_ro(
          "stones",
          [](const DarkChessPosition& self) {
            return board_array<std::uint8_t>(self, [&](int cell) { return stone_at(self, cell); });
          },
          nb::rv_policy::automatic,
          "uint8 [height, width]: 0 empty, 1 player 0, 2 player 1, 3 face down.")
      .def_prop_ro("hash", &DarkChessPosition::board_hash)
      .def("features", &plain_features<DarkChessPosition>, "symmetry"_a = 0,
           "(uint8 [planes, height, width], float32 [globals]) the network's inputs.");
  bind_perft<DarkChessPosition>(m);
}

}  // namespace sparring
