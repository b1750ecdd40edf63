import { z } from "zod";
import { requireFiles } from "../attachments/files.ts";
import { type CollectionRow, requireCollection } from "../collections/row.ts";
import type { ReadContext } from "../context.ts";
import { query } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { charactersToRender, offload } from "../threads/offload.ts";
import { Bodies, type ExportedDocument } from "./bodies.ts";
import { frontMatter } from "./front-matter.ts";
import { indexPage, indexPath } from "./html-index.ts";
import type { Ancestor } from "./html-page.ts";
import { mayLinkInside, type Places, placesIn } from "./links.ts";
import { listed, type ManifestEntry, manifestOf } from "./manifest.ts";
import { safeName } from "./names.ts";
import { ancestorsOf, type Entry, outlineOf } from "./outline.ts";
import { type Upload, uploadsOf } from "./uploads.ts";

/** A file of an export. It is made when it is opened; files are opened one after another. */
export type ExportFile = {
  /** A relative path with `/` as separator. It is safe on every system. */
  readonly path: string;
  readonly modifiedAt: Date;
  /** Whether the bytes are already compressed, as those of images are. */
  readonly packed: boolean;
  /** Opens the bytes. Returns null when the file has been removed since the export began. */
  open(): Promise<AsyncIterable<Uint8Array> | null>;
};

/** The name of an export and its files in order. */
export type Export = { readonly name: string; readonly files: readonly ExportFile[] };

const input = z.strictObject({
  id: Id,
  format: z.enum(["zip", "html"]).default("zip"),
  frontMatter: z.boolean().default(true),
});

type Request = z.output<typeof input>;

/** Exports a collection: a tree of documents, the attachments that they show, and a manifest. */
export const exportCollection = query({
  name: "collections.export",
  summary: "Export a collection",
  description:
    "Streams a ZIP archive with a Markdown file (or a page, with `format=html`) for each document that you may see, in folders by hierarchy, with attachments in `uploads/` and a `manifest.json`. Links between the documents are relative. Archived documents are not included.",
  scope: "read",
  capability: "export",
  readsReplica: true,
  input,
  output: z.custom<Export>(),
  async run(context, request): Promise<Export> {
    const collection = await requireCollection(context.reader, context.actor, "read", request.id);
    const ending = request.format === "html" ? ".html" : ".md";
    const [entries, uploads] = await Promise.all([
      outlineOf(context, collection.id, ending, ["uploads", "manifest.json", "index"]),
      // A process without the store keeps the addresses of attachments as they are.
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
  const { userId } = context.actor;
  const render = isHtml ? htmlOf(userId, collection, entries, places) : markdownOf(userId, request.frontMatter, places);
  const order = entries.map(({ id }) => id);
  const bodies = new Bodies(context, collection.id, order, isHtml);
  const listedEntries: ManifestEntry[] = [];
  if (isHtml) yield textFile(indexPath, now, () => indexPage(collection.name, entries));
  for (const [index, entry] of entries.entries()) {
    const open = async () => {
      const document = await bodies.at(index);
      if (document === null) return null;
      listedEntries.push(listed(entry, document));
      return encoded([await render(entry, document)]);
    };
    yield { path: entry.path, modifiedAt: entry.updatedAt, packed: false, open };
  }
  for (const upload of uploads) yield uploadFile(context, upload);
  yield textFile("manifest.json", now, () => manifestOf(collection, now, listedEntries, isHtml || request.frontMatter));
}

type Render = (entry: Entry, document: ExportedDocument) => string | Promise<string>;

function markdownOf(owner: string, withFrontMatter: boolean, places: Places): Render {
  return async ({ path }, document) => {
    const { markdown, content } = document;
    const text =
      content === null || !mayLinkInside(markdown)
        ? markdown
        : await offload(owner, "relinkedMarkdown", content.length, {
            content,
            path,
            places: placesIn(content, places),
          });
    return withFrontMatter ? `${frontMatter(document)}\n${text}` : text;
  };
}

function htmlOf(owner: string, collection: CollectionRow, entries: readonly Entry[], places: Places): Render {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const aboveOf = (entry: Entry): Ancestor[] => {
    const nearest = ancestorsOf(entry, byId);
    const others: Ancestor[] = nearest.length > 0 && nearest[0]?.parentId !== null ? [{ title: "…", path: null }] : [];
    return [{ title: collection.name, path: indexPath }, ...others, ...nearest];
  };
  return (entry, document) => {
    const { title, emoji, tags, updatedAt, publishedAt } = document;
    const content = document.content ?? "";
    return offload(owner, "documentPage", charactersToRender(content), {
      facts: { title, emoji, tags, updatedAt, draft: publishedAt === null },
      content,
      path: entry.path,
      above: aboveOf(entry),
      places: placesIn(content, places),
    });
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

/** Encodes text in chunks that are large enough to be worth a write. */
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
