// The playouts of a Tree: selection from the root to a leaf, rows for the network, backup. The
// second half of tree.h, which includes it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "search/tree.h"

namespace sparring {

template <Game G>
int Tree<G>::allowed_in_flight() const {
  const double visits = static_cast<double>(root_->stats.visits);
  const double allowed =
      settings_.in_flight_factor * std::pow(visits, settings_.in_flight_exponent);
  return std::max(least_in_flight_, static_cast<int>(std::min(allowed, 1e6)));
}

template <Game G>
typename Tree<G>::Batch& Tree<G>::batch_at(int slot) {
  while (static_cast<int>(batches_.size()) <= slot) batches_.push_back(std::make_unique<Batch>());
  return *batches_[slot];
}

template <Game G>
typename Tree<G>::Row& Tree<G>::add_row(Batch& batch, const G& game, Node* node, int symmetry,
                                        const Path& path, uint8_t* spatial, float* global) {
  if (batch.used == static_cast<int>(batch.rows.size())) batch.rows.emplace_back();
  Row& row = batch.rows[batch.used];
  row.node = node;
  row.path = path;
  row.symmetry = symmetry;
  row.to_move = game.to_move();
  row.no_result_possible = Traits::no_result_possible(game);
  row.root_refresh = false;
  row.legal.resize(game.move_count());
  game.legal_mask(row.legal.data());
  write_row(row, game, batch.used, spatial, global);
  batch.used += 1;
  return row;
}

// Writes the features of the row's position, `game`, to row `number` of the arrays.
template <Game G>
void Tree<G>::write_row(const Row& row, const G& game, int number, uint8_t* spatial,
                        float* global) const {
  const int cells = game.width() * game.height();
  uint8_t* planes = spatial + static_cast<std::size_t>(number) * G::kPlanes * cells;
  float* globals = global + static_cast<std::size_t>(number) * G::kGlobals;
  NetworkView view;
  view.conservative_pass = row.path.empty() && settings_.conservative_pass;
  if (settings_.ignore_pre_root_history) view.max_history = static_cast<int>(row.path.size());
  view.playout_doubling_advantage = row.to_move == 0 ? black_doublings_ : -black_doublings_;
  Traits::features(game, planes, globals, row.symmetry, view);
}

template <Game G>
int Tree<G>::select_root(Batch& batch, uint8_t* spatial, float* global, int capacity) {
  const bool refresh = static_cast<bool>(root_->evaluation);
  const int symmetries = game_.symmetry_count();
  root_rows_ = std::clamp(settings_.root_symmetries, 1, std::min(symmetries, capacity));
  root_rows_left_ = root_rows_;
  // Different symmetries: a random start or none, then every one in turn.
  const int first = settings_.random_symmetries ? static_cast<int>(random_.next() % symmetries) : 0;
  for (int i = 0; i < root_rows_; ++i) {
    Row& row = add_row(batch, game_, root_, (first + i) % symmetries, {}, spatial, global);
    row.root_refresh = refresh;
    row.key = 0;
  }
  root_->pending = true;
  in_flight_ += refresh ? 0 : 1;
  return root_rows_;
}

template <Game G>
int Tree<G>::select(int slot, uint8_t* spatial, float* global, int capacity, int64_t budget) {
  Batch& batch = batch_at(slot);
  if (batch.used != 0) throw std::logic_error("select on a slot that awaits its update");
  if (budget <= 0 || capacity <= 0) return 0;
  if (!root_->evaluation || (!root_refined_ && root_differs())) {
    if (!root_->pending) return select_root(batch, spatial, global, capacity);
    if (!root_->evaluation) return 0;
  }
  if (!root_ready_) prepare_root();
  constexpr int64_t kDoneAtOnce = 256;  // after these the caller may look at its clock
  const int64_t most_done = std::min(budget, kDoneAtOnce);
  int64_t done = 0;
  while (batch.used < capacity && batch.used + done < budget && done < most_done &&
         in_flight_ < allowed_in_flight() && batch.collisions < capacity && !proven()) {
    if (select_leaf(batch, spatial, global) == Descent::kDone) ++done;
  }
  if (batch.used == 0) discard_collisions(batch);  // no update will come for them
  return batch.used;
}

// Runs one playout from the root to a row for the network, or to its end without one.
template <Game G>
typename Tree<G>::Descent Tree<G>::select_leaf(Batch& batch, uint8_t* spatial, float* global) {
  G game = game_;
  Node* node = root_;
  path_.clear();
  bool done = false;
  while (true) {
    if constexpr (ChanceGame<G>) {
      if (node->chance) {
        select_outcome(game, node, path_, done);
        if (done) break;
      }
    }
    if (is_settled(*node)) {
      visit(*node);
      break;
    }
    if (node->terminal) {
      const Outcome outcome = game.outcome();
      Values values = terminal_values(outcome, settings_, scales_);
      add_leaf_visit(*node, settings_, scale_, values);
      break;
    }
    if (!node->evaluation) {
      if (node->pending) {
        batch.collided.resize(std::max<std::size_t>(batch.collided.size(), batch.collisions + 1));
        batch.collided[batch.collisions++] = path_;
        return Descent::kCollision;
      }
      const uint64_t key = mix64(game.network_hash() ^ network_key_ ^ doublings_key_ ^ policy_key_ ^
                                 (settings_.random_symmetries ? 0 : kUnturned) ^
                                 (settings_.ignore_pre_root_history ? kCutHistory : 0));
      if (cache_) node->evaluation = cache_->find(key);
      if (!node->evaluation) {
        const int symmetry = settings_.random_symmetries
                                 ? static_cast<int>(mix64(key ^ seed_) % game.symmetry_count())
                                 : 0;
        add_row(batch, game, node, symmetry, path_, spatial, global).key = key;
        node->pending = true;
        in_flight_ += 1;
        return Descent::kRow;
      }
      ++cache_hits_;
      add_leaf_visit(*node, settings_, scale_, node->evaluation->values());
      break;
    }
    if (!select_child(game, node, path_, done)) {
      add_leaf_visit(*node, settings_, scale_, node->evaluation->values());
      break;
    }
    if (done) break;
  }
  backup(path_);
  return Descent::kDone;
}

// Takes one edge. Returns false if the node has no move. Sets `done` if the playout ends with the
// edge: it catches up with visits by a transposition, or meets its own path.
template <Game G>
bool Tree<G>::select_child(G& game, Node*& node, Path& path, bool& done) {
  PickContext context{node == root_ ? &root_view_ : nullptr, &restriction_, depth_of(path),
                      Traits::must_consider(game),           proves(),      &random_};
  while (true) {
    const Pick pick = pick_move(*node, settings_, scale_, context);
    if (pick.edge < 0) return false;
    if (!game.legal(pick.move)) {
      // Reached by a path on which a move is illegal: superko, or two positions under one hash.
      if (pick.edge == static_cast<int>(node->edges.size()))
        node->edges.push_back({nullptr, -1.0f, static_cast<int16_t>(pick.move), 0});
      else
        node->edges[pick.edge].prior = -1.0f;
      continue;
    }
    if (pick.edge == static_cast<int>(node->edges.size()))
      expand(game, *node, pick);
    else if (!node->edges[pick.edge].child->chance)
      game.play(pick.move);
    enter(node, pick.edge, path, pick.counted, done);
    return true;
  }
}

// Goes on to the edge's child. Sets `done` as select_child does.
template <Game G>
void Tree<G>::enter(Node*& node, int edge, Path& path, bool counted, bool& done) {
  Node* child = node->edges[edge].child;
  const bool catches_up = counted && node->edges[edge].visits < child->stats.visits;
  const bool meets_itself = child == root_ || std::any_of(path.begin(), path.end(), [&](auto& s) {
                              return s.child == child;
                            });
  path.push_back({node, edge, child, counted});
  child->virtual_losses += 1;
  done = catches_up || meets_itself;
  node = child;
}

// The moves of a path, without its outcomes.
template <Game G>
int Tree<G>::depth_of(const Path& path) {
  if constexpr (!ChanceGame<G>) return static_cast<int>(path.size());
  return static_cast<int>(std::count_if(path.begin(), path.end(),
                                        [](const Step& step) { return !step.parent->chance; }));
}

// Prepares a child that may be new.
template <Game G>
void Tree<G>::begin_child(const G& game, Node& child, bool forced_on) {
  if (child.stats.visits > 0 || child.pending) return;
  child.terminal = game.is_over() && !forced_on;
  if constexpr (Traits::kProves)
    if (proves()) bound_score(game, child);
}

// Adds an edge, and plays its move unless an outcome is to be drawn first.
template <Game G>
Node* Tree<G>::expand(G& game, Node& node, const Pick& pick) {
  const float prior = std::max(0.0f, node.evaluation->prior(pick.move));
  if constexpr (ChanceGame<G>) {
    if (!game.is_complete(pick.move)) {
      Node* child = expand_chance(game, node, pick.move);
      node.edges.push_back({child, prior, static_cast<int16_t>(pick.move), 0});
      return child;
    }
  }
  const bool looks_past =
      Traits::looks_past(game, pick.move, &node == root_ && settings_.conservative_pass);
  const uint64_t bias_key =
      settings_.subtree_value_bias_factor != 0 ? Traits::bias_key(game, pick.move) : 0;
  game.play(pick.move);
  const bool forced_on = game.is_over() && looks_past;
  uint64_t hash = settings_.use_graph_search ? game.graph_hash() : random_.next();
  if (forced_on) hash ^= kLookedPast;
  Node* child = graph_.find_or_add(hash, game.to_move());
  begin_child(game, *child, forced_on);
  if (bias_key != 0 && !child->bias && child->stats.visits == 0) graph_.join_bias(*child, bias_key);
  node.edges.push_back({child, prior, static_cast<int16_t>(pick.move), 0});
  return child;
}

// Bounds the score of an unvisited node.
template <Game G>
void Tree<G>::bound_score(const G& game, Node& node) {
  if (node.terminal) {
    const int score = static_cast<int>(game.outcome().black_score);
    narrow_bounds(node, {score, score});
  } else {
    const int most_empty =
        settings_.solve_empties < 0 ? Traits::kSolveEmpties : settings_.solve_empties;
    narrow_bounds(node, turned(score_bounder_->bound(game, most_empty), node.to_move));
  }
}

// Recomputes the node's averages and bounds from its edges.
template <Game G>
void Tree<G>::recompute_node(Node& node) {
  recompute(node, settings_, scale_);
  if (!proves()) return;
  back_up_bounds(node, &node == root_ ? mirrored_moves(root_view_) : 0);
  obey_bounds(node, settings_, scale_);
}

// Counts a visit that ended below the node, or at the node by a proven score.
template <Game G>
void Tree<G>::visit(Node& node) {
  if (is_settled(node)) {
    add_leaf_visit(node, settings_, scale_, proven_values(node, settings_, scales_));
    obey_bounds(node, settings_, scale_);  // without the average's rounding
    return;
  }
  recompute_node(node);
  node.stats.visits += 1;
}

// Ends a playout: adds a visit to each of its nodes, the deepest first.
template <Game G>
void Tree<G>::backup(const Path& path) {
  bool counted = true;
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    step->child->virtual_losses -= 1;
    counted = counted && step->counted;
    if (!counted) continue;
    step->parent->edges[step->edge].visits += 1;
    visit(*step->parent);
  }
  playouts_ += counted;
}

// Discards a playout.
template <Game G>
void Tree<G>::discard(const Path& path) {
  for (const Step& step : path) step.child->virtual_losses -= 1;
  for (auto step = path.rbegin(); step != path.rend(); ++step) discard_untaken_edges(*step->parent);
}

// Removes the latest edges that have no completed and no pending playout; they would count as tried
// moves.
template <Game G>
void Tree<G>::discard_untaken_edges(Node& node) {
  if (node.chance) return;  // its edges are all outcomes
  const auto untaken = [](const Edge& edge) {
    return edge.child && edge.visits == 0 && edge.child->stats.visits == 0 &&
           edge.child->virtual_losses == 0;
  };
  while (!node.edges.empty() && untaken(node.edges.back())) {
    node.edges.pop_back();
    node.next_rank = 0;
  }
}

template <Game G>
void Tree<G>::discard_collisions(Batch& batch) {
  for (int i = 0; i < batch.collisions; ++i) discard(batch.collided[i]);
  batch.collisions = 0;
}

template <Game G>
void Tree<G>::update(int slot, const float* policy, const float* value, const float* misc,
                     const float* ownership) {
  Batch& batch = batch_at(slot);
  const int moves = game_.move_count();
  for (int i = 0; i < batch.used; ++i) {
    Row& row = batch.rows[i];
    const RawOutput raw{policy + static_cast<std::size_t>(i) * moves, value + i * 3, misc + i * 6,
                        ownership + static_cast<std::size_t>(i) * owned_cells_};
    const RowContext context{moves,
                             owned_cells_,
                             row.to_move,
                             row.no_result_possible,
                             row.legal.data(),
                             policy_index_[row.symmetry].data(),
                             cell_index_[row.symmetry].data()};
    if (!decode(raw, context, scales_, settings_.policy_temperature, *decoded_))
      throw std::runtime_error("the network's output is not finite");
    ++rows_evaluated_;
    if (row.node == root_ && row.path.empty())
      finish_root(row, *decoded_);
    else
      finish(row, *decoded_);
    row.node = nullptr;
  }
  discard_collisions(batch);
  batch.used = 0;
}

template <Game G>
void Tree<G>::finish(Row& row, const Decoded& decoded) {
  row.node->evaluation = EvaluationRef(Evaluation::make(decoded, game_.move_count(), owned_cells_));
  if (cache_) cache_->insert(row.key, row.node->evaluation);
  row.node->pending = false;
  in_flight_ -= 1;
  add_leaf_visit(*row.node, settings_, scale_, row.node->evaluation->values());
  backup(row.path);
}

template <Game G>
void Tree<G>::finish_root(const Row& row, const Decoded& decoded) {
  const int moves = game_.move_count();
  add_decoded(decoded, moves, owned_cells_, root_rows_left_ == root_rows_, *root_sum_);
  if (--root_rows_left_ > 0) return;
  divide_decoded(root_rows_, moves, owned_cells_, *root_sum_);
  if (game_.is_over() && !has_legal_move(row))
    root_sum_->values = terminal_values(game_.outcome(), settings_, scales_);
  root_->evaluation = EvaluationRef(Evaluation::make(*root_sum_, moves, owned_cells_));
  root_->pending = false;
  root_refined_ = true;
  root_ready_ = false;
  if (row.root_refresh) {
    recompute_node(*root_);
    return;
  }
  in_flight_ -= 1;
  center_scores(root_->evaluation->values().score_mean);
  add_leaf_visit(*root_, settings_, scale_, root_->evaluation->values());
  playouts_ += 1;
}

template <Game G>
int Tree<G>::repeat(int slot, uint8_t* spatial, float* global) {
  Batch& batch = batch_at(slot);
  const auto first = batch.rows.begin();
  const auto awaited = std::stable_partition(first, first + batch.used,
                                             [](const Row& row) { return row.node != nullptr; });
  batch.used = static_cast<int>(awaited - first);
  for (int i = 0; i < batch.used; ++i) {
    G game = game_;
    for (const Step& step : batch.rows[i].path)
      if (!step.child->chance) game.play(step.parent->edges[step.edge].move);
    write_row(batch.rows[i], game, i, spatial, global);
  }
  return batch.used;
}

template <Game G>
void Tree<G>::abandon(int slot) {
  Batch& batch = batch_at(slot);
  bool root_dropped = false;
  for (int i = 0; i < batch.used; ++i) {
    Row& row = batch.rows[i];
    if (!row.node) continue;
    row.node->pending = false;
    if (row.path.empty()) {
      in_flight_ -= root_dropped || row.root_refresh ? 0 : 1;
      root_dropped = true;
      continue;
    }
    in_flight_ -= 1;
    discard(row.path);
  }
  discard_collisions(batch);
  batch.used = 0;
}

}  // namespace sparring
