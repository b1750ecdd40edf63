import { existsSync, globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const wholeCorpus = process.env.KB_CORPUS ?? resolve(root, "../shared/corpus/docs");
const sample = resolve(root, "packages/markdown-codec/test/sample");

/** A file of the corpus, with its path in it. */
export type CorpusFile = { readonly path: string; readonly text: string };

/** Reads real Markdown files: the corpus beside the repository if it exists, else the sample in the repository. */
export function corpusFiles(): { source: string; files: CorpusFile[] } {
  const folder = existsSync(wholeCorpus) ? wholeCorpus : sample;
  const paths = globSync("**/*.md", { cwd: folder }).sort();
  const files = paths.map((path) => ({ path, text: readFileSync(resolve(folder, path), "utf8") }));
  return { source: folder === sample ? "the sample in the repository" : "the corpus", files };
}

/** Returns the texts of these files. */
export function corpus(): { source: string; texts: string[] } {
  const { source, files } = corpusFiles();
  return { source, texts: files.map(({ text }) => text) };
}
