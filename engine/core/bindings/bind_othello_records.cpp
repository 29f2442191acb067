// Games of Othello in bulk for Python: arrays of moves in, arrays of positions out.
#include "bindings/bind_othello_records.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "othello/othello_board.h"
#include "othello/othello_records.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sparring {
namespace {

template <typename T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using NewColumn = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// An array with ownership of the vector's memory.
template <typename T>
NewColumn<T> column_of(std::vector<T>&& values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const std::size_t length = kept->size();
  nb::capsule owner(kept.release(),
                    [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return NewColumn<T>(data, {length}, owner);
}

nb::dict play(Column<uint8_t> moves, Column<int32_t> lengths) {
  OthelloRecords records;
  {
    nb::gil_scoped_release unlocked;
    records = play_records({moves.data(), moves.size()}, {lengths.data(), lengths.size()});
  }
  nb::dict out;
  out["own"] = column_of(std::move(records.own));
  out["other"] = column_of(std::move(records.other));
  out["to_move"] = column_of(std::move(records.to_move));
  out["move"] = column_of(std::move(records.move));
  out["game"] = column_of(std::move(records.game));
  out["black"] = column_of(std::move(records.black));
  out["white"] = column_of(std::move(records.white));
  out["over"] = column_of(std::move(records.over));
  return out;
}

NewColumn<uint64_t> moves_of(Column<uint64_t> own, Column<uint64_t> other) {
  if (own.size() != other.size()) throw nb::value_error("own and other differ in length");
  std::vector<uint64_t> moves(own.size());
  {
    nb::gil_scoped_release unlocked;
    for (std::size_t i = 0; i < moves.size(); ++i)
      moves[i] = OthelloBoard<8>{own.data()[i], other.data()[i]}.moves();
  }
  return column_of(std::move(moves));
}

}  // namespace

void bind_othello_records(nb::module_& m) {
  m.def("play_othello_records", &play, "moves"_a, "lengths"_a,
        nb::sig("def play_othello_records(moves: numpy.typing.NDArray[numpy.uint8], lengths: "
                "numpy.typing.NDArray[numpy.int32]) -> dict[str, "
                "numpy.typing.NDArray[typing.Any]]"),
        "Plays games on 8x8. moves holds all games' cells without passes, lengths int32\n"
        "[games] their numbers. Returns by name, a row a position with a move: own and\n"
        "other uint64 (bit y * 8 + x a disc there), to_move uint8, move uint8 (64 a pass), game "
        "int32 from 0; and\n"
        "for each game black and white uint64, its last discs, and over uint8. ValueError\n"
        "for an illegal move.");
  m.def("othello_moves", &moves_of, "own"_a, "other"_a,
        nb::sig("def othello_moves(own: numpy.typing.NDArray[numpy.uint64], other: "
                "numpy.typing.NDArray[numpy.uint64]) -> numpy.typing.NDArray[numpy.uint64]"),
        "The legal cells of 8x8 for the owner of `own` in each row, uint64 [n], a bit each.");
}

}  // namespace sparring
