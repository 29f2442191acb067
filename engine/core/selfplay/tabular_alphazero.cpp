#include "selfplay/tabular_alphazero.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace sparring {

namespace {

constexpr double kFirstDeviation = 0.1;  // of the table's first numbers: variance .01
constexpr float kDraw = 0.5f;
constexpr int kMostMoves = 64;

int checked_moves(const PositionGraph& graph) {
  if (graph.moves() > kMostMoves)
    throw std::invalid_argument("a board of " + std::to_string(graph.moves()) +
                                " moves; a table has at most " + std::to_string(kMostMoves));
  return graph.moves();
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace

TabularAlphaZero::TabularAlphaZero(std::shared_ptr<const PositionGraph> graph,
                                   const TabularSettings& settings, std::uint64_t seed)
    : graph_(std::move(graph)),
      settings_(settings),
      random_(mix64(seed)),
      moves_(checked_moves(*graph_)),
      logits_(std::size_t(graph_->positions()) * moves_),
      values_(graph_->positions()),
      is_learned_(graph_->positions(), false) {
  for (float& number : logits_) number = static_cast<float>(kFirstDeviation * random_.normal());
  for (float& number : values_) number = static_cast<float>(kFirstDeviation * random_.normal());
}

double TabularAlphaZero::value(int position) const { return sigmoid(values_[position]); }

std::vector<double> TabularAlphaZero::policy(int position) const {
  const float* numbers = logits(position);
  const float most = *std::max_element(numbers, numbers + moves_);
  std::vector<double> out(moves_);
  double sum = 0.0;
  for (int move = 0; move < moves_; ++move) sum += out[move] = std::exp(numbers[move] - most);
  for (double& share : out) share /= sum;
  return out;
}

// ---- Search

int TabularAlphaZero::add_node(int position) {
  const auto actions = graph_->actions(position);
  nodes_.push_back({position, static_cast<std::int32_t>(edges_.size())});
  const float* numbers = logits(position);
  float most = -INFINITY, sum = 0.0f;
  for (const GraphAction& action : actions) most = std::max(most, numbers[action.move]);
  const std::size_t first = edges_.size();
  for (const GraphAction& action : actions) {
    edges_.push_back({.prior = std::exp(numbers[action.move] - most)});
    sum += edges_.back().prior;
  }
  for (std::size_t edge = first; edge < edges_.size(); ++edge) edges_[edge].prior /= sum;
  return static_cast<int>(nodes_.size()) - 1;
}

int TabularAlphaZero::pick_edge(const Node& node) const {
  const int count = static_cast<int>(graph_->actions(node.position).size());
  // Before the first visit the priors alone decide.
  const float scale = static_cast<float>(settings_.exploration) *
                      std::sqrt(static_cast<float>(std::max(node.visits, 1)));
  int best = node.first_edge;
  float most = -INFINITY;
  for (int i = node.first_edge; i < node.first_edge + count; ++i) {
    const Edge& edge = edges_[i];
    const float visits = static_cast<float>(edge.visits);
    const float mean = edge.visits > 0 ? edge.sum / visits : 0.0f;
    const float score = mean + scale * edge.prior / (1.0f + visits);
    if (score <= most) continue;
    most = score;
    best = i;
  }
  return best;
}

int TabularAlphaZero::draw_outcome(const GraphAction& action) {
  if (action.outcomes == 1) return 0;
  const auto outcomes = graph_->outcomes(action);
  int skip = random_.below(action.weight), index = 0;
  while ((skip -= outcomes[index].weight) >= 0) ++index;
  return index;
}

int TabularAlphaZero::follow(int edge, const GraphAction& action, bool& is_new) {
  const int index = draw_outcome(action);
  const int position = graph_->outcomes(action)[index].position;
  if (position == GraphOutcome::kWon) return -1;
  if (action.outcomes > 1 && edges_[edge].child < 0) {
    edges_[edge].child = static_cast<std::int32_t>(children_.size());
    children_.resize(children_.size() + action.outcomes, -1);
  }
  const int known =
      action.outcomes == 1 ? edges_[edge].child : children_[edges_[edge].child + index];
  if (known >= 0) return known;
  is_new = true;
  const int node = add_node(position);
  (action.outcomes == 1 ? edges_[edge].child : children_[edges_[edge].child + index]) = node;
  return node;
}

void TabularAlphaZero::simulate() {
  path_.clear();
  int node = 0;
  bool is_new = false;
  while (node >= 0 && !is_new) {
    const int edge = pick_edge(nodes_[node]);
    nodes_[node].visits += 1;
    path_.push_back(edge);
    const GraphAction& action =
        graph_->actions(nodes_[node].position)[edge - nodes_[node].first_edge];
    node = follow(edge, action, is_new);
  }
  // For the side of the last action.
  float result = node < 0 ? 1.0f : static_cast<float>(1.0 - value(nodes_[node].position));
  for (auto edge = path_.rbegin(); edge != path_.rend(); ++edge, result = 1.0f - result) {
    edges_[*edge].visits += 1;
    edges_[*edge].sum += result;
  }
}

void TabularAlphaZero::add_noise() {
  const int count = static_cast<int>(graph_->actions(nodes_[0].position).size());
  std::vector<double> noise(count);
  double sum = 0.0;
  for (double& each : noise) sum += each = random_.gamma(settings_.noise_alpha);
  if (sum <= 0) return;
  for (int i = 0; i < count; ++i)
    edges_[i].prior = static_cast<float>((1.0 - settings_.noise_share) * edges_[i].prior +
                                         settings_.noise_share * noise[i] / sum);
}

void TabularAlphaZero::run_search(int position, bool has_noise) {
  nodes_.clear();
  edges_.clear();
  children_.clear();
  add_node(position);
  if (has_noise && settings_.noise_share > 0) add_noise();
  for (int i = 0; i < settings_.simulations; ++i) simulate();
}

std::vector<int> TabularAlphaZero::search(int position) {
  run_search(position, false);
  std::vector<int> out;
  for (std::size_t i = 0; i < graph_->actions(position).size(); ++i)
    out.push_back(edges_[i].visits);
  return out;
}

// ---- Self-play

void TabularAlphaZero::play_game(Games& games) {
  const std::size_t first = games.samples.size();
  float winner = kDraw;  // the result of the side of the last action
  int position = 0;
  for (int quiet = 0; quiet < settings_.quiet_limit;) {
    const auto actions = graph_->actions(position);
    const int count = static_cast<int>(actions.size());
    if (count > 1) run_search(position, true);
    games.samples.push_back({position, static_cast<std::int32_t>(games.targets.size()),
                             static_cast<std::int16_t>(count), kDraw});
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
      const double share =
          count == 1 ? 1.0 : static_cast<double>(edges_[i].visits) / settings_.simulations;
      const double weight = share > 0 ? std::pow(share, 1.0 / settings_.temperature) : 0.0;
      games.targets.push_back(static_cast<float>(weight));
      sum += weight;
    }
    float* targets = games.targets.data() + games.targets.size() - count;
    double skip = random_.uniform();
    int chosen = -1;
    for (int i = 0; i < count; ++i) {
      targets[i] = static_cast<float>(targets[i] / sum);
      if (targets[i] > 0 && skip >= 0) {
        chosen = i;
        skip -= targets[i];
      }
    }
    const GraphAction& action = actions[chosen];
    position = graph_->outcomes(action)[draw_outcome(action)].position;
    if (position == GraphOutcome::kWon) {
      winner = 1.0f;
      break;
    }
    quiet = action.is_quiet ? quiet + 1 : 0;
  }
  for (std::size_t i = games.samples.size(); i > first; --i, winner = 1.0f - winner)
    games.samples[i - 1].outcome = winner;
}

std::int64_t TabularAlphaZero::play(int games) {
  Games played;
  for (int game = 0; game < games; ++game) play_game(played);
  const auto positions = static_cast<std::int64_t>(played.samples.size());
  window_.push_back(std::move(played));
  if (static_cast<int>(window_.size()) > settings_.window) window_.erase(window_.begin());
  return positions;
}

// ---- Learning

void TabularAlphaZero::step(int position, const Sample& sample, const float* targets, int symmetry,
                            double rate) {
  if (!is_learned_[position]) {
    is_learned_[position] = true;
    distinct_ += 1;
  }
  float* numbers = logits(position);
  float sum = 0.0f;
  const float most = *std::max_element(numbers, numbers + moves_);
  std::array<float, kMostMoves> shares;
  for (int move = 0; move < moves_; ++move) sum += shares[move] = std::exp(numbers[move] - most);
  const float scale = static_cast<float>(rate) / sum;
  for (int move = 0; move < moves_; ++move) numbers[move] -= scale * shares[move];
  const auto actions = graph_->actions(sample.position);
  for (int i = 0; i < sample.actions; ++i)
    numbers[graph_->image_of_move(actions[i].move, symmetry)] +=
        static_cast<float>(rate) * targets[i];
  const double now = value(position);
  values_[position] -= static_cast<float>(rate * (now - sample.outcome) * now * (1.0 - now));
}

std::int64_t TabularAlphaZero::learn(double rate) {
  struct Step {
    std::int32_t games, sample, symmetry;
  };
  std::vector<Step> steps;
  for (std::size_t games = 0; games < window_.size(); ++games)
    for (std::size_t sample = 0; sample < window_[games].samples.size(); ++sample)
      for (int symmetry = 0; symmetry < PositionGraph::kSymmetries; ++symmetry)
        if (settings_.symmetries >> symmetry & 1)
          steps.push_back(
              {static_cast<std::int32_t>(games), static_cast<std::int32_t>(sample), symmetry});
  for (std::size_t i = steps.size(); i > 1; --i)
    std::swap(steps[i - 1], steps[random_.below(static_cast<int>(i))]);
  for (const Step& each : steps) {
    const Games& games = window_[each.games];
    const Sample& sample = games.samples[each.sample];
    step(graph_->image(sample.position, each.symmetry), sample, games.targets.data() + sample.first,
         each.symmetry, rate);
  }
  return static_cast<std::int64_t>(steps.size());
}

// ---- Measuring

TabularSeries TabularAlphaZero::against_optimal(const std::vector<int>& values, int games,
                                                int quiet_limit) {
  TabularSeries out{.games = games};
  for (int game = 0; game < games; ++game) {
    bool is_own = game % 2 == 0;
    int position = 0;
    for (int quiet = 0;; is_own = !is_own) {
      if (quiet >= quiet_limit) {
        out.points += kDraw;
        break;
      }
      const GraphAction* chosen = nullptr;
      if (is_own) {
        const float* numbers = logits(position);
        const auto move = std::max_element(numbers, numbers + moves_) - numbers;
        for (const GraphAction& action : graph_->actions(position))
          if (action.move == move) chosen = &action;
        if (chosen == nullptr) {
          out.illegal += 1;
          break;
        }
      } else {
        double most = -INFINITY;
        int equal = 0;
        for (const GraphAction& action : graph_->actions(position)) {
          const double value =
              static_cast<double>(graph_->weighed_value(action, values)) / action.weight;
          equal = value > most ? 1 : equal + (value == most);
          if (value >= most && random_.below(equal) == 0) chosen = &action;
          most = std::max(most, value);
        }
      }
      quiet = chosen->is_quiet ? quiet + 1 : 0;
      position = graph_->outcomes(*chosen)[draw_outcome(*chosen)].position;
      if (position != GraphOutcome::kWon) continue;
      out.points += is_own;
      break;
    }
  }
  return out;
}

}  // namespace sparring
