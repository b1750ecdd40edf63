import { corpusFiles } from "../corpus.ts";

/** A real document: its path without the language and the extension, and what its author wrote. */
export type RealDocument = {
  readonly language: string;
  readonly path: string;
  readonly title: string;
  /** Markdown without front matter. */
  readonly text: string;
  readonly headings: readonly string[];
  readonly links: readonly DocumentLink[];
};

/** A link to a page of the corpus. */
type DocumentLink = { readonly text: string; readonly language: string; readonly path: string };

/** Reads the real documents: those of the corpus, else of the sample in the repository. */
export function realDocuments(): { source: string; documents: RealDocument[] } {
  const { source, files } = corpusFiles();
  const documents = files.flatMap(({ path, text }) => {
    const [language = "", ...rest] = path.replace(/(?:\/index)?\.md$/, "").split("/");
    const title = isLanguage.test(language) ? titleOf(text) : undefined;
    // The sample writes a folder as two dashes.
    return title === undefined
      ? []
      : [{ language, path: rest.join("/").replaceAll("--", "/"), title, ...partsOf(text) }];
  });
  return { source, documents };
}

const isLanguage = /^[a-z]{2}(?:-[a-z]{2})?$/;
const frontMatter = /^---\n[\s\S]*?\n---\n/;
const titleLine = /^title: *(?:'(.*)'|"(.*)"|(.*?)) *$/m;

function titleOf(text: string): string | undefined {
  const [front] = frontMatter.exec(text) ?? [];
  const found = front === undefined ? null : titleLine.exec(front);
  return (found?.[1] ?? found?.[2] ?? found?.[3])?.replaceAll(/''|\\"/g, '"').trim() || undefined;
}

function partsOf(file: string): Pick<RealDocument, "text" | "headings" | "links"> {
  const text = file.replace(frontMatter, "");
  const prose = text.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1.*$/gm, "");
  const headings = Array.from(prose.matchAll(/^#{2,4} +(.+?)(?: +#+)? *$/gm), ([, heading = ""]) => plain(heading));
  const links = Array.from(prose.matchAll(/(?<!!)\[([^\]\n]+)\]\(\/([a-z-]+)\/([^)\s#?]*)[^)]*\)/g), (found) => ({
    text: plain(found[1] ?? ""),
    language: found[2] ?? "",
    path: (found[3] ?? "").replace(/\/$/, ""),
  }));
  return { text, headings, links };
}

/** Returns the text of inline Markdown. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/\{#[^}]*\}|<[^>]*>|\*\*|`/g, "")
    .trim();
}
