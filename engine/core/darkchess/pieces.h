// The pieces of dark chess: kinds, codes, material, and captures by a step.
#pragma once

#include <array>
#include <cstdint>

namespace sparring {

// The kinds in order of rank. Ministers are elephants, and rooks chariots, in other translations.
enum DarkChessKind { kKing, kGuard, kMinister, kRook, kKnight, kCannon, kPawn, kDarkChessKinds };

// A piece's code is color * 7 + kind; colors are 0 red and 1 black.
inline constexpr int kPieceCodes = 2 * kDarkChessKinds;
constexpr int piece_code(int color, int kind) { return color * kDarkChessKinds + kind; }
constexpr int color_of(int code) { return code / kDarkChessKinds; }
constexpr int kind_of(int code) { return code % kDarkChessKinds; }

// Pieces of each kind.
using KindCounts = std::array<std::uint8_t, kDarkChessKinds>;
// Pieces of each code.
using CodeCounts = std::array<std::uint8_t, kPieceCodes>;

constexpr int count_of(const KindCounts& counts) {
  int sum = 0;
  for (const std::uint8_t count : counts) sum += count;
  return sum;
}

// The usual material of one side on 4x8: 16 pieces.
inline constexpr KindCounts kUsualMaterial = {1, 2, 2, 2, 2, 2, 5};

// The kinds that each kind captures by a step, as bits: its own rank and lower ones. The king
// spares pawns, a pawn captures the king, and a cannon captures by jumps alone.
inline constexpr std::array<std::uint8_t, kDarkChessKinds> kStepVictims = {
    0b0111111, 0b1111110, 0b1111100, 0b1111000, 0b1110000, 0, 0b1000001};

constexpr bool captures_by_step(int kind, int victim) { return kStepVictims[kind] >> victim & 1; }

}  // namespace sparring
