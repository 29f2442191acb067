// The common part of all games' bindings: checks of arguments, arrays, and the members of
// engine/games/position.py. Moves out of range and illegal ones raise ValueError with the argument.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/bounds.h"

namespace sparring {

namespace nb = nanobind;
using namespace nb::literals;

[[noreturn]] inline void refuse(const std::string& message) {
  throw nb::value_error(message.c_str());
}

inline int checked_color(int color) {
  if (color != 0 && color != 1)
    refuse("color " + std::to_string(color) + " is neither 0 (who moves first) nor 1 (the other)");
  return color;
}

template <typename P>
int color_or_to_move(const P& position, std::optional<int> color) {
  return color ? checked_color(*color) : position.to_move();
}

template <typename P>
std::string board_name(const P& position) {
  return std::to_string(position.width()) + "x" + std::to_string(position.height()) + " board";
}

// The number of moves that can be played: with their outcomes in a game of chance.
template <typename P>
int played_move_count(const P& position) {
  if constexpr (requires { position.played_move_count(); })
    return position.played_move_count();
  else
    return position.move_count();
}

template <typename P>
int checked_move(const P& position, int move) {
  if (move < 0 || move >= played_move_count(position))
    refuse("move " + std::to_string(move) + " is not one of 0.." +
           std::to_string(played_move_count(position) - 1) + " of this " + board_name(position));
  return move;
}

template <typename P>
int checked_cell(const P& position, int cell) {
  if (cell < 0 || cell >= position.width() * position.height())
    refuse("cell " + std::to_string(cell) + " is not on this " + board_name(position));
  return cell;
}

template <typename P>
int checked_symmetry(const P& position, int symmetry) {
  if (symmetry < 0 || symmetry >= position.symmetry_count())
    refuse("symmetry " + std::to_string(symmetry) + " is not one of 0.." +
           std::to_string(position.symmetry_count() - 1) + " of this " + board_name(position));
  return symmetry;
}

template <typename T>
using Array = nb::ndarray<nb::numpy, T>;

// A new array owned by Python, zeroed.
template <typename T>
Array<T> new_array(std::initializer_list<std::size_t> shape) {
  std::size_t count = 1;
  for (std::size_t size : shape) count *= size;
  T* data = new T[count]();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Array<T>(data, shape, owner);
}

// [height, width] of `value_at` for each cell.
template <typename T, typename P, typename Value>
Array<T> board_array(const P& position, Value value_at) {
  auto out = new_array<T>(
      {static_cast<std::size_t>(position.height()), static_cast<std::size_t>(position.width())});
  for (int cell = 0; cell < position.width() * position.height(); ++cell)
    out.data()[cell] = static_cast<T>(value_at(cell));
  return out;
}

template <typename P>
bool is_legal(const P& position, int move, std::optional<int> color, bool tolerant) {
  checked_move(position, move);
  const int mover = color_or_to_move(position, color);
  if constexpr (requires { position.legal_tolerant(move, mover); })
    if (tolerant) return position.legal_tolerant(move, mover);
  return position.legal(move, mover);
}

template <typename P>
void check_legal(const P& position, int move, std::optional<int> color, bool tolerant) {
  if (!is_legal(position, move, color, tolerant))
    refuse("illegal move " + std::to_string(move) + " (column " +
           std::to_string(move % position.width()) + ", row " +
           std::to_string(move / position.width()) + ")");
}

template <typename P>
void play(P& position, int move, std::optional<int> color, bool tolerant) {
  check_legal(position, move, color, tolerant);
  if constexpr (requires { position.is_complete(move); })
    if (!position.is_complete(move)) refuse("move " + std::to_string(move) + " needs its outcome");
  position.play(move, color_or_to_move(position, color));
}

template <typename P>
Array<std::uint8_t> legal_mask(const P& position) {
  auto out = new_array<std::uint8_t>({static_cast<std::size_t>(position.move_count())});
  position.legal_mask(out.data());
  return out;
}

template <typename P>
std::vector<int> legal_moves(const P& position) {
  std::vector<std::uint8_t> mask(position.move_count());
  position.legal_mask(mask.data());
  std::vector<int> moves;
  for (int move = 0; move < position.move_count(); ++move)
    if (mask[move]) moves.push_back(move);
  return moves;
}

template <typename P>
auto plain_features(const P& position, int symmetry) {
  checked_symmetry(position, symmetry);
  auto spatial = new_array<std::uint8_t>({P::kPlanes, static_cast<std::size_t>(position.height()),
                                          static_cast<std::size_t>(position.width())});
  auto global = new_array<float>({P::kGlobals});
  position.features(spatial.data(), global.data(), symmetry);
  return std::make_pair(spatial, global);
}

template <typename P>
void check_stones(const P& position, const std::vector<std::pair<int, int>>& stones) {
  for (const auto& [color, cell] : stones) {
    checked_color(color);
    checked_cell(position, cell);
  }
}

// The members with one meaning in every game.
template <typename P>
void bind_common(nb::class_<P>& position) {
  position.def("copy", [](const P& self) { return self; })
      .def_prop_ro("width", &P::width)
      .def_prop_ro("height", &P::height)
      .def_prop_ro("move_number", &P::move_number)
      .def_prop_ro("move_count", &P::move_count, "Moves are 0..move_count - 1.")
      .def_prop_ro("pass_move", &P::pass_move, "-1 in a game without passing.")
      .def_prop_ro("symmetry_count", &P::symmetry_count, "Symmetries are 0..symmetry_count - 1.")
      .def_prop_ro("is_over", &P::is_over)
      .def_prop_ro("winner", &P::winner, "0 or 1; -1 when drawn, without result or not over.")
      .def("is_legal", &is_legal<P>, "move"_a, "color"_a = nb::none(), nb::kw_only(),
           "tolerant"_a = false,
           "Whether color (default: to_move) may play the move; tolerant: see Go.")
      .def("play", &play<P>, "move"_a, "color"_a = nb::none(), nb::kw_only(), "tolerant"_a = false,
           "Plays the move, out of turn too. ValueError if illegal.")
      .def("legal_mask", &legal_mask<P>, "uint8 [move_count], 1 where to_move may play.")
      .def("legal_moves", &legal_moves<P>, "The moves that to_move may play, in rising order.")
      .def_prop_ro("graph_hash", &P::graph_hash)
      .def_prop_ro("network_hash", &P::network_hash)
      .def("is_same", &P::is_same, "other"_a, "Whether the two are one position to a search.");
}

// The members of games without a history beside bind_common(); `fault` names the refusals of
// setup().
template <typename P>
void bind_plain(nb::class_<P>& position, const char* fault) {
  position.def_prop_ro("to_move", &P::to_move)
      .def_prop_ro("black_score", &P::black_score)
      .def(
          "setup",
          [fault](P& self, const std::vector<std::pair<int, int>>& stones, int to_move) {
            check_stones(self, stones);
            if (!self.setup(stones, checked_color(to_move))) refuse(fault);
          },
          "stones"_a, "to_move"_a = 0,
          "Replaces the board by (color, cell) discs. ValueError, with nothing changed, on a "
          "board\n"
          "that can't be.")
      .def_prop_ro(
          "stones",
          [](const P& self) {
            return board_array<std::uint8_t>(self,
                                             [&](int cell) { return self.color_at(cell) + 1; });
          },
          nb::rv_policy::automatic, "uint8 [height, width]: 0 empty, 1 color 0, 2 color 1.")
      .def_prop_ro("hash", &P::board_hash)
      .def("features", &plain_features<P>, "symmetry"_a = 0,
           "(uint8 [planes, height, width], float32 [globals]) the network's inputs.");
}

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

inline int checked_depth(int moves) { return checked("moves", moves, 0, 100); }

// The counts of perft.h.
template <typename P>
void bind_perft(nb::module_& m) {
  m.def(
      "perft", [](const P& position, int moves) { return perft(position, checked_depth(moves)); },
      "position"_a, "moves"_a,
      "Sequences of exactly so many moves, passes included; games that end earlier do not count.",
      Unlocked());
  m.def(
      "distinct_positions",
      [](const P& position, int moves) {
        return distinct_positions(position, checked_depth(moves));
      },
      "position"_a, "moves"_a, "Distinct positions after 0, 1, ... so many moves.", Unlocked());
}

}  // namespace sparring
