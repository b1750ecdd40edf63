import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A real Markdown file: its path within the corpus and its whole text, front matter included. */
export interface RealFile {
  path: string;
  text: string;
}

const packageRoot = resolve(import.meta.dirname, "..");
const wholeCorpus = process.env.KB_CORPUS ?? resolve(packageRoot, "../../../shared/corpus/docs");
const sample = join(packageRoot, "test/sample");

/** True when the whole corpus (2,569 files) is on this machine; otherwise the committed sample is read. */
export const corpusIsWhole: boolean = existsSync(wholeCorpus);

/** Every real document: of the corpus, or of the sample where the corpus is absent; in a stable order. */
export function realFiles(): RealFile[] {
  return filesBelow(corpusIsWhole ? wholeCorpus : sample).filter(({ path }) => !path.startsWith("constructs/"));
}

/** Every Markdown file of the committed sample: real documents, and a file for each construct in each of its places. */
export function sampleFiles(): RealFile[] {
  return filesBelow(sample);
}

function filesBelow(root: string): RealFile[] {
  const paths = globSync("*/**/*.md", { cwd: root }).sort();
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** At most `count` of the files, evenly spread. */
export function spread(files: readonly RealFile[], count: number): RealFile[] {
  const step = Math.max(1, files.length / count);
  return files.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** One sentence for the test title: which files are read, and why if they are only the sample. */
export function corpusName(count: number): string {
  return corpusIsWhole
    ? `the whole corpus (${count} files)`
    : `the sample in test/sample (${count} files; the whole corpus is NOT on this machine, KB_CORPUS may name it)`;
}

/** The text without its front matter, which is no Markdown. */
export function body(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, "");
}
