#include "go/go_area.h"

#include <algorithm>
#include <vector>

namespace sparring {
namespace {

PointSet points_without(const GoBoard& board, int color) {
  return board.points(kEmpty) | board.points(stone_of(1 - color));
}

// Benson's algorithm for one color. A region is a connected set of points without our stones. It is
// vital to a chain if all its counting points touch the chain. In each round, regions bordered by a
// dead chain and chains without two vital regions die, until nothing changes.
class Benson {
 public:
  Benson(const GoBoard& board, int color, bool suicide)
      : board_(board),
        ours_(board.points(stone_of(color))),
        others_(points_without(board, color)),
        counting_(suicide ? others_ : board.points(kEmpty)) {
    find_vital_regions();
  }

  PointSet living_stones() {
    if (regions_.size() < 2) return {};
    while (true) {
      PointSet living;
      for (const Chain& chain : chains_) living = living | chain.stones;
      close_regions(ours_ - living);
      const auto dies = [this](const Chain& chain) {
        return std::count_if(regions_.begin(), regions_.end(), [&](const Region& region) {
                 return (region.counting - chain.reach).empty();
               }) < 2;
      };
      if (std::erase_if(chains_, dies) == 0) return living;
    }
  }

 private:
  struct Chain {
    PointSet stones, reach;  // reach: the counting points next to the chain
  };
  struct Region {
    PointSet points, counting;
  };

  void find_vital_regions() {
    const PointSet untouched = counting_ - ours_.neighbours(counting_);
    const PointSet candidates = others_ - untouched.spread(others_);
    candidates.for_each_part([&](const PointSet& part) {
      regions_.push_back({part, part & counting_});
      add_chains_around((part & board_.points(kEmpty)).first());
    });
  }

  // A region can be vital only to chains next to each of its empty points; one point suffices here.
  void add_chains_around(Point p) {
    for (Point step : kNeighbours) {
      const Point q = p + step;
      if (!ours_.contains(q)) continue;
      const auto known = [&](const Chain& chain) { return chain.stones.contains(q); };
      if (std::any_of(chains_.begin(), chains_.end(), known)) continue;
      const PointSet stones = board_.chain(q);
      chains_.push_back({stones, stones.neighbours(counting_)});
    }
  }

  // Removes the regions bordered by a dead chain, as they are vital to none.
  void close_regions(const PointSet& dead) {
    std::erase_if(regions_,
                  [&](const Region& region) { return !dead.neighbours(region.points).empty(); });
  }

  const GoBoard& board_;
  const PointSet ours_, others_, counting_;
  std::vector<Region> regions_;
  std::vector<Chain> chains_;
};

// Pass-alive stones of that color and their territory: enclosed regions with at most one point not
// next to a stone; with_big: also larger regions without the opponent's stones.
PointSet pass_alive(const GoBoard& board, int color, bool suicide, bool with_big) {
  const PointSet living = Benson(board, color, suicide).living_stones();
  if (living.empty()) return living;
  const PointSet& ours = board.points(stone_of(color));
  const PointSet others = points_without(board, color);
  const PointSet open = (ours - living).neighbours(others).spread(others);
  PointSet area = living;
  (others - open).for_each_part([&](const PointSet& part) {
    const PointSet inner = part - ours.neighbours(part);
    if (inner.size() <= 1 || (with_big && (part & board.points(stone_of(1 - color))).empty()))
      area = area | part;
  });
  return area;
}

// Removes seki from an area, but for its stones or its territory if these are kept.
void remove_seki(const GoBoard& board, bool keep_territory, bool keep_stones, GoArea& area) {
  const PointSet dame = board.points(kEmpty) - area.owned[0] - area.owned[1];
  for (int color : {0, 1}) {
    const PointSet owned = area.owned[color];
    const PointSet stones = owned & board.points(stone_of(color));
    PointSet seki = dame.neighbours(owned);
    stones.for_each([&](Point p) {
      if (board.liberties(p) == 1) seki.insert(p);
    });
    const PointSet independent = owned - seki.spread(owned);
    independent.for_each_part([&](const PointSet&) { ++area.independent_regions[color]; });
    area.owned[color] = independent;
    if (keep_territory) area.owned[color] = area.owned[color] | (owned - stones);
    if (keep_stones) area.owned[color] = area.owned[color] | stones;
  }
}

}  // namespace

GoArea pass_alive_area(const GoBoard& board, bool suicide) {
  GoArea area;
  for (int color : {0, 1}) area.owned[color] = pass_alive(board, color, suicide, false);
  return area;
}

GoArea full_area(const GoBoard& board, bool suicide) {
  const PointSet& empty = board.points(kEmpty);
  const PointSet& black = board.points(kBlack);
  const PointSet& white = board.points(kWhite);
  const PointSet alive_black = pass_alive(board, 0, suicide, true);
  const PointSet alive_white = pass_alive(board, 1, suicide, true);
  const PointSet near_black = black.neighbours(empty).spread(empty);
  const PointSet near_white = white.neighbours(empty).spread(empty);
  // Pass-alive territory goes before regions bordered by stones only, as these may be dead.
  GoArea area;
  area.owned[0] = (alive_black | (near_black - near_white)) - alive_white;
  area.owned[1] = alive_white | ((near_white - near_black) - area.owned[0]);
  area.owned[0] = area.owned[0] | (black - area.owned[1]);
  area.owned[1] = area.owned[1] | (white - area.owned[0]);
  return area;
}

GoArea scored_area(const GoBoard& board, const GoRules& rules, bool suicide) {
  GoArea area = full_area(board, suicide);
  if (rules.scoring == Scoring::territory)
    remove_seki(board, rules.tax == Tax::none, false, area);
  else if (rules.tax != Tax::none)
    remove_seki(board, false, true, area);
  return area;
}

}  // namespace sparring
