// Bundles the page into the package data of protocols/page; `--out FOLDER` writes elsewhere.
import { build } from "esbuild";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const named = process.argv.indexOf("--out");
const out = named > 0 ? process.argv[named + 1] : join(here, "..", "protocols", "page", "files");

// Shudan's picture of wood weighs more than all the rest: the board has a plain color instead.
const withoutWood = {
  name: "without-wood",
  setup(builder) {
    builder.onLoad({ filter: /board\.png$/ }, () => ({ contents: "", loader: "empty" }));
  },
};

await mkdir(out, { recursive: true });
await build({
  entryPoints: { page: join(here, "src", "main.tsx") },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none", // NOTICE.md has the licences
  loader: { ".svg": "dataurl" },
  plugins: [withoutWood],
  outdir: out,
  logLevel: "warning",
});
for (const name of ["index.html", "icon.svg", "NOTICE.md"]) {
  await copyFile(join(here, "static", name), join(out, name));
}
