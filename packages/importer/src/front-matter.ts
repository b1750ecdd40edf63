import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { readDate } from "./dates.ts";
import { type Explained, explain } from "./explain.ts";

/** The fields of YAML front matter. */
export type FrontMatter = {
  readonly title: string | null;
  readonly emoji: string | null;
  readonly tags: readonly string[] | null;
  readonly draft: boolean;
  /** Other names of the page, by which links find it. */
  readonly aliases: readonly string[];
  /** The time at which the page was created, or else changed. */
  readonly createdAt: Date | null;
  /** The addresses that a documentation site gives the page, such as `/start`. */
  readonly routes: readonly string[];
  /** The position among its siblings. */
  readonly position: number | null;
  /** Keys without a meaning for an import. */
  readonly unused: readonly string[];
};

export type Parts = {
  readonly front: FrontMatter;
  readonly body: string;
  /** Set if the front matter is invalid and stays in the text. */
  readonly problem: Explained | null;
};

/** The front matter of a page that has none. */
export const noFrontMatter: FrontMatter = {
  title: null,
  emoji: null,
  tags: null,
  draft: false,
  aliases: [],
  createdAt: null,
  routes: [],
  position: null,
  unused: [],
};

const fence = /^---[ \t]*\r?\n/;
const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** A file that is all text, whatever it begins with. */
export const textOnly = (source: string): Parts => ({ front: noFrontMatter, body: source, problem: null });

/** Splits a file into its YAML front matter and its text. Front matter that is not a mapping stays in the text. */
export function splitFrontMatter(source: string): Parts {
  const whole = textOnly(source);
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
    return { ...whole, problem: explain("front_matter_invalid", { message: why.replace(/:$/, "") }) };
  }
  if (document.contents === null) return { ...whole, body };
  return isMap(document.contents) ? { front: fieldsOf(document.contents.items), body, problem: null } : whole;
}

type Fields = { -readonly [Key in keyof FrontMatter]: FrontMatter[Key] };
type Reader = (fields: Fields, node: unknown) => boolean;

function fieldsOf(pairs: readonly { key: unknown; value: unknown }[]): FrontMatter {
  const fields: Fields = { ...noFrontMatter };
  const unused: string[] = [];
  let updated: { readonly name: string; readonly at: Date } | null = null;
  for (const { key, value } of pairs) {
    const name = textOf(key) ?? String(key);
    const known = name.toLowerCase().replaceAll(/[ _-]/g, "");
    const at = updatedKeys.has(known) ? dateOf(value) : null;
    if (at !== null && updated === null) updated = { name, at };
    else if (!(readers.get(known)?.(fields, value) ?? false)) unused.push(name);
  }
  // The team clock sets the time of the last change: a date of it is used only where it is all that is known.
  if (updated !== null && fields.createdAt !== null) unused.push(updated.name);
  return { ...fields, createdAt: fields.createdAt ?? updated?.at ?? null, unused };
}

const updatedKeys: ReadonlySet<string> = new Set(
  "updated updatedat dateupdated modified modifiedat datemodified lastmod lastmodified lastupdated".split(" "),
);

const readTitle: Reader = (fields, node) => {
  fields.title = textOf(node);
  return fields.title !== null;
};

const readTags: Reader = (fields, node) => {
  const tags = listOf(node);
  if (tags !== null) fields.tags = [...(fields.tags ?? []), ...tags.map((tag) => tag.trim().replace(/^#/, ""))];
  return tags !== null;
};

const readAliases: Reader = (fields, node) => {
  const aliases = listOf(node);
  fields.aliases = [...fields.aliases, ...(aliases ?? [])];
  return aliases !== null;
};

const readCreated: Reader = (fields, node) => {
  const date = dateOf(node);
  fields.createdAt ??= date;
  return date !== null;
};

const readPosition: Reader = (fields, node) => {
  const text = textOf(node);
  fields.position = text !== null && /^-?\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null;
  return fields.position !== null;
};

const readRoute: Reader = (fields, node) => {
  const route = textOf(node);
  if (route !== null) fields.routes = [...fields.routes, route];
  return route !== null;
};

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["title", readTitle],
  [
    "emoji",
    (fields, node) => {
      fields.emoji = textOf(node);
      return fields.emoji !== null;
    },
  ],
  [
    "draft",
    (fields, node) => {
      const text = textOf(node);
      fields.draft = text === "true";
      return text === "true" || text === "false";
    },
  ],
  ["tags", readTags],
  ["tag", readTags],
  ["aliases", readAliases],
  ["alias", readAliases],
  ...["created", "createdat", "datecreated", "creationdate", "date"].map((key): [string, Reader] => [key, readCreated]),
  ["sidebarposition", readPosition],
  ["navorder", readPosition],
  ["slug", readRoute],
  ["permalink", readRoute],
]);

/** Returns the source of a scalar, so `1.10` stays `1.10`. */
function textOf(node: unknown): string | null {
  if (!isScalar(node) || node.value === null) return null;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

function dateOf(node: unknown): Date | null {
  const text = textOf(node);
  return text === null ? null : readDate(text);
}

/** Returns texts from a list or from names separated by commas. */
function listOf(node: unknown): string[] | null {
  if (isSeq(node)) {
    const items = node.items.map(textOf);
    return items.every((item) => item !== null) ? items : null;
  }
  return (
    textOf(node)
      ?.split(",")
      .filter((item) => item.trim() !== "") ?? null
  );
}
