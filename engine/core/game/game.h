// The interface of a game for the search. A game is a copyable value; the search is a template over
// it.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

namespace sparring {

// The outcome of a finished game, from Black's view.
struct Outcome {
  float black_win = 0.5f;    // 1 won, 0 lost, 0.5 drawn or without result
  float no_result = 0.0f;    // 1 if the game ended without a result
  float black_score = 0.0f;  // points, komi and bonuses included; 0 without a result
};

// The outcome of a game won by the higher score.
inline Outcome outcome_of(int black_score) {
  return {.black_win = black_score == 0 ? 0.5f : static_cast<float>(black_score > 0),
          .no_result = 0.0f,
          .black_score = static_cast<float>(black_score)};
}

// Moves are 0..move_count()-1, in the order of the network's policy; the players are 0 and 1. The
// caller checks preconditions: play() requires a legal move. Cells are y * width + x; color_at() is
// -1 on an empty one. Symmetries are 0..symmetry_count()-1; 0 is the identity. With kHasOwnership
// every cell has an owner in the end, and the network predicts it. graph_hash() is equal only for
// positions of one node in the search graph; network_hash() only for positions with the same
// network inputs.
template <typename G>
concept Game =
    std::copyable<G> && requires(const G game, G changed, int move, int cell, int symmetry,
                                 std::uint8_t* mask, std::uint8_t* spatial, float* global) {
      { G::kPlanes } -> std::convertible_to<int>;
      { G::kGlobals } -> std::convertible_to<int>;
      { G::kHasOwnership } -> std::convertible_to<bool>;
      { game.width() } -> std::same_as<int>;
      { game.height() } -> std::same_as<int>;
      { game.move_count() } -> std::same_as<int>;
      { game.symmetry_count() } -> std::same_as<int>;
      { game.to_move() } -> std::same_as<int>;
      { game.color_at(cell) } -> std::same_as<int>;
      { game.is_over() } -> std::same_as<bool>;
      { game.legal(move) } -> std::same_as<bool>;
      { game.legal_mask(mask) } -> std::same_as<void>;
      { changed.play(move) } -> std::same_as<void>;
      { game.graph_hash() } -> std::same_as<std::uint64_t>;
      { game.network_hash() } -> std::same_as<std::uint64_t>;
      { game.outcome() } -> std::same_as<Outcome>;
      { game.features(spatial, global, symmetry) } -> std::same_as<void>;
      { game.score_scale() } -> std::same_as<float>;
    };

// A game with outcomes by chance. A played move is a move with its outcome; play() needs it, and
// legal() takes both. outcomes() lists the played moves of a legal move with whole weights.
template <typename G>
concept ChanceGame = Game<G> && requires(const G game, int move) {
  requires G::kHasChance;
  { game.move_without_outcome(move) } -> std::same_as<int>;
  { game.is_complete(move) } -> std::same_as<bool>;
  { game.outcomes(move) } -> std::same_as<std::vector<std::pair<int, int>>>;
};

}  // namespace sparring
