// Puts the rules of markdown-it into the built package (`pnpm build`), so that it needs no other package.
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ownEntities } from "./own-entities.ts";

const built = fileURLToPath(new URL("../dist/syntax/markdown-it.js", import.meta.url));

const licence = `/*!
markdown-it ${readFileSync(fileURLToPath(import.meta.resolve("markdown-it/LICENSE")), "utf8").trim()}

uc.micro Copyright Mathias Bynens <https://mathiasbynens.be/>, under the same terms.
*/`;

await build({
  entryPoints: [built],
  outfile: built,
  allowOverwrite: true,
  bundle: true,
  format: "esm",
  target: "es2022",
  banner: { js: licence },
  plugins: [ownEntities],
});
rmSync(`${built}.map`);
