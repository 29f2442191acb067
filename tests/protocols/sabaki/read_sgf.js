// Reads an SGF file by Sabaki's own parser; prints the nodes of the main line as JSON.
const sgf = require("@sabaki/sgf");

const games = sgf.parseFile(process.argv[2]).map((root) => {
  const nodes = [];
  for (let node = root; node != null; node = node.children[0])
    nodes.push({ data: node.data, variations: node.children.length });
  return nodes;
});
console.log(JSON.stringify(games));
