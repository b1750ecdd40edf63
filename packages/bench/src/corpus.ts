import { existsSync, globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const wholeCorpus = process.env.KB_CORPUS ?? resolve(root, "../shared/corpus/docs");
const sample = resolve(root, "packages/markdown-codec/test/sample");

/** Reads real Markdown files: the corpus beside the repository if it exists, else the sample in the repository. */
export function corpus(): { source: string; texts: string[] } {
  const folder = existsSync(wholeCorpus) ? wholeCorpus : sample;
  const files = globSync("**/*.md", { cwd: folder }).sort();
  const texts = files.map((file) => readFileSync(resolve(folder, file), "utf8"));
  return { source: folder === sample ? "the sample in the repository" : "the corpus", texts };
}
