import { serializeMarkdown } from "markdown-codec";
import { z } from "zod";
import { requireFiles } from "../attachments/files.ts";
import { type CollectionRow, requireCollection } from "../collections/row.ts";
import { storedContent } from "../documents/save.ts";
import { query, type ReadContext } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { Bodies, type ExportedDocument } from "./bodies.ts";
import { frontMatter } from "./front-matter.ts";
import { indexPage, indexPath } from "./html-index.ts";
import { type Above, documentPage } from "./html-page.ts";
import { mayLinkInside, type Places, relinked } from "./links.ts";
import { type Listed, listed, manifestOf } from "./manifest.ts";
import { safeName } from "./names.ts";
import { type Entry, outlineOf } from "./outline.ts";
import { type Upload, uploadsOf } from "./uploads.ts";

/** A file of an export. It is made when it is opened, and files are opened one after the other. */
export type ExportFile = {
  /** Relative, with `/` between its parts; it leads nowhere else on any system. */
  readonly path: string;
  readonly modifiedAt: Date;
  /** Compressed already, as pictures are. */
  readonly packed: boolean;
  /** The bytes. Null: it is gone since the export began. */
  open(): Promise<AsyncIterable<Uint8Array> | null>;
};

/** An export: what it is called, and its files in the order in which they are to be taken. */
export type Export = { readonly name: string; readonly files: readonly ExportFile[] };

const input = z.strictObject({
  id: Id,
  format: z.enum(["zip", "html"]).default("zip"),
  frontMatter: z.boolean().default(true),
});

type Request = z.output<typeof input>;

/** A collection as files: a tree of documents, the attachments that they show, and a manifest. */
export const exportCollection = query({
  name: "collections.export",
  summary: "Export a collection",
  description:
    "A ZIP archive, streamed: a Markdown file (or with `format=html` a page) for each document that the caller sees, in folders by hierarchy, with the attachments below `uploads/` and a `manifest.json`. Links between the documents are relative. Archived documents are left out.",
  scope: "read",
  capability: "export",
  input,
  output: z.custom<Export>(),
  async run(context, request): Promise<Export> {
    const collection = await requireCollection(context.reader, context.actor, "read", request.id);
    const ending = request.format === "html" ? ".html" : ".md";
    const [entries, uploads] = await Promise.all([
      outlineOf(context, collection.id, ending, ["uploads", "manifest.json", "index"]),
      // Where their bytes are out of reach, their addresses stay as they are.
      context.files === undefined ? [] : uploadsOf(context, collection.id),
    ]);
    return { name: safeName(collection.name), files: [...filesOf(context, collection, request, entries, uploads)] };
  },
});

function* filesOf(
  context: ReadContext,
  collection: CollectionRow,
  request: Request,
  entries: readonly Entry[],
  uploads: readonly Upload[],
): Generator<ExportFile> {
  const { now, appUrl } = context;
  const places: Places = {
    appUrl,
    documents: new Map(entries.map(({ id, path }) => [id, path])),
    uploads: new Map(uploads.map(({ publicId, path }) => [publicId, path])),
  };
  const isHtml = request.format === "html";
  const render = isHtml ? htmlOf(collection, entries, places) : markdownOf(request.frontMatter, places);
  const order = entries.map(({ id }) => id);
  const bodies = new Bodies(context, collection.id, order, isHtml);
  const told: Listed[] = [];
  if (isHtml) yield textFile(indexPath, now, () => indexPage(collection.name, entries));
  for (const [index, entry] of entries.entries()) {
    const open = async () => {
      const document = await bodies.at(index);
      if (document === null) return null;
      told.push(listed(entry, document));
      return encoded([render(entry, document)]);
    };
    yield { path: entry.path, modifiedAt: entry.updatedAt, packed: false, open };
  }
  for (const upload of uploads) yield uploadFile(context, upload);
  yield textFile("manifest.json", now, () => manifestOf(collection, now, told));
}

type Render = (entry: Entry, document: ExportedDocument) => string;

function markdownOf(withFrontMatter: boolean, places: Places): Render {
  return ({ path }, document) => {
    const { markdown, content } = document;
    const links = content !== null && mayLinkInside(markdown);
    const text = links ? serializeMarkdown(relinked(storedContent(content), path, places)) : markdown;
    return withFrontMatter ? `${frontMatter(document)}\n${text}` : text;
  };
}

function htmlOf(collection: CollectionRow, entries: readonly Entry[], places: Places): Render {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const aboveOf = ({ parentId }: Entry): Above[] => {
    const above: Above[] = [];
    for (let entry = byId.get(parentId ?? ""); entry !== undefined; entry = byId.get(entry.parentId ?? "")) {
      above.unshift(entry);
    }
    return [{ title: collection.name, path: indexPath }, ...above];
  };
  return (entry, document) => {
    const content = relinked(storedContent(document.content), entry.path, places);
    return documentPage({ ...document, draft: document.publishedAt === null }, content, entry.path, aboveOf(entry));
  };
}

function textFile(path: string, modifiedAt: Date, parts: () => Iterable<string>): ExportFile {
  return { path, modifiedAt, packed: false, open: async () => encoded(parts()) };
}

function uploadFile(context: ReadContext, { path, contentType, createdAt, storageKey }: Upload): ExportFile {
  const packed = /^(?:image\/(?!svg|bmp)|video\/|audio\/(?!wav))|zip/.test(contentType);
  return { path, modifiedAt: createdAt, packed, open: () => requireFiles(context).store.get(storageKey) };
}

const piecesOf = 64 * 1024;

/** Text as bytes, in pieces of a size that is worth a turn. */
async function* encoded(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  let held = "";
  for (const part of parts) {
    held += part;
    if (held.length < piecesOf) continue;
    yield Buffer.from(held);
    held = "";
  }
  if (held !== "") yield Buffer.from(held);
}
