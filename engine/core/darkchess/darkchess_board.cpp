#include "darkchess/darkchess_board.h"

#include "game/symmetry.h"

namespace sparring {

namespace {

using Bits = DarkChessBoard::Bits;

int lowest(Bits bits) { return std::countr_zero(bits); }

}  // namespace

DarkChessBoard::DarkChessBoard(const DarkChessGeometry& of, const KindCounts& material)
    : geometry(&of), hidden(of.all) {
  for (int code = 0; code < kPieceCodes; ++code) pool[code] = material[kind_of(code)];
}

int DarkChessBoard::code_at(int cell) const {
  const int of_color = colors[1] >> cell & 1;
  for (int kind = 0; kind < kDarkChessKinds; ++kind)
    if (const int code = piece_code(of_color, kind); pieces[code] >> cell & 1) return code;
  return -1;
}

int DarkChessBoard::pool_of(int of_color) const {
  int sum = 0;
  for (int kind = 0; kind < kDarkChessKinds; ++kind) sum += pool[piece_code(of_color, kind)];
  return sum;
}

bool DarkChessBoard::has_pieces(int of_color) const {
  return colors[of_color] != 0 || (hidden != 0 && pool_of(of_color) > 0);
}

Bits DarkChessBoard::jump_victims(int of_color, int cell) const {
  const Bits all = occupied();
  Bits victims = 0;
  for (int direction = 0; direction < 4; ++direction) {
    const Bits screen = geometry->first(cell, direction, all);
    if (screen == 0) continue;
    victims |= geometry->first(lowest(screen), direction, all) & colors[1 - of_color];
  }
  return victims;
}

bool DarkChessBoard::is_exposed(int code, int cell) const {
  const Bits beside = geometry->neighbours[cell];
  const int enemy = 1 - color_of(code), kind = kind_of(code);
  for (int hunter = 0; hunter < kDarkChessKinds; ++hunter)
    if (captures_by_step(hunter, kind) && (pieces[piece_code(enemy, hunter)] & beside) != 0)
      return true;
  return false;
}

bool DarkChessBoard::is_legal(const DarkChessAction& action, int of_color) const {
  if (action.is_flip()) return hidden >> action.from & 1;
  if (of_color == kNoColor || (colors[of_color] >> action.from & 1) == 0) return false;
  return targets(code_at(action.from), action.from) >> action.to & 1;
}

DarkChessActions DarkChessBoard::actions(int of_color) const {
  DarkChessActions out;
  for (Bits rest = hidden; rest != 0; rest &= rest - 1) out.add(lowest(rest), lowest(rest));
  if (of_color == kNoColor) return out;
  const Bits free = empty();
  for (int kind = 0; kind < kDarkChessKinds; ++kind) {
    Bits own = pieces[piece_code(of_color, kind)];
    if (own == 0) continue;
    const Bits goals = free | step_victims(of_color, kind);
    for (; own != 0; own &= own - 1) {
      const int from = lowest(own);
      Bits to = geometry->neighbours[from] & goals;
      if (kind == kCannon) to |= jump_victims(of_color, from);
      for (; to != 0; to &= to - 1) out.add(from, lowest(to));
    }
  }
  return out;
}

bool DarkChessBoard::has_action() const {
  if (hidden != 0) return true;
  if (color == kNoColor) return false;
  const Bits free = empty();
  for (int kind = 0; kind < kDarkChessKinds; ++kind) {
    const Bits own = pieces[piece_code(color, kind)];
    if ((geometry->beside(own) & (free | step_victims(color, kind))) != 0) return true;
  }
  for (Bits own = pieces[piece_code(color, kCannon)]; own != 0; own &= own - 1)
    if (jump_victims(color, lowest(own)) != 0) return true;
  return false;
}

DarkChessActions DarkChessBoard::captures() const {
  DarkChessActions out;
  if (color == kNoColor) return out;
  const int enemy = 1 - color;
  const Bits cannons = pieces[piece_code(color, kCannon)];
  const Bits beside_own = geometry->beside(colors[color] & ~cannons);
  // The own pieces of this rank and of higher ones, cannons apart.
  Bits higher = 0;
  for (int kind = 0; kind < kDarkChessKinds && (colors[enemy] & beside_own) != 0; ++kind) {
    if (kind != kCannon) higher |= pieces[piece_code(color, kind)];
    Bits hunters = higher;
    if (kind == kKing) hunters |= pieces[piece_code(color, kPawn)];
    if (kind == kPawn) hunters &= ~pieces[piece_code(color, kKing)];
    for (Bits to = pieces[piece_code(enemy, kind)] & beside_own; to != 0; to &= to - 1)
      for (Bits from = geometry->neighbours[lowest(to)] & hunters; from != 0; from &= from - 1)
        out.add(lowest(from), lowest(to));
  }
  for (Bits from = cannons; from != 0; from &= from - 1)
    for (Bits to = jump_victims(color, lowest(from)); to != 0; to &= to - 1)
      out.add(lowest(from), lowest(to));
  return out;
}

bool DarkChessBoard::random_quiet(Random& random, DarkChessAction& out) const {
  constexpr int kDirections = 4;
  const Bits own = color == kNoColor ? 0 : colors[color], free = empty();
  std::array<Bits, kDirections> ends{};
  int count = hidden_count();
  for (int direction = 0; direction < kDirections; ++direction) {
    ends[direction] = geometry->shifted(own, direction) & free;
    count += std::popcount(ends[direction]);
  }
  if (count == 0) return false;
  int skip = random.below(count), step = 0;
  Bits cells = hidden;
  for (int direction = 0; skip >= std::popcount(cells); ++direction) {
    skip -= std::popcount(cells);
    cells = ends[direction];
    step = geometry->step(direction);
  }
  for (; skip > 0; --skip) cells &= cells - 1;
  const int to = lowest(cells);
  out = {static_cast<std::uint8_t>(to - step), static_cast<std::uint8_t>(to)};
  return true;
}

DarkChessAction DarkChessBoard::random_action(Random& random) const {
  const DarkChessActions all = actions();
  return all[random.below(all.size())];
}

int DarkChessBoard::draw(Random& random) const {
  int skip = random.below(hidden_count());
  for (int code = 0;; ++code) {
    skip -= pool[code];
    if (skip < 0) return code;
  }
}

int DarkChessBoard::move(int from, int to) {
  const Bits start = Bits{1} << from, end = Bits{1} << to;
  int captured = -1;
  if ((colors[1 - color] & end) != 0) {
    captured = code_at(to);
    pieces[captured] ^= end;
    colors[1 - color] ^= end;
  }
  pieces[code_at(from)] ^= start | end;
  colors[color] ^= start | end;
  color = static_cast<std::int8_t>(1 - color);
  return captured;
}

void DarkChessBoard::flip(int cell, int code) {
  const Bits bit = Bits{1} << cell;
  hidden ^= bit;
  pool[code] -= 1;
  pieces[code] |= bit;
  colors[color_of(code)] |= bit;
  color = static_cast<std::int8_t>(1 - (color == kNoColor ? color_of(code) : color));
}

DarkChessBoard DarkChessBoard::image(int symmetry, bool exchanges_colors) const {
  const auto moved = [&](Bits cells) {
    Bits out = 0;
    for (; cells != 0; cells &= cells - 1)
      out |= Bits{1} << symmetric_cell(lowest(cells), symmetry, geometry->width, geometry->height);
    return out;
  };
  DarkChessBoard out = *this;
  const int exchange = exchanges_colors ? 1 : 0;
  for (int of_color = 0; of_color < 2; ++of_color) {
    out.colors[of_color ^ exchange] = moved(colors[of_color]);
    for (int kind = 0; kind < kDarkChessKinds; ++kind) {
      const int before = piece_code(of_color, kind), after = piece_code(of_color ^ exchange, kind);
      out.pieces[after] = moved(pieces[before]);
      out.pool[after] = pool[before];
    }
  }
  out.hidden = moved(hidden);
  if (color >= 0) out.color = static_cast<std::int8_t>(color ^ exchange);
  return out;
}

std::uint64_t DarkChessBoard::pieces_hash() const {
  std::uint64_t hash = mix64(hidden);
  for (int code = 0; code < kPieceCodes; ++code)
    hash = mix64(hash + pieces[code] + (std::uint64_t{pool[code]} << 32));
  return hash;
}

}  // namespace sparring
