import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import { reading } from "../documents/body.ts";

/** A real Markdown document in one of fourteen languages. */
export type RealDocument = {
  /** Its path; the first folder is the language. */
  readonly path: string;
  /** As its author wrote it, without the front matter. */
  readonly source: string;
  /** As the codec writes what it read. */
  readonly markdown: string;
};

const root = resolve(import.meta.dirname, "../../../..");
const whole = process.env.KB_CORPUS ?? resolve(root, "../shared/corpus/docs");
const sample = join(root, "packages/markdown-codec/test/sample");

/** The whole corpus where it is on this machine (or where `KB_CORPUS` names it), else the committed sample; `name` says which. */
export function realDocuments(): {
  readonly name: string;
  readonly isWhole: boolean;
  readonly documents: RealDocument[];
} {
  const isWhole = existsSync(whole);
  const folder = isWhole ? whole : sample;
  const paths = globSync("*/**/*.md", { cwd: folder }).sort();
  const documents = paths.map((path) => {
    const source = readFileSync(join(folder, path), "utf8").replace(
      /^\ufeff?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/,
      "",
    );
    return { path, source, markdown: serializeMarkdown(parseMarkdown(source, reading)) };
  });
  const name = isWhole
    ? `the whole corpus of ${documents.length} documents`
    : `a sample of ${documents.length} documents (the whole corpus is NOT here; KB_CORPUS may name it)`;
  return { name, isWhole, documents };
}
