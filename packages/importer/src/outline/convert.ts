import { createHash } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serializeMarkdown } from "markdown-codec";
import { stringify } from "yaml";
import type { Order } from "../order.ts";
import type { Findings } from "../report.ts";
import type { SourceFile } from "../scan.ts";
import { outlineDocument } from "./document.ts";
import { type OutlineCollection, type OutlineDocument, readCollection, type TreeNode } from "./export.ts";

type Names = Pick<Order, "titles" | "formerTitles">;

/**
 * Writes the documents of an Outline JSON export as Markdown files into `folder`, with titles, times and order in their front
 * matter. Their paths follow its tree. The names of the written files do not: a tree may be deeper, and a name longer, than a file
 * system allows. The names of the collections go into `order`, by their paths.
 */
export async function convertOutline(
  others: Map<string, string>,
  folder: string,
  { findings, order }: { readonly findings: Findings; readonly order: Names },
): Promise<SourceFile[]> {
  const collections: OutlineCollection[] = [];
  for (const [path, absolute] of [...others].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (path.includes("/") || !path.endsWith(".json")) continue;
    const collection = path === "metadata.json" ? null : await readCollection(absolute);
    if (collection !== null) collections.push(collection);
    if (collection !== null || path === "metadata.json") others.delete(path);
  }
  const files: SourceFile[] = [];
  for (const collection of collections) {
    const top = collections.length === 1 ? "" : `${addFolder(collection.collection.name, order)}/`;
    for (const page of pagesIn(collection, top)) {
      const absolute = join(folder, `outline-${files.length}.md`);
      files.push(await writePage(absolute, page, collection, findings));
    }
  }
  return files;
}

/** Returns the path of a collection, which no other one has: names may be equal, or equal where they are cut. */
function addFolder(name: string, { titles, formerTitles }: Names): string {
  const first = safeName(name);
  let path = first;
  for (let count = 2; titles.has(path); count += 1) path = `${first} ${count}`;
  titles.set(path, name);
  if (first !== name) formerTitles.set(path, first);
  return path;
}

type OutlinePage = { readonly path: string; readonly document: OutlineDocument; readonly position: number };

/** Walks the tree of a collection; documents that are not in it, such as drafts, come after it under their parents. */
function* pagesIn({ collection, documents }: OutlineCollection, top: string): Generator<OutlinePage> {
  const left = new Map(Object.entries(documents));
  const folders = new Map<string, string>();
  function* walk(nodes: readonly TreeNode[], folder: string): Generator<OutlinePage> {
    for (const [position, { id, children = [] }] of nodes.entries()) {
      const document = left.get(id);
      // A damaged tree may name a document twice.
      if (!left.delete(id) || document === undefined) continue;
      const name = `${folder}${nameOf(document)}`;
      folders.set(id, `${name}/`);
      yield { path: `${name}.md`, document, position };
      yield* walk(children, `${name}/`);
    }
  }
  yield* walk(collection.documentStructure ?? [], top);
  for (const document of [...left.values()]) {
    const folder = folders.get(document.parentDocumentId ?? "") ?? top;
    yield* walk([{ id: document.id }], folder);
  }
}

const nameOf = ({ id, urlId, title }: OutlineDocument): string => `${safeName(title)} ${safeId(urlId ?? id)}`;

/** An id is a part of a path too, and a file from elsewhere may hold any text in its place. */
const safeId = (id: string): string =>
  /^[A-Za-z0-9-]{1,64}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 12);

const safeName = (name: string): string =>
  name
    .replaceAll(/[/\\\0]|^\.+/g, "-")
    .slice(0, 60)
    .toWellFormed()
    .trim() || "Untitled";

async function writePage(
  absolute: string,
  { path, document, position }: OutlinePage,
  { attachments }: OutlineCollection,
  findings: Findings,
): Promise<SourceFile> {
  const { id, urlId, title, emoji, icon, createdAt, publishedAt } = document;
  const doc = outlineDocument(document.data, {
    onLeftOut: (what) => findings.add("left_out", path, what),
    addressOf: (address) => addressOf(address, attachments ?? {}),
  });
  const front = {
    title,
    ...(emoji || /^\p{Extended_Pictographic}/u.test(icon ?? "") ? { emoji: emoji || icon } : {}),
    ...(createdAt ? { created: createdAt } : {}),
    ...(publishedAt ? {} : { draft: true }),
    nav_order: position,
    slug: `/doc/${id}`,
    ...(urlId ? { permalink: `/doc/${urlId}` } : {}),
  };
  await writeFile(
    absolute,
    `---\n${stringify(front, { lineWidth: 0, blockQuote: false })}---\n${serializeMarkdown(doc)}`,
  );
  return { path, absolute, bytes: (await stat(absolute)).size, kind: "markdown" };
}

const documentAddress = /^(?:https?:\/\/[^/]+)?\/doc\/(?:[^/?#]*-)?([A-Za-z0-9]{10})(#[^?]*)?$/;
const attachmentAddress = /\/api\/attachments\.redirect\?id=([0-9a-f-]{36})/;

/** Returns the address of a document or an attachment in the export; addresses elsewhere stay. */
function addressOf(address: string, attachments: Readonly<Record<string, { readonly key: string }>>): string {
  const [, urlId, fragment = ""] = documentAddress.exec(address) ?? [];
  if (urlId !== undefined) return `/doc/${urlId}${fragment}`;
  const key = attachments[attachmentAddress.exec(address)?.[1] ?? ""]?.key;
  return key === undefined ? address : `/${key.split("/").map(encodeURIComponent).join("/")}`;
}
