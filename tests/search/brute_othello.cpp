// Scores Othello endings the plain way, to check the solver by: squares in an array, discs turned
// one by one, alpha-beta with the moves that leave the fewest replies first. Shares no code with
// the core. Reads lines of `size board side`, the board in X, O and -, the side to move X or O;
// prints the score of each for that side, empty squares to the winner.
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

struct Game {
  int size;
  std::string squares;

  char at(int x, int y) const {
    return x < 0 || y < 0 || x >= size || y >= size ? '#' : squares[y * size + x];
  }
  // Turns what `side` captures by this square and puts its disc there; the number of discs turned.
  int play(int square, char side) {
    if (squares[square] != '-') return 0;
    const int x = square % size, y = square / size;
    int turned = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        int count = 0;
        while (true) {
          const char disc = at(x + dx * (count + 1), y + dy * (count + 1));
          if (disc == side) break;
          if (disc == '-' || disc == '#') {
            count = 0;
            break;
          }
          ++count;
        }
        for (int i = 1; i <= count; ++i) squares[(y + dy * i) * size + x + dx * i] = side;
        turned += count;
      }
    if (turned > 0) squares[square] = side;
    return turned;
  }
};

char other(char side) { return side == 'X' ? 'O' : 'X'; }

std::vector<std::pair<int, Game>> moves_of(const Game& game, char side) {
  std::vector<std::pair<int, Game>> moves;
  for (int square = 0; square < game.size * game.size; ++square) {
    Game next = game;
    if (next.play(square, side) > 0) moves.emplace_back(0, next);
  }
  return moves;
}

int final_score(const Game& game, char side) {
  const auto count = [&](char disc) {
    return static_cast<int>(std::count(game.squares.begin(), game.squares.end(), disc));
  };
  const int lead = count(side) - count(other(side));
  return lead == 0 ? 0 : lead > 0 ? lead + count('-') : lead - count('-');
}

int score_of(const Game& game, char side, int alpha, int beta, bool passed) {
  auto moves = moves_of(game, side);
  if (moves.empty()) {
    if (passed) return final_score(game, side);
    return -score_of(game, other(side), -beta, -alpha, true);
  }
  for (auto& [replies, next] : moves)
    replies = static_cast<int>(moves_of(next, other(side)).size());
  std::stable_sort(moves.begin(), moves.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [replies, next] : moves) {
    alpha = std::max(alpha, -score_of(next, other(side), -beta, -alpha, false));
    if (alpha >= beta) break;
  }
  return alpha;
}

int main() {
  Game game;
  char side;
  while (std::cin >> game.size >> game.squares >> side) {
    const int most = game.size * game.size;
    std::cout << score_of(game, side, -most, most, false) << std::endl;
  }
}
