#include "solvers/dark_chess_games.h"

#include <algorithm>
#include <array>

#include "agents/dark_chess_minimax.h"
#include "game/symmetry.h"

namespace sparring {

namespace {

constexpr int kSymmetries = 4;

// A position without history, red to move.
DarkChessPosition position_of(const DarkChessBoard& board, const KindCounts& material) {
  DarkChessPosition position(board.geometry->width, board.geometry->height,
                             {.material = material, .quiet_limit = 0, .repetitions = 0});
  DarkChessSetup setup{.pieces = {}, .hidden = {}, .pool = board.pool};
  for (int cell = 0; cell < board.geometry->cells; ++cell) {
    if (board.hidden >> cell & 1)
      setup.hidden.push_back(cell);
    else if (const int code = board.code_at(cell); code >= 0)
      setup.pieces.emplace_back(code, cell);
  }
  position.setup(setup, 0);
  return position;
}

// The board after a symmetry, with the color to move as red.
DarkChessBoard image_of(const DarkChessBoard& board, int symmetry) {
  return board.image(symmetry, board.color == 1);
}

class Optimal : public DarkChessPlayer {
 public:
  explicit Optimal(const SolvedDarkChess& solution) : solution_(solution) {}
  DarkChessAction choose(const DarkChessBoard& board, Random& random) override {
    const auto values = solution_.action_values(board);
    int most = -SolvedDarkChess::kWhole, equal = 0;
    DarkChessAction best{};
    for (const auto& [action, value] : values) {
      equal = value > most ? 1 : equal + (value == most);
      if (value >= most && random.below(equal) == 0) best = action;
      most = std::max(most, value);
    }
    return best;
  }
  bool is_optimal() const override { return true; }

 private:
  const SolvedDarkChess& solution_;
};

class Uniform : public DarkChessPlayer {
 public:
  DarkChessAction choose(const DarkChessBoard& board, Random& random) override {
    return board.random_action(random);
  }
};

class Minimax : public DarkChessPlayer {
 public:
  Minimax(int plies, const KindCounts& material) : plies_(plies), material_(material) {}
  DarkChessAction choose(const DarkChessBoard& board, Random& random) override {
    const DarkChessPosition position = position_of(image_of(board, 0), material_);
    const int move = dark_chess_minimax(position, plies_, random.next()).move;
    return {static_cast<std::uint8_t>(board.geometry->from_of(move)),
            static_cast<std::uint8_t>(board.geometry->to_of(move))};
  }

 private:
  int plies_;
  KindCounts material_;
};

struct GameEnd {
  int result = 0;     // for the player of the first move
  double luck = 0.0;  // likewise
};

// Plays from a board; the solution, if there is one, measures the luck.
GameEnd play_on(DarkChessBoard board, const SolvedDarkChess* solution,
                const std::array<DarkChessPlayer*, 2>& players, const DarkChessGameRules& rules,
                Random& random) {
  GameEnd end;
  for (int mover = 0, quiet = 0;; mover = 1 - mover) {
    const int sign = mover == 0 ? 1 : -1;
    const bool has_color = board.color >= 0;
    if (has_color && (!board.has_pieces(board.color) || !board.has_action())) {
      end.result = -sign;
      return end;
    }
    if (quiet >= rules.quiet_limit) return end;
    if (solution != nullptr && rules.adjudicates && has_color && players[1 - mover]->is_optimal() &&
        solution->value(board) == -SolvedDarkChess::kWhole) {
      end.result = -sign;
      return end;
    }
    const bool has_choice = board.actions().size() > 1;
    const DarkChessAction action =
        has_choice ? players[mover]->choose(board, random) : board.actions()[0];
    if (!action.is_flip()) {
      quiet = board.move(action.from, action.to) < 0 ? quiet + 1 : 0;
      continue;
    }
    const double before = solution == nullptr ? 0.0 : solution->flip_value(board, action.from);
    board.flip(action.from, board.draw(random));
    if (solution != nullptr)
      end.luck += sign * (-solution->value(board) - before) / SolvedDarkChess::kWhole;
    quiet = 0;
  }
}

}  // namespace

std::unique_ptr<DarkChessPlayer> optimal_player(const SolvedDarkChess& solution) {
  return std::make_unique<Optimal>(solution);
}

std::unique_ptr<DarkChessPlayer> uniform_player() { return std::make_unique<Uniform>(); }

std::unique_ptr<DarkChessPlayer> minimax_player(int plies, const KindCounts& material) {
  return std::make_unique<Minimax>(plies, material);
}

DarkChessAction SearchPlayer::choose(const DarkChessBoard& board, Random& random) {
  DarkChessBoard least = image_of(board, 0);
  int symmetry = 0;
  for (int other = 1; other < kSymmetries; ++other)
    if (const DarkChessBoard image = image_of(board, other);
        image.pieces_hash() < least.pieces_hash()) {
      least = image;
      symmetry = other;
    }
  const DarkChessGeometry& geometry = *board.geometry;
  const std::uint64_t key = mix64(least.pieces_hash() ^ mix64(first_seed_ + random.below(seeds_)));
  auto kept = kept_.find(key);
  if (kept == kept_.end()) {
    searches_ += 1;
    const int move = search_dark_knight(position_of(least, material_), settings_, key).finding.move;
    kept = kept_
               .emplace(key, DarkChessAction{static_cast<std::uint8_t>(geometry.from_of(move)),
                                             static_cast<std::uint8_t>(geometry.to_of(move))})
               .first;
  }
  // Mirrors are their own inverses.
  const auto back = [&](int cell) {
    return static_cast<std::uint8_t>(
        symmetric_cell(cell, symmetry, geometry.width, geometry.height));
  };
  return {back(kept->second.from), back(kept->second.to)};
}

DarkChessSeries play_dark_chess_series(const SolvedDarkChess& solution, DarkChessPlayer& player,
                                       DarkChessPlayer& other, int games,
                                       const DarkChessGameRules& rules, std::uint64_t seed) {
  const DarkChessBoard start(solution.geometry(), solution.material());
  DarkChessSeries out;
  for (int game = 0; game < games; ++game) {
    Random random(mix64(seed) + static_cast<std::uint64_t>(game));
    const bool is_first = game % 2 == 0;
    const GameEnd end = is_first ? play_on(start, &solution, {&player, &other}, rules, random)
                                 : play_on(start, &solution, {&other, &player}, rules, random);
    const int sign = is_first ? 1 : -1;
    (end.result == 0 ? out.draws : end.result == sign ? out.wins : out.losses) += 1;
    out.luck += sign * end.luck;
    out.luck_squares += end.luck * end.luck;
    out.luck_results += end.luck * end.result;
  }
  return out;
}

int play_dark_chess_game(const DarkChessBoard& board, DarkChessPlayer& player,
                         DarkChessPlayer& other, int quiet_limit, Random& random) {
  return play_on(board, nullptr, {&player, &other}, {.quiet_limit = quiet_limit}, random).result;
}

}  // namespace sparring
