// The moves of a small dark chess: quiet steps, captures, and flips, of the side to move.
#pragma once

#include <bit>
#include <cstdint>

#include "darkchess/geometry.h"
#include "solvers/darkchess_layers.h"

namespace sparring {

class SmallDarkChessMoves {
 public:
  SmallDarkChessMoves(const DarkChessGeometry& geometry, const DarkChessLayers& layers)
      : geometry_(geometry), layers_(layers), types_(layers.types()) {}

  std::uint8_t own(const SmallDarkChess& position) const { return side(position, 0); }
  std::uint8_t other(const SmallDarkChess& position) const { return side(position, types_); }
  std::uint8_t empty(const SmallDarkChess& position) const {
    return static_cast<std::uint8_t>(geometry_.all &
                                     ~(position.hidden | own(position) | other(position)));
  }

  // Calls use(after) for each step onto an empty cell; the sides are exchanged in `after`.
  template <typename Use>
  void for_each_quiet(const SmallDarkChess& position, const Use& use) const {
    walk(position, position, 0,
         [&](const SmallDarkChess& after) { use(sparring::exchanged(after, types_)); });
  }
  int count_quiet(const SmallDarkChess& position) const {
    const std::uint8_t free = empty(position);
    int count = 0;
    for (unsigned cells = own(position); cells != 0; cells &= cells - 1)
      count += std::popcount(geometry_.neighbours[std::countr_zero(cells)] & free);
    return count;
  }
  // Calls use(before) for each position with a quiet step to this one, as told by its mover: all
  // kinds step back as they step forward.
  template <typename Use>
  void for_each_before(const SmallDarkChess& position, const Use& use) const {
    walk(position, position, types_,
         [&](const SmallDarkChess& before) { use(sparring::exchanged(before, types_)); });
  }

  // Calls use(after, type) for each capture of a piece of a type; the sides are exchanged.
  template <typename Use>
  void for_each_capture(const SmallDarkChess& position, const Use& use) const {
    const auto occupied = static_cast<std::uint8_t>(geometry_.all & ~empty(position));
    for (int type = 0; type < types_; ++type)
      for (unsigned cells = position.cells[type]; cells != 0; cells &= cells - 1) {
        const int from = std::countr_zero(cells);
        for (int victim = types_; victim < 2 * types_; ++victim) {
          unsigned goals = goals_of(type, from, victim, occupied) & position.cells[victim];
          for (; goals != 0; goals &= goals - 1) {
            SmallDarkChess after = position;
            const auto end = static_cast<std::uint8_t>(goals & (0u - goals));
            after.cells[victim] = static_cast<std::uint8_t>(after.cells[victim] ^ end);
            after.cells[type] = static_cast<std::uint8_t>(after.cells[type] ^ (1u << from) ^ end);
            use(sparring::exchanged(after, types_), victim);
          }
        }
      }
  }

  // The position after a flip of a cell to a piece of a type; the sides are exchanged.
  SmallDarkChess flipped(const SmallDarkChess& position, int cell, int type) const {
    SmallDarkChess after = position;
    const auto bit = static_cast<std::uint8_t>(1u << cell);
    after.hidden = static_cast<std::uint8_t>(after.hidden ^ bit);
    after.cells[type] = static_cast<std::uint8_t>(after.cells[type] | bit);
    after.pool[type] -= 1;
    return sparring::exchanged(after, types_);
  }

 private:
  std::uint8_t side(const SmallDarkChess& position, int first) const {
    std::uint8_t all = 0;
    for (int type = first; type < first + types_; ++type) all |= position.cells[type];
    return all;
  }

  // The cells on which a piece captures a piece of another type, if it stands there.
  unsigned goals_of(int type, int from, int victim, unsigned occupied) const {
    if (layers_.kind(type) != kCannon)
      return captures_by_step(layers_.kind(type), layers_.kind(victim)) ? geometry_.neighbours[from]
                                                                        : 0u;
    unsigned goals = 0;
    for (int direction = 0; direction < 4; ++direction)
      if (const unsigned screen = geometry_.first(from, direction, occupied); screen != 0)
        goals |= geometry_.first(std::countr_zero(screen), direction, occupied);
    return goals;
  }

  // Calls use(after) for each step of the pieces from type `first` on onto an empty cell.
  template <typename Use>
  void walk(const SmallDarkChess& position, SmallDarkChess after, int first, const Use& use) const {
    const std::uint8_t free = empty(position);
    for (int type = first; type < first + types_; ++type) {
      const std::uint8_t before = position.cells[type];
      for (unsigned cells = before; cells != 0; cells &= cells - 1) {
        const int from = std::countr_zero(cells);
        for (unsigned goals = geometry_.neighbours[from] & free; goals != 0; goals &= goals - 1) {
          after.cells[type] =
              static_cast<std::uint8_t>(before ^ (1u << from) ^ (goals & (0u - goals)));
          use(after);
        }
      }
      after.cells[type] = before;
    }
  }

  const DarkChessGeometry& geometry_;
  const DarkChessLayers& layers_;
  int types_;
};

}  // namespace sparring
