#include "solvers/darkchess_layers.h"

#include <algorithm>
#include <bit>

namespace sparring {

namespace {

constexpr int kSets = 256;  // of 8 cells

// Ranks of sets of cells, and the cells of a set numbered within another one.
struct SetTables {
  std::array<std::array<std::int32_t, 9>, 9> choose{};            // [cells][chosen]
  std::array<std::uint8_t, kSets> rank{};                         // among the sets of its size
  std::array<std::array<std::uint8_t, kSets>, 9> at{};            // [size][rank]
  std::array<std::array<std::uint8_t, kSets>, kSets> packed{};    // [within][set]
  std::array<std::array<std::uint8_t, kSets>, kSets> unpacked{};  // [within][packed set]

  SetTables() {
    for (int cells = 0; cells <= 8; ++cells)
      for (int chosen = 0; chosen <= cells; ++chosen)
        choose[cells][chosen] = chosen == 0 || chosen == cells
                                    ? 1
                                    : choose[cells - 1][chosen - 1] + choose[cells - 1][chosen];
    std::array<int, 9> known{};
    for (int set = 0; set < kSets; ++set) {  // the sets of fewer cells keep their ranks
      const int size = std::popcount(static_cast<unsigned>(set));
      rank[set] = static_cast<std::uint8_t>(known[size]);
      at[size][known[size]++] = static_cast<std::uint8_t>(set);
    }
    for (int within = 0; within < kSets; ++within)
      for (int set = 0; set < kSets; ++set) {
        int index = 0, narrow = 0, wide = 0;
        for (int cell = 0; cell < 8; ++cell) {
          if ((within >> cell & 1) == 0) continue;
          narrow |= (set >> cell & 1) << index;
          wide |= (set >> index & 1) << cell;
          ++index;
        }
        packed[within][set] = static_cast<std::uint8_t>(narrow);
        unpacked[within][set] = static_cast<std::uint8_t>(wide);
      }
  }
};

const SetTables& tables() {
  static const SetTables made;
  return made;
}

}  // namespace

DarkChessLayers::DarkChessLayers(const DarkChessGeometry& geometry, const KindCounts& material)
    : cells_(geometry.cells) {
  for (int kind = 0; kind < kDarkChessKinds; ++kind)
    if (material[kind] > 0) kinds_[types_++] = kind;
  // An id counts the unrevealed pieces of each type, then the face-up ones.
  for (int type = 0; type < types_; ++type) {
    const int radix = material[kinds_[type]] + 1;
    pool_step_[type] = half_;
    face_step_[type] = half_ * radix;
    half_ *= radix * radix;
  }
  for (int type = 0; type < types_; ++type) {
    pool_step_[type + types_] = pool_step_[type] * half_;
    face_step_[type + types_] = face_step_[type] * half_;
  }
  const SetTables& sets = tables();
  layers_.resize(static_cast<std::size_t>(half_) * half_);
  for (int id = 0; id < half_ * half_; ++id) {
    DarkChessLayer& layer = layers_[id];
    bool exists = true;
    std::array<int, 2> of_side{};
    int face_up = 0;
    for (int type = 0; type < 2 * types_; ++type) {
      const int most = material[kind(type)];
      layer.pool[type] = static_cast<std::uint8_t>(id / pool_step_[type] % (most + 1));
      layer.face_up[type] = static_cast<std::uint8_t>(id / face_step_[type] % (most + 1));
      exists = exists && layer.pool[type] + layer.face_up[type] <= most;
      of_side[type / types_] += layer.pool[type] + layer.face_up[type];
      layer.hidden += layer.pool[type];
      face_up += layer.face_up[type];
    }
    // The start, of which no color is to move, is no layer.
    if (!exists || of_side[0] == 0 || of_side[1] == 0 || layer.hidden == cells_) continue;
    layer.pieces = layer.hidden + face_up;
    layer.hidden_stride = 1;
    std::int64_t stride = sets.choose[cells_][layer.hidden];
    int free = cells_ - layer.hidden;
    for (int type = 0; type < 2 * types_; ++type) {
      if (layer.face_up[type] == 0) continue;
      layer.type[layer.used] = static_cast<std::uint8_t>(type);
      layer.stride[layer.used++] = static_cast<std::int32_t>(stride);
      stride *= sets.choose[free][layer.face_up[type]];
      free -= layer.face_up[type];
    }
    layer.size = stride;
    order_.push_back(id);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](int one, int other) {
    const DarkChessLayer &a = layers_[one], &b = layers_[other];
    return a.pieces != b.pieces ? a.pieces < b.pieces : a.hidden < b.hidden;
  });
  for (const int id : order_) {
    layers_[id].first = positions_;
    positions_ += layers_[id].size;
  }
}

int DarkChessLayers::id_of(const SmallDarkChess& position) const {
  int id = 0;
  for (int type = 0; type < 2 * types_; ++type)
    id += position.pool[type] * pool_step_[type] +
          std::popcount(position.cells[type]) * face_step_[type];
  return id;
}

std::int64_t DarkChessLayers::rank(const DarkChessLayer& layer,
                                   const SmallDarkChess& position) const {
  static const SetTables& sets = tables();
  std::int64_t rank = sets.rank[position.hidden];
  std::uint8_t free = static_cast<std::uint8_t>(~position.hidden);
  for (int i = 0; i < layer.used; ++i) {
    const std::uint8_t cells = position.cells[layer.type[i]];
    rank += static_cast<std::int64_t>(sets.rank[sets.packed[free][cells]]) * layer.stride[i];
    free = static_cast<std::uint8_t>(free & ~cells);
  }
  return rank;
}

SmallDarkChess DarkChessLayers::at(const DarkChessLayer& layer, std::int64_t rank) const {
  static const SetTables& sets = tables();
  SmallDarkChess out;
  out.pool = layer.pool;
  std::array<int, SmallDarkChess::kMostTypes> ranks{};
  for (int i = layer.used - 1; i >= 0; --i) {
    ranks[i] = static_cast<int>(rank / layer.stride[i]);
    rank %= layer.stride[i];
  }
  out.hidden = sets.at[layer.hidden][rank];
  std::uint8_t free = static_cast<std::uint8_t>(~out.hidden);
  for (int i = 0; i < layer.used; ++i) {
    const int type = layer.type[i];
    const std::uint8_t cells = sets.unpacked[free][sets.at[layer.face_up[type]][ranks[i]]];
    out.cells[type] = cells;
    free = static_cast<std::uint8_t>(free & ~cells);
  }
  return out;
}

SmallDarkChess DarkChessLayers::of_board(const DarkChessBoard& board) const {
  SmallDarkChess out;
  out.hidden = static_cast<std::uint8_t>(board.hidden);
  for (int type = 0; type < 2 * types_; ++type) {
    const int color = type < types_ ? board.color : 1 - board.color;
    const int code = piece_code(color, kind(type));
    out.cells[type] = static_cast<std::uint8_t>(board.pieces[code]);
    out.pool[type] = board.pool[code];
  }
  return out;
}

}  // namespace sparring
