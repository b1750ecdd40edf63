import { realFiles, spread } from "../test/corpus.ts";
import { countRenderings } from "../test/rendering.ts";

// How many files of the corpus each renderer shows alike before and after one pass; the number is an argument.
for (const { renderer, files, leftOut, different } of countRenderings(
  spread(realFiles(), Number(process.argv[2] ?? 400)),
)) {
  const share = (100 * (1 - different.length / files)).toFixed(1);
  console.log(`${renderer}: ${share} % of ${files} files (${leftOut} left out)`);
  for (const path of different) console.log(`  ${path}`);
}
