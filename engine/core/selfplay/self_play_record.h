// The record of one self-play game, and the rows made of it. It knows the targets of a position,
// not the choice of moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "game/game.h"
#include "search/search_traits.h"

namespace sparring {

// A training position.
template <Game G>
struct PlyRecord {
  G position;
  int ply = 0;                     // moves played before it
  std::vector<float> policy;       // [moves], summing to 1; empty without a target
  std::optional<int> exact_score;  // of the side to move, if known
};

template <Game G>
struct GameRecord {
  int number = 0;
  std::vector<int16_t> moves;  // all played ones, random ones included
  std::vector<PlyRecord<G>> plies;
  std::optional<G> end;  // the finished game
};

// Rows of finished games, ordered by game and ply; everything is the side to move's view.
struct SelfPlayRows {
  int rows = 0, planes_count = 0, height = 0, width = 0, cells = 0, globals_count = 0,
      move_count = 0;

  std::vector<uint8_t> planes;       // [rows, planes, height, width]
  std::vector<float> globals;        // [rows, globals]
  std::vector<uint8_t> legal;        // [rows, moves]
  std::vector<float> policy;         // [rows, moves], summing to 1, or 0s
  std::vector<float> policy_weight;  // [rows], 0 without a policy target
  std::vector<float> reply;          // [rows, moves], the next position's policy
  std::vector<float> reply_weight;
  std::vector<float> result;      // 1 won, .5 drawn, 0 lost
  std::vector<float> score;       // points
  std::vector<int8_t> ownership;  // [rows, cells]: +1 own at the end, 0 nobody's
  std::vector<uint8_t> exact;     // 1 for result and score of best play
  std::vector<int32_t> game;
  std::vector<int16_t> ply;

  struct Moves {
    int game;
    std::vector<int16_t> moves;
  };
  std::vector<Moves> games;  // also those without rows, in rising order
};

template <Game G>
SelfPlayRows empty_rows(const G& game) {
  SelfPlayRows rows;
  rows.planes_count = G::kPlanes;
  rows.height = game.height();
  rows.width = game.width();
  rows.cells = game.width() * game.height();
  rows.globals_count = G::kGlobals;
  rows.move_count = game.move_count();
  return rows;
}

// The outcome of a position, Black's view.
struct Truth {
  float black_win;
  float black_score;
};

// Appends the rows of one more game. A position's target is its exact score, else the next exact
// score of the game, else the game's end.
template <Game G>
void append_rows(const GameRecord<G>& record, SelfPlayRows& out) {
  const std::size_t cells = out.cells;
  const std::size_t moves = out.move_count;
  const std::size_t first = out.rows;
  out.rows += static_cast<int>(record.plies.size());
  const std::size_t rows = out.rows;
  out.planes.resize(rows * out.planes_count * cells);
  out.globals.resize(rows * out.globals_count);
  out.legal.resize(rows * moves);
  out.policy.resize(rows * moves);
  out.policy_weight.resize(rows);
  out.reply.resize(rows * moves);
  out.reply_weight.resize(rows);
  out.result.resize(rows);
  out.score.resize(rows);
  out.ownership.resize(rows * cells);
  out.exact.resize(rows);
  out.game.resize(rows, record.number);
  out.ply.resize(rows);
  out.games.push_back({record.number, record.moves});

  std::vector<std::int8_t> owners(cells);  // +1 Black's
  SearchTraits<G>::owners(*record.end, owners.data());
  const Outcome outcome = record.end->outcome();
  Truth truth{outcome.black_win, outcome.black_score};
  const std::vector<float>* reply = nullptr;
  for (std::size_t row = rows; row-- > first;) {
    const PlyRecord<G>& ply = record.plies[row - first];
    const int color = ply.position.to_move();
    if (ply.exact_score) {
      const Outcome known = outcome_of(color == 0 ? *ply.exact_score : -*ply.exact_score);
      truth = {known.black_win, known.black_score};
    }
    ply.position.features(&out.planes[row * out.planes_count * cells],
                          &out.globals[row * out.globals_count], 0);
    ply.position.legal_mask(&out.legal[row * moves]);
    if (!ply.policy.empty()) {
      std::copy(ply.policy.begin(), ply.policy.end(), &out.policy[row * moves]);
      out.policy_weight[row] = 1.0f;
    }
    if (reply && !reply->empty()) {
      std::copy(reply->begin(), reply->end(), &out.reply[row * moves]);
      out.reply_weight[row] = 1.0f;
    }
    reply = &ply.policy;
    out.result[row] = color == 0 ? truth.black_win : 1.0f - truth.black_win;
    out.score[row] = color == 0 ? truth.black_score : -truth.black_score;
    out.exact[row] = ply.exact_score.has_value();
    out.ply[row] = static_cast<int16_t>(ply.ply);
    for (std::size_t cell = 0; cell < cells; ++cell)
      out.ownership[row * cells + cell] =
          static_cast<int8_t>(color == 0 ? owners[cell] : -owners[cell]);
  }
}

}  // namespace sparring
