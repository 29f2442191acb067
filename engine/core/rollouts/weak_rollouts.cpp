#include "rollouts/weak_rollouts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "agents/einstein_steps.h"
#include "rollouts/one_ply_heuristic.h"

namespace sparring {

namespace {

constexpr int kLongest = 3;  // moves for each point of the board

// Draws a move by the softmax of greed times the heuristic; overwrites the heuristic's values.
int draw(std::vector<float>& liking, double greed, Random& random) {
  const float most = *std::max_element(liking.begin(), liking.end());
  double total = 0.0;
  for (float& each : liking) {
    each = each == kNotConsidered ? 0.0f : static_cast<float>(std::exp(greed * (each - most)));
    total += each;
  }
  double left = random.uniform() * total;
  int last = -1;
  for (int move = 0; move < static_cast<int>(liking.size()); ++move) {
    if (liking[move] == 0.0f) continue;
    last = move;
    if ((left -= liking[move]) < 0) break;
  }
  return last;
}

template <typename Position>
int longest_of(const Position& position) {
  // Games of chance end by their own rules.
  if constexpr (ChanceGame<Position>) return std::numeric_limits<int>::max();
  return kLongest * position.width() * position.height();
}

// A legal move with an outcome by the exact probabilities.
int with_outcome(const DarkChessPosition& position, int move, Random& random) {
  return position.is_flip(move) ? position.with_outcome(move, position.board().draw(random)) : move;
}

int with_outcome(const EinsteinPosition& position, int move, Random& random) {
  return with_die(position, move, random);
}

// Black's share of a finished game.
template <typename Position>
double play_out(Position position, double greed, std::vector<float>& liking, Random& random) {
  const int longest = longest_of(position);
  for (int played = 0; !position.is_over(); ++played) {
    if (played == longest) return 0.5;
    if (greed == 0)
      uniform_heuristic(position, liking.data());
    else
      one_ply_heuristic(position, liking.data());
    const int move = draw(liking, greed, random);
    if constexpr (ChanceGame<Position>)
      position.play(with_outcome(position, move, random));
    else
      position.play(move);
  }
  return position.outcome().black_win;
}

template <typename Position>
double wins(const Position& position, double greed, int games, Random& random) {
  std::vector<float> liking(position.move_count());
  double black = 0.0;
  for (int game = 0; game < games; ++game) black += play_out(position, greed, liking, random);
  return (position.to_move() == 0 ? black : games - black) / games;
}

}  // namespace

double weak_wins(const Connect4Position& position, double greed, int games, Random& random) {
  return wins(position, greed, games, random);
}

double weak_wins(const OthelloPosition& position, double greed, int games, Random& random) {
  return wins(position, greed, games, random);
}

double weak_wins(const DarkChessPosition& position, double greed, int games, Random& random) {
  return wins(position, greed, games, random);
}

double weak_wins(const EinsteinPosition& position, double greed, int games, Random& random) {
  return wins(position, greed, games, random);
}

double weak_wins(const GoPosition& position, double greed, int games, Random& random) {
  return wins(position, greed, games, random);
}

}  // namespace sparring
