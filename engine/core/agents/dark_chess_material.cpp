#include "agents/dark_chess_material.h"

#include <atomic>
#include <memory>

namespace sparring {

namespace {

constexpr std::int8_t kNotComputed = -1;

// The kinds of which a side has a piece, as bits.
int kinds_of(const KindCounts& counts) {
  int kinds = 0;
  for (int kind = 0; kind < kDarkChessKinds; ++kind)
    if (counts[kind] > 0) kinds |= 1 << kind;
  return kinds;
}

// The kinds among these that capture the kind by a step, as bits.
int capturers(int kinds, int victim) {
  int out = 0;
  for (int kind = 0; kind < kDarkChessKinds; ++kind)
    if ((kinds >> kind & 1) != 0 && captures_by_step(kind, victim)) out |= 1 << kind;
  return out;
}

// Rule D1: cannons, perhaps with the king, against pawns and cannons.
bool cannot_catch(const KindCounts& one, const KindCounts& other) {
  constexpr int kKingAndCannon = 1 << kKing | 1 << kCannon,
                kPawnAndCannon = 1 << kPawn | 1 << kCannon;
  const int own = kinds_of(one), enemy = kinds_of(other);
  return one[kCannon] > 0 && (own & ~kKingAndCannon) == 0 && enemy != 0 &&
         (enemy & ~kPawnAndCannon) == 0 && other[kPawn] >= one[kKing];
}

// Rule D2: a single enemy piece that nothing captures alone keeps two pieces at bay.
bool keeps_at_bay(const KindCounts& one, const KindCounts& other) {
  if (one[kCannon] > 0 && other[kCannon] > 0) return false;
  if (count_of(one) == 2 && count_of(other) >= 3 && other[kCannon] > 0) return false;
  const int own = kinds_of(one), enemy = kinds_of(other);
  for (int piece = 0; piece < kDarkChessKinds; ++piece) {
    if (piece == kCannon || other[piece] != 1 || capturers(own, piece) != 0) continue;
    int held = 0;
    for (int kind = 0; kind < kDarkChessKinds; ++kind)
      if (one[kind] > 0 && capturers(enemy, kind) == 1 << piece) held += one[kind];
    if (held >= 2) return true;
  }
  return false;
}

// Rules W1 to W4.
bool is_likely_win(const KindCounts& one, const KindCounts& other) {
  const int own = kinds_of(one), enemy = kinds_of(other);
  if (enemy == 0) return own != 0;
  int dominating = 0, limited = 0;
  bool captures_any = false;
  for (int kind = 0; kind < kDarkChessKinds; ++kind) {
    if (one[kind] == 0 || kind == kCannon) continue;
    captures_any = captures_any || (kStepVictims[kind] & enemy) != 0;
    if ((enemy & ~kStepVictims[kind]) != 0) continue;
    const int hunters = capturers(enemy, kind);
    if (hunters == 0) dominating += one[kind];
    if (hunters == 1 << kind) limited += one[kind];
  }
  if (other[kCannon] < 2 && (dominating >= 2 || (dominating == 1 && limited >= 1))) return true;
  return count_of(other) == 1 && captures_any && count_of(one) >= 2;
}

KindCounts counts_of(int number) {
  KindCounts counts{};
  for (int kind = 0; kind < kDarkChessKinds; ++kind) {
    counts[kind] = static_cast<std::uint8_t>(number / kMaterialSteps[kind]);
    number %= kMaterialSteps[kind];
  }
  return counts;
}

}  // namespace

Material material_of(const DarkChessBoard& board) {
  Material material{};
  for (int code = 0; code < kPieceCodes; ++code)
    material[color_of(code)][kind_of(code)] =
        static_cast<std::uint8_t>(std::popcount(board.pieces[code]) + board.pool[code]);
  return material;
}

LikelyOutcome likely_outcome(const Material& material) {
  const auto& [red, black] = material;
  if (is_likely_win(red, black)) return LikelyOutcome::kRedWins;
  if (is_likely_win(black, red)) return LikelyOutcome::kBlackWins;
  const bool is_drawn = cannot_catch(red, black) || cannot_catch(black, red) ||
                        keeps_at_bay(red, black) || keeps_at_bay(black, red);
  return is_drawn ? LikelyOutcome::kDraw : LikelyOutcome::kUnknown;
}

int material_number(const KindCounts& counts) {
  int number = 0;
  for (int kind = 0; kind < kDarkChessKinds; ++kind) number += counts[kind] * kMaterialSteps[kind];
  return number;
}

LikelyOutcome LikelyOutcomes::of(int red_number, int black_number) {
  static const auto table = [] {
    constexpr std::size_t kSize = std::size_t{kSideMaterials} * kSideMaterials;
    auto entries = std::make_unique<std::atomic<std::int8_t>[]>(kSize);
    for (std::size_t i = 0; i < kSize; ++i)
      entries[i].store(kNotComputed, std::memory_order_relaxed);
    return entries;
  }();
  std::atomic<std::int8_t>& entry = table[std::size_t{kSideMaterials} * red_number + black_number];
  std::int8_t value = entry.load(std::memory_order_relaxed);
  if (value == kNotComputed) {
    value =
        static_cast<std::int8_t>(likely_outcome({counts_of(red_number), counts_of(black_number)}));
    entry.store(value, std::memory_order_relaxed);
  }
  return static_cast<LikelyOutcome>(value);
}

std::array<std::int64_t, 4> count_likely_outcomes() {
  std::array<std::int64_t, 4> counts{};
  for (int red = 0; red < kSideMaterials; ++red)
    for (int black = 0; black < kSideMaterials; ++black)
      if (red + black > 0)
        counts[static_cast<int>(likely_outcome({counts_of(red), counts_of(black)}))] += 1;
  return counts;
}

}  // namespace sparring
