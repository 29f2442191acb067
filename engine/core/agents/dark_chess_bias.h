// The heuristic of DarkKnight's progressive bias: what an action gains or loses at once (Hsueh
// 2019, section 2.5). "Capturable" means by a step, never by a jump.
#pragma once

#include <array>

#include "darkchess/darkchess_board.h"

namespace sparring {

// The weights of the kinds: DIABLO's divided by 100.
inline constexpr std::array<double, kDarkChessKinds> kPieceWeights = {55, 50, 25, 10, 8, 30, 8};

struct DarkChessBias {
  double curb = 0.25;        // of a piece curbed from a diagonal cell; 0: H^B alone
  double flip = 1.0 / 12.0;  // of a piece that a flipped one may capture, or the other way
  bool values_flips = true;  // false: flips have no bias

  // For the color to move. A flip's bias is its expected one over the pieces it may reveal.
  double operator()(const DarkChessBoard& board, const DarkChessAction& action) const;

 private:
  double of_move(const DarkChessBoard& board, const DarkChessAction& action) const;
  double of_flip(const DarkChessBoard& board, int cell) const;
};

// The own weights less the opponent's, of all remaining pieces, for a color.
double weight_lead(const DarkChessBoard& board, int color);

}  // namespace sparring
