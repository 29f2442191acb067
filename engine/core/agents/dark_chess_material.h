// The likely outcome of a combination of material in dark chess, for early playout termination
// (Hsueh 2019, section 2.2 and appendix A). Face-down pieces count with their kinds.
#pragma once

#include <array>
#include <cstdint>

#include "darkchess/darkchess_board.h"

namespace sparring {

enum class LikelyOutcome : std::int8_t { kUnknown, kRedWins, kBlackWins, kDraw };

// The remaining pieces of both sides by color and kind.
using Material = std::array<KindCounts, 2>;

Material material_of(const DarkChessBoard& board);

// The outcome by the rules; one of the sides must have a piece, and neither more pieces of a kind
// than the usual material.
LikelyOutcome likely_outcome(const Material& material);

// A number of one side's material, below kSideMaterials; a captured piece lowers it by its step.
inline constexpr int kSideMaterials = 2 * 3 * 3 * 3 * 3 * 3 * 6;
inline constexpr std::array<int, kDarkChessKinds> kMaterialSteps = {1458, 486, 162, 54, 18, 6, 1};
int material_number(const KindCounts& counts);

// The same outcomes by numbers, computed when first needed; for any number of threads.
class LikelyOutcomes {
 public:
  static LikelyOutcome of(int red_number, int black_number);
};

// The number of combinations with each outcome, in the order of LikelyOutcome.
std::array<std::int64_t, 4> count_likely_outcomes();

}  // namespace sparring
