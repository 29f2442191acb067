// The tiles of 3x3 convolutions by Winograd's minimal filtering, F(m x n, 3 x 3): m x n outputs of
// (m + 2) x (n + 2) inputs, by as many products of a channel's weights with a tile.
#pragma once

namespace sparring {

// Tiles of one side, 3 or 4, over the boards and beyond their edges.
struct Tiling {
  int side;
  int down, across;
  constexpr int per_board() const { return down * across; }
  constexpr int points() const { return (side + 2) * (side + 2); }
};

// A board's rows or columns cut into tiles: the first `large` ones have side + 1, the others
// `side`. Their products are numbered by the points of interpolation, finite ones first; infinity
// is the last one of all tiles.
struct Cut {
  int side;  // 3 to 5, as that of the large ones
  int tiles;
  int large = 0;
  constexpr int span() const { return side + 2 + (large > 0); }
  constexpr int products() const { return tiles * (side + 2) + large; }
  constexpr int start(int tile) const { return tile * side + (tile < large ? tile : large); }
  // Tests whether the large tiles alone have this point.
  constexpr bool is_extra(int point) const { return large > 0 && point == span() - 2; }
};

struct Rows {
  int first, count;
};

// The tiles of a convolution on several boards. They are numbered by kind (wide, large, tall,
// small), by board, and by place.
struct Cutting {
  Cut down, across;
  bool bf16;  // whether the products are of bfloat16, with the points of interpolation for it
  constexpr int per_board() const { return down.tiles * across.tiles; }
  constexpr int points() const { return down.span() * across.span(); }
  constexpr int wide() const { return (down.tiles - down.large) * across.large; }
  constexpr int large() const { return down.large * across.large; }
  constexpr int tall() const { return down.large * (across.tiles - across.large); }
  // The tiles with a product at (i, j) among `count` tiles from `first` on.
  constexpr Rows with_product(int i, int j, int boards, int first, int count) const {
    const int begin = down.is_extra(i) ? boards * wide() : 0;
    int end = boards * per_board();
    if (down.is_extra(i)) end = boards * (wide() + large() + tall());
    if (across.is_extra(j)) end = boards * (wide() + large());
    const int from = first > begin ? first : begin;
    const int to = first + count < end ? first + count : end;
    return {from - first, to > from ? to - from : 0};
  }
};

}  // namespace sparring
