#include "solvers/solve_darkchess.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>

#include "game/symmetry.h"
#include "solvers/small_darkchess_moves.h"

namespace sparring {

namespace {

constexpr int kStored = 5040;  // a won game
constexpr int kUnit = SolvedDarkChess::kWhole / kStored;
constexpr int kNoExit = -kStored - 1;
constexpr int kMostKinds = 4;

int checked_kinds(const DarkChessGeometry& geometry, const KindCounts& material) {
  int kinds = 0;
  for (const std::uint8_t count : material) kinds += count > 0;
  if (geometry.cells > DarkChessLayers::kMostCells || kinds > kMostKinds)
    throw std::invalid_argument(
        "a board of " + std::to_string(geometry.cells) + " cells and " + std::to_string(kinds) +
        " kinds of pieces is too large to solve: up to 8 cells and 4 kinds");
  return kinds;
}

// The images of each set of cells under the symmetries of the board but the identity.
class SetImages {
 public:
  explicit SetImages(const DarkChessGeometry& geometry) {
    for (int symmetry = 1; symmetry <= kImages; ++symmetry)
      for (int set = 0; set < 1 << geometry.cells; ++set) {
        int image = 0;
        for (int cell = 0; cell < geometry.cells; ++cell)
          if (set >> cell & 1)
            image |= 1 << symmetric_cell(cell, symmetry, geometry.width, geometry.height);
        images_[symmetry - 1][set] = static_cast<std::uint8_t>(image);
      }
  }

  static constexpr int kImages = 3;

  SmallDarkChess of(const SmallDarkChess& position, int image, int types) const {
    SmallDarkChess out = position;
    out.hidden = images_[image][position.hidden];
    for (int type = 0; type < 2 * types; ++type)
      out.cells[type] = images_[image][position.cells[type]];
    return out;
  }

 private:
  std::array<std::array<std::uint8_t, 256>, kImages> images_{};
};

}  // namespace

// Solves a layer together with the one of the sides exchanged.
class SolvedDarkChess::LayerSolver {
 public:
  explicit LayerSolver(SolvedDarkChess& solved)
      : solved_(solved),
        layers_(solved.layers_),
        moves_(solved.geometry_, layers_),
        images_(solved.geometry_) {}

  void solve(int id) {
    ids_ = {id, layers_.exchanged(id)};
    sides_ = ids_[0] == ids_[1] ? 1 : 2;
    const std::int64_t size = layers_.layer(id).size;
    for (int side = 0; side < sides_; ++side) {
      exits_[side].assign(size, kNoExit);
      steps_[side].assign(size, 0);
      decided_[side].assign(size, false);
    }
    for (int side = 0; side < sides_; ++side) find_exits(side);
    spread();
  }

 private:
  struct Entry {
    std::int32_t number;
    std::int8_t side;
    bool wins;
  };

  const DarkChessLayer& layer(int side) const { return layers_.layer(ids_[side]); }
  // The side with the layer that a quiet step leads to, and from.
  int across(int side) const { return sides_ == 1 ? 0 : 1 - side; }

  // The best value of a flip or capture of each position, and the number of its quiet steps.
  void find_exits(int side) {
    const DarkChessLayer& own = layer(side);
    for (std::int64_t number = 0; number < own.size; ++number) {
      const SmallDarkChess position = layers_.at(own, number);
      std::int64_t least = number;
      for (int image = 0; image < SetImages::kImages && least == number; ++image)
        least = std::min(least, layers_.rank(own, images_.of(position, image, layers_.types())));
      const bool is_known = least < number;
      exits_[side][number] = is_known ? exits_[side][least] : exit_of(position, ids_[side]);
      steps_[side][number] =
          is_known ? steps_[side][least] : static_cast<std::uint8_t>(moves_.count_quiet(position));
      const int exit = exits_[side][number];
      if (exit > 0)
        add(side, number, exit, true);
      else if (steps_[side][number] == 0 && exit != 0)
        add(side, number, exit == kNoExit ? kStored : -exit, false);
    }
  }

  std::int16_t exit_of(const SmallDarkChess& position, int id) {
    int best = kNoExit;
    moves_.for_each_capture(position, [&](const SmallDarkChess& after, int victim) {
      best = std::max(best, value_after(after, layers_.captured(id, victim)));
    });
    const DarkChessLayer& own = layers_.layer(id);
    for (unsigned cells = position.hidden; cells != 0; cells &= cells - 1) {
      const int cell = std::countr_zero(cells);
      int sum = 0;
      for (int type = 0; type < 2 * layers_.types(); ++type)
        if (position.pool[type] > 0)
          sum += position.pool[type] *
                 value_after(moves_.flipped(position, cell, type), layers_.revealed(id, type));
      best = std::max(best, sum / own.hidden);  // a whole number
    }
    return static_cast<std::int16_t>(best);
  }

  // The value of a move to a position of another layer, whose id is told before the exchange.
  int value_after(const SmallDarkChess& after, int id) {
    const int exchanged = layers_.exchanged(id);
    solved_.lookups_ += 1;
    return layers_.layer(exchanged).size == 0 ? kStored : -solved_.stored(after, exchanged);
  }

  void add(int side, std::int64_t number, int value, bool wins) {
    waiting_[value].push_back(
        {static_cast<std::int32_t>(number), static_cast<std::int8_t>(side), wins});
  }

  void spread() {
    for (int value = kStored; value > 0; --value) {
      std::vector<Entry>& entries = waiting_[value];
      while (!entries.empty()) {
        const Entry entry = entries.back();
        entries.pop_back();
        if (decided_[entry.side][entry.number]) continue;
        decided_[entry.side][entry.number] = true;
        solved_.values_[layer(entry.side).first + entry.number] =
            static_cast<std::int16_t>(entry.wins ? value : -value);
        spread_from(entry, value);
      }
    }
  }

  void spread_from(const Entry& entry, int value) {
    const int side = across(entry.side);
    const DarkChessLayer& before = layer(side);
    moves_.for_each_before(layers_.at(layer(entry.side), entry.number),
                           [&](const SmallDarkChess& position) {
                             const std::int64_t number = layers_.rank(before, position);
                             solved_.lookups_ += 1;
                             if (decided_[side][number]) return;
                             if (!entry.wins) {
                               add(side, number, value, true);
                             } else if (--steps_[side][number] == 0) {
                               const int best = std::max<int>(exits_[side][number], -value);
                               if (best < 0) add(side, number, -best, false);
                             }
                           });
  }

  SolvedDarkChess& solved_;
  const DarkChessLayers& layers_;
  SmallDarkChessMoves moves_;
  SetImages images_;
  std::array<int, 2> ids_{};
  int sides_ = 1;
  std::array<std::vector<std::int16_t>, 2> exits_;
  std::array<std::vector<std::uint8_t>, 2> steps_;  // quiet ones to positions not yet decided
  std::array<std::vector<bool>, 2> decided_;
  std::vector<std::vector<Entry>> waiting_ = std::vector<std::vector<Entry>>(kStored + 1);
};

SolvedDarkChess::SolvedDarkChess(const DarkChessGeometry& geometry, const KindCounts& material)
    : geometry_(geometry),
      material_(material),
      layers_((checked_kinds(geometry, material), geometry), material),
      values_(static_cast<std::size_t>(layers_.positions()), 0) {
  LayerSolver solver(*this);
  for (const int id : layers_.order())
    if (layers_.exchanged(id) >= id) solver.solve(id);
}

int SolvedDarkChess::value(const DarkChessBoard& board) const {
  if (board.color >= 0) {
    if (!board.has_pieces(board.color)) return -kWhole;
    if (!board.has_pieces(1 - board.color)) return kWhole;
    const SmallDarkChess position = layers_.of_board(board);
    return stored(position, layers_.id_of(position)) * kUnit;
  }
  int best = -kWhole;
  for (int cell = 0; cell < geometry_.cells; ++cell) best = std::max(best, flip_value(board, cell));
  return best;
}

int SolvedDarkChess::flip_value(const DarkChessBoard& board, int cell) const {
  int sum = 0;
  for (int code = 0; code < kPieceCodes; ++code) {
    if (board.pool[code] == 0) continue;
    DarkChessBoard after = board;
    after.flip(cell, code);
    sum -= board.pool[code] * value(after);
  }
  return sum / board.hidden_count();
}

std::vector<std::pair<DarkChessAction, int>> SolvedDarkChess::action_values(
    const DarkChessBoard& board) const {
  std::vector<std::pair<DarkChessAction, int>> out;
  for (const DarkChessAction& action : board.actions()) {
    if (action.is_flip()) {
      out.emplace_back(action, flip_value(board, action.from));
      continue;
    }
    DarkChessBoard after = board;
    after.move(action.from, action.to);
    out.emplace_back(action, -value(after));
  }
  return out;
}

std::vector<ValueCount> SolvedDarkChess::distribution() const {
  const SmallDarkChessMoves moves(geometry_, layers_);
  std::vector<bool> reached(values_.size(), false);
  std::vector<std::pair<int, std::int32_t>> open;
  std::map<int, std::int64_t> counts;
  const auto reach = [&](const SmallDarkChess& position, int id) {
    const DarkChessLayer& layer = layers_.layer(id);
    if (layer.size == 0) return;  // an end
    const std::int64_t number = layers_.rank(layer, position);
    if (reached[layer.first + number]) return;
    reached[layer.first + number] = true;
    counts[values_[layer.first + number] * kUnit] += 2;  // either color is to move
    open.emplace_back(id, static_cast<std::int32_t>(number));
  };
  DarkChessBoard start(geometry_, material_);
  counts[value(start)] += 1;
  for (int cell = 0; cell < geometry_.cells; ++cell)
    for (int code = 0; code < kPieceCodes; ++code) {
      if (start.pool[code] == 0) continue;
      DarkChessBoard after = start;
      after.flip(cell, code);
      const SmallDarkChess position = layers_.of_board(after);
      reach(position, layers_.id_of(position));
    }
  while (!open.empty()) {
    const auto [id, number] = open.back();
    open.pop_back();
    const SmallDarkChess position = layers_.at(layers_.layer(id), number);
    const int across = layers_.exchanged(id);
    moves.for_each_quiet(position, [&](const SmallDarkChess& after) { reach(after, across); });
    moves.for_each_capture(position, [&](const SmallDarkChess& after, int victim) {
      reach(after, layers_.exchanged(layers_.captured(id, victim)));
    });
    for (unsigned cells = position.hidden; cells != 0; cells &= cells - 1)
      for (int type = 0; type < 2 * layers_.types(); ++type)
        if (position.pool[type] > 0)
          reach(moves.flipped(position, std::countr_zero(cells), type),
                layers_.exchanged(layers_.revealed(id, type)));
  }
  std::vector<ValueCount> out;
  for (const auto& [value, positions] : counts) out.push_back({value, positions});
  return out;
}

}  // namespace sparring
