import { isMap, isScalar, isSeq, parseDocument } from "yaml";

/** What a file says about itself before its text. */
export type FrontMatter = {
  readonly title: string | null;
  readonly emoji: string | null;
  readonly tags: readonly string[] | null;
  readonly draft: boolean;
  /** Keys that mean nothing here, as they are written. */
  readonly unused: readonly string[];
};

export type Parts = {
  readonly front: FrontMatter;
  readonly body: string;
  /** Set when the file begins with what looks like front matter and is none; the text then keeps it. */
  readonly problem: string | null;
};

const none: FrontMatter = { title: null, emoji: null, tags: null, draft: false, unused: [] };

const fence = /^---[ \t]*\r?\n/;
const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** Parts a file into its YAML front matter and its text. What is no mapping of names is text. */
export function partFrontMatter(source: string): Parts {
  const whole = { front: none, body: source, problem: null };
  const opened = fence.exec(source);
  if (opened === null) return whole;
  const rest = source.slice(opened[0].length);
  const closed = closing.exec(rest);
  if (closed === null) return whole;
  const body = rest.slice(closed.index + closed[0].length);
  const document = parseDocument(rest.slice(0, closed.index), { uniqueKeys: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) {
    const why = error.message.split("\n", 1)[0] ?? "";
    return { ...whole, problem: `its front matter is not valid YAML (${why.replace(/:$/, "")}) and stays in the text` };
  }
  if (document.contents === null) return { ...whole, body };
  return isMap(document.contents) ? { front: fieldsOf(document.contents.items), body, problem: null } : whole;
}

type Pair = { key: unknown; value: unknown };

function fieldsOf(pairs: readonly Pair[]): FrontMatter {
  const found: { -readonly [Key in keyof FrontMatter]: FrontMatter[Key] } = { ...none };
  const unused: string[] = [];
  for (const pair of pairs) {
    const name = textOf(pair.key) ?? String(pair.key);
    const text = textOf(pair.value);
    const key = name.toLowerCase();
    if (key === "title" && text !== null) found.title = text;
    else if (key === "emoji" && text !== null) found.emoji = text;
    else if (key === "tags" && tagsOf(pair.value) !== null) found.tags = tagsOf(pair.value);
    else if (key === "draft" && (text === "true" || text === "false")) found.draft = text === "true";
    else unused.push(name);
  }
  return { ...found, unused };
}

/** A scalar as its author wrote it: `1.10` stays `1.10`. */
function textOf(node: unknown): string | null {
  if (!isScalar(node) || node.value === null) return null;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

/** A list, or names with commas between them. */
function tagsOf(node: unknown): string[] | null {
  if (isSeq(node)) {
    const tags = node.items.map(textOf);
    return tags.every((tag) => tag !== null) ? tags : null;
  }
  return (
    textOf(node)
      ?.split(",")
      .filter((tag) => tag.trim() !== "") ?? null
  );
}
