#include "othello/othello_patterns.h"

#include <algorithm>

namespace sparring {

namespace {

using Bits = std::uint64_t;

// Bits 0..N-1 are the top row.
template <int N>
Bits upside_down(Bits b) {
  return __builtin_bswap64(b) >> (8 * (8 - N));
}

// Mirrors the board at the diagonal from the top left.
Bits transposed(Bits b) {
  Bits t = (b ^ (b >> 7)) & 0x00AA00AA00AA00AAULL;
  b ^= t ^ (t << 7);
  t = (b ^ (b >> 14)) & 0x0000CCCC0000CCCCULL;
  b ^= t ^ (t << 14);
  t = (b ^ (b >> 28)) & 0x00000000F0F0F0F0ULL;
  return b ^ t ^ (t << 28);
}

// The four turns of a board; each brings another edge to the top and another corner to the left.
template <int N>
std::array<Bits, 4> turns(Bits b) {
  const Bits across = transposed(b);
  const Bits quarter = upside_down<N>(across);
  const Bits down = upside_down<N>(b);
  const Bits three_quarters = transposed(down);
  return {b, quarter, upside_down<N>(transposed(quarter)), three_quarters};
}

// The cells (i, i + offset) as bits 0..; a multiplication gathers their rows in one byte.
template <int N>
constexpr Bits diagonal_mask(int offset) {
  Bits mask = 0;
  for (int i = 0; i + offset < N; ++i) mask |= Bits{1} << (8 * i + i + offset);
  return mask;
}

unsigned diagonal(Bits b, Bits mask, int offset) {
  return static_cast<unsigned>(((b & mask) * 0x0101010101010101ULL) >> 56) >> offset;
}

int power_of_3(int exponent) { return exponent == 0 ? 1 : 3 * power_of_3(exponent - 1); }

// The number of cells of each kind, in the order of the kinds.
template <int N>
std::array<int, OthelloPatterns<N>::kKinds> kind_cells() {
  std::array<int, OthelloPatterns<N>::kKinds> cells{N + 2, 9, 10};
  int kind = 3;
  for (int line = 0; line < OthelloPatterns<N>::kLines; ++line) cells[kind++] = N;
  for (int length = N; length >= 4; --length) cells[kind++] = length;
  return cells;
}

// The place of each cell of a kind in its mirror image; the corner block has none of its own.
std::vector<int> mirror_of(int kind, int cells, int board) {
  std::vector<int> mirror(cells);
  for (int i = 0; i < cells; ++i) mirror[i] = i;
  if (kind == 2) return mirror;
  if (kind == 1) {
    for (int i = 0; i < 9; ++i) mirror[i] = i % 3 * 3 + i / 3;
  } else {
    const int line = kind == 0 ? board : cells;
    for (int i = 0; i < line; ++i) mirror[i] = line - 1 - i;
    if (kind == 0) std::swap(mirror[board], mirror[board + 1]);
  }
  return mirror;
}

std::uint32_t mirrored(std::uint32_t state, const std::vector<int>& mirror) {
  std::uint32_t image = 0;
  for (const int place : mirror) {
    image += state % 3 * power_of_3(place);
    state /= 3;
  }
  return image;
}

}  // namespace

template <int N>
OthelloPatterns<N>::OthelloPatterns() {
  for (int bits = 0; bits < 1024; ++bits) {
    int straight = 0;
    int backwards = 0;
    for (int i = 0; i < 10; ++i) {
      if (!(bits >> i & 1)) continue;
      straight += power_of_3(i);
      backwards += power_of_3(i < 5 ? 4 - i : 14 - i);
    }
    ternary_[bits] = static_cast<std::uint16_t>(straight);
    ternary_of_mirrored_[bits] = static_cast<std::uint16_t>(backwards);
  }
}

template <int N>
const std::array<PatternKind, OthelloPatterns<N>::kKinds>& OthelloPatterns<N>::kinds() {
  static const auto table = [] {
    std::array<PatternKind, kKinds> kinds{};
    int first = 0;
    const auto cells = kind_cells<N>();
    for (int kind = 0; kind < kKinds; ++kind) {
      kinds[kind] = {first, power_of_3(cells[kind])};
      first += kinds[kind].states;
    }
    return kinds;
  }();
  return table;
}

template <int N>
int OthelloPatterns<N>::states() {
  return kinds().back().first + kinds().back().states;
}

template <int N>
void OthelloPatterns<N>::read(std::uint64_t own, std::uint64_t other, Indices& out) const {
  constexpr unsigned kRow = (1u << N) - 1;
  const auto own_turns = turns<N>(own);
  const auto other_turns = turns<N>(other);
  const auto& all = kinds();
  std::uint32_t* next = out.data();
  const auto add = [&](int kind, unsigned mine, unsigned theirs) {
    *next++ = all[kind].first + ternary_[mine] + 2u * ternary_[theirs];
  };
  const auto edge = [](Bits b) {
    const auto row = static_cast<unsigned>(b) & kRow;
    return row | static_cast<unsigned>(b >> 9 & 1) << N |
           static_cast<unsigned>(b >> (8 + N - 2) & 1) << (N + 1);
  };
  const auto corner = [](Bits b) {
    return static_cast<unsigned>((b & 7) | (b >> 5 & 0x38) | (b >> 10 & 0x1C0));
  };
  const auto left_block = [](Bits b) {
    return static_cast<unsigned>((b & 0x1F) | (b >> 3 & 0x3E0));
  };
  const auto right_block = [](Bits b) {
    return static_cast<unsigned>((b >> (N - 5) & 0x1F) | (b >> (8 + N - 10) & 0x3E0));
  };
  for (int turn = 0; turn < 4; ++turn) {
    const Bits mine = own_turns[turn];
    const Bits theirs = other_turns[turn];
    add(0, edge(mine), edge(theirs));
    add(1, corner(mine), corner(theirs));
    add(2, left_block(mine), left_block(theirs));
    *next++ = all[2].first + ternary_of_mirrored_[right_block(mine)] +
              2u * ternary_of_mirrored_[right_block(theirs)];
    for (int line = 1; line <= kLines; ++line)
      add(2 + line, static_cast<unsigned>(mine >> (8 * line)) & kRow,
          static_cast<unsigned>(theirs >> (8 * line)) & kRow);
    for (int offset = turn < 2 ? 0 : 1; offset < kDiagonals; ++offset) {
      const Bits mask = diagonal_mask<N>(offset);
      add(3 + kLines + offset, diagonal(mine, mask, offset), diagonal(theirs, mask, offset));
    }
  }
}

template <int N>
std::vector<std::uint32_t> OthelloPatterns<N>::shared_states() {
  std::vector<std::uint32_t> shared(states());
  const auto cells = kind_cells<N>();
  for (int kind = 0; kind < kKinds; ++kind) {
    const std::vector<int> mirror = mirror_of(kind, cells[kind], N);
    const int first = kinds()[kind].first;
    for (int state = 0; state < kinds()[kind].states; ++state)
      shared[first + state] =
          first +
          std::min<std::uint32_t>(state, mirrored(static_cast<std::uint32_t>(state), mirror));
  }
  return shared;
}

template class OthelloPatterns<6>;
template class OthelloPatterns<8>;

}  // namespace sparring
