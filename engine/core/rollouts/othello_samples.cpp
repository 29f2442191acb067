#include "rollouts/othello_samples.h"

#include <algorithm>

#include "rollouts/othello_quick_games.h"

namespace sparring {

namespace {

constexpr float kMost = 1000.0f;

// The first guess of a position's value, without learned weights.
template <int N>
float first_guess(const OthelloBoard<N>& board) {
  using Board = OthelloBoard<N>;
  constexpr auto kCorners = Board::bit(0) | Board::bit(N - 1) | Board::bit((N - 1) * Board::kRow) |
                            Board::bit((N - 1) * Board::kRow + N - 1);
  const int corners = count_bits(board.own & kCorners) - count_bits(board.other & kCorners);
  const int moves = count_bits(board.moves()) - count_bits(board.swapped().moves());
  return static_cast<float>(10 * corners + moves);
}

template <int N>
struct Player {
  using Board = OthelloBoard<N>;
  struct Move {
    int square;
    float score;  // the mover's
  };

  const OthelloLinear<N>* evaluation;

  float judge(const Board& board) const {
    if (board.own == 0 || board.other == 0) return static_cast<float>(final_score(board));
    return evaluation ? evaluation->score(board) : first_guess(board);
  }

  // Moves with their boards, ordered by the opponent's number of replies.
  static int ordered(const Board& board, std::array<std::pair<int, int>, 64>& out) {
    int count = 0;
    for (auto moves = board.moves(); moves != 0; moves &= moves - 1) {
      const int square = lowest_bit(moves);
      Board after = board;
      after.play(square);
      out[count++] = {count_bits(after.moves()), square};
    }
    std::sort(out.begin(), out.begin() + count);
    return count;
  }

  // Alpha-beta to a depth, or to the end with `exact`.
  float search(const Board& board, int depth, float alpha, float beta, bool exact) const {
    if (!exact && depth <= 0) return judge(board);
    const auto moves = board.moves();
    if (moves == 0) {
      if (board.swapped().moves() == 0) return static_cast<float>(final_score(board));
      return -search(board.swapped(), depth, -beta, -alpha, exact);
    }
    float best = -kMost;
    const auto try_square = [&](int square) {
      Board after = board;
      after.play(square);
      best = std::max(best, -search(after, depth - 1, -beta, -std::max(alpha, best), exact));
      return best >= beta;
    };
    if (exact ? board.count_empty() > 5 : depth > 1) {
      std::array<std::pair<int, int>, 64> order;
      const int count = ordered(board, order);
      for (int i = 0; i < count; ++i)
        if (try_square(order[i].second)) break;
    } else {
      for (auto left = moves; left != 0; left &= left - 1)
        if (try_square(lowest_bit(left))) break;
    }
    return best;
  }

  Move best(const Board& board, int depth, bool exact) const {
    std::array<std::pair<int, int>, 64> order;
    const int count = ordered(board, order);
    Move best{order[0].second, -kMost};
    for (int i = 0; i < count; ++i) {
      Board after = board;
      after.play(order[i].second);
      const float score = -search(after, depth - 1, -kMost, -best.score, exact);
      if (score > best.score) best = {order[i].second, score};
    }
    return best;
  }
};

template <int N>
void play_sample(const Player<N>& player, const SampleSettings& settings, Random& random,
                 std::vector<OthelloSample>& out) {
  const int untold = 4 + static_cast<int>(random.next() % (N * N - 12));
  constexpr int kFree = N;  // random moves at the start
  auto board = OthelloBoard<N>::start();
  const std::size_t first = out.size();
  std::vector<bool> turned;  // whether the opponent of the first sample's mover is to move
  bool now_turned = false;
  int ply = 0;
  while (true) {
    const auto moves = board.moves();
    if (moves == 0) {
      if (board.swapped().moves() == 0) break;
      board.pass();
      now_turned = !now_turned;
      continue;
    }
    const bool exact = board.count_empty() <= settings.exact_empties;
    const bool told = ply >= untold;
    const bool whim = !told && (ply < kFree || random.uniform() < settings.whims);
    if (told) {
      out.push_back({board.own, board.other, 0});
      turned.push_back(now_turned);
    }
    const int depth = told ? settings.depth : 1;
    if (whim)
      board.play(lowest_bit(random_bit(moves, count_bits(moves), random)));
    else
      board.play(player.best(board, depth, told && exact).square);
    now_turned = !now_turned;
    ++ply;
  }
  const int score = final_score(board);
  for (std::size_t i = 0; i < turned.size(); ++i)
    out[first + i].score = turned[i] == now_turned ? score : -score;
}

}  // namespace

template <int N>
std::vector<OthelloSample> play_samples(const OthelloLinear<N>* evaluation,
                                        const SampleSettings& settings) {
  std::vector<OthelloSample> samples;
  Random random(settings.seed);
  for (int game = 0; game < settings.games; ++game)
    play_sample(Player<N>{evaluation}, settings, random, samples);
  return samples;
}

void PieceMatrix::add_times(const double* weights, double* out) const {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t* piece = pieces + row * in_row;
    double sum = 0;
    for (std::size_t i = 0; i < in_row; ++i) sum += weights[piece[i]];
    out[row] += sum;
  }
}

void PieceMatrix::add_gathered(const double* values, double* out) const {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t* piece = pieces + row * in_row;
    for (std::size_t i = 0; i < in_row; ++i) out[piece[i]] += values[row];
  }
}

template std::vector<OthelloSample> play_samples(const OthelloLinear<6>*, const SampleSettings&);
template std::vector<OthelloSample> play_samples(const OthelloLinear<8>*, const SampleSettings&);

}  // namespace sparring
