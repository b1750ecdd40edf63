import { extname } from "node:path";
import type { Actor } from "@kb/auth";
import { type DocumentView, invoke, operations, type Service, ServiceError } from "@kb/core";
import { Assets } from "./assets.ts";
import { type Existing, existingDocuments } from "./existing.ts";
import { linkToDocuments, mayLinkToFiles, targetsOf } from "./links.ts";
import type { Manifest } from "./manifest.ts";
import { type Draft, folderDraft, readDraft } from "./read.ts";
import { emptyResult, type ImportResult } from "./result.ts";
import type { Skipped } from "./scan.ts";
import type { Page } from "./tree.ts";

export type ImportOptions = {
  readonly service: Service;
  readonly actor: Actor;
  readonly collectionId: string;
  /** What an export tells of its files. */
  readonly manifest: Manifest;
  /** Files that are not Markdown: where each stands, by its path. */
  readonly others: ReadonlyMap<string, string>;
  /** False leaves what is new as drafts. */
  readonly publish: boolean;
  /** True brings documents that are there already up to date; false leaves them alone. */
  readonly update: boolean;
  readonly signal: AbortSignal;
  /** Called after each page. */
  readonly onPage: (path: string) => void;
};

type Placed = { page: Page; parentId: string | null; position: number };

/** A document whose text may link to pages that were not written yet. */
type Linking = { path: string; text: string; document: DocumentView; isNew: boolean };

type Run = ImportOptions & {
  readonly result: ImportResult;
  readonly existing: Existing;
  /** The documents' URLs by where they stood in the source. */
  readonly urls: Map<string, string>;
  readonly linking: Linking[];
  readonly assets: Assets;
};

// Writing is one at a time in a team anyway; meanwhile the next files are read and parsed.
const parallel = 3;

/** Writes pages as documents, parents before their children. What cannot be imported is skipped and named. */
export async function importPages(pages: readonly Page[], options: ImportOptions): Promise<ImportResult> {
  const existing = await existingDocuments(options.service, options.actor, options.collectionId);
  const assets = new Assets(options.service, options.actor, options.collectionId, options.others);
  const run: Run = { ...options, result: emptyResult(), existing, urls: new Map(), linking: [], assets };
  let level = placedUnder(null, pages);
  while (level.length > 0) {
    const below: Placed[][] = level.map(() => []);
    await inParallel(level, async (placed, index) => {
      run.signal.throwIfAborted();
      below[index] = placedUnder(await importPage(run, placed), placed.page.children);
      run.onPage(placed.page.path);
    });
    level = below.flat();
  }
  await inParallel(run.linking, (linking) => link(run, linking));
  run.result.notes.push(...assets.notes);
  run.result.attached = assets.attached.size;
  for (const path of options.others.keys()) if (!assets.attached.has(path)) tally(run.result.others, path);
  return run.result;
}

function placedUnder(parentId: string | null, pages: readonly Page[]): Placed[] {
  return pages.map((page, position) => ({ page, parentId, position }));
}

async function inParallel<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

/** Writes one page and gives the id under which its children go. */
async function importPage(run: Run, placed: Placed): Promise<string | null> {
  const { page, parentId } = placed;
  const written = await tryPage(run, placed);
  if (!("reason" in written)) return written.id;
  run.result.skipped.push(written);
  if (page.children.length === 0) return parentId;
  // What is below a file that cannot be imported still needs its place.
  const folder = await write(run, { ...placed, page: { ...page, file: null } }, folderDraft(page));
  return folder.id;
}

const skippable: ReadonlySet<string> = new Set(["validation_error", "inline_image_rejected", "payload_too_large"]);

async function tryPage(run: Run, placed: Placed): Promise<DocumentView | Skipped> {
  const { path } = placed.page;
  const draft = await readDraft(placed.page, run.manifest.get(path));
  if ("reason" in draft) return draft;
  try {
    const document = await write(run, placed, draft);
    for (const message of draft.notes) run.result.notes.push({ path, message });
    for (const key of draft.unused) run.result.unusedKeys[key] = (run.result.unusedKeys[key] ?? 0) + 1;
    return document;
  } catch (error) {
    if (!(error instanceof ServiceError) || !skippable.has(error.code)) throw error;
    return { path, code: error.code, reason: error.message };
  }
}

async function write(run: Run, placed: Placed, draft: Draft): Promise<DocumentView> {
  const { page, parentId, position } = placed;
  const found = run.existing.take(parentId, draft.title, position);
  const document = found === undefined ? await create(run, placed, draft) : await meet(run, page, draft, found);
  run.urls.set(page.path, document.url);
  if (page.folder !== null) run.urls.set(page.folder, document.url);
  return document;
}

async function create(run: Run, { page, parentId, position }: Placed, draft: Draft): Promise<DocumentView> {
  const { title, text, emoji, tags } = draft;
  const document = await invoke(run.service, operations.createDocument, run.actor, {
    collectionId: run.collectionId,
    parentDocumentId: parentId,
    title,
    text,
    emoji,
    tags: tags ?? [],
    publish: run.publish && !draft.draft,
    sortOrder: position,
  });
  if (page.file === null) run.result.folders += 1;
  else run.result.imported += 1;
  if (mayLinkToFiles(text)) run.linking.push({ path: page.path, text, document, isNew: true });
  return document;
}

/** What becomes of a document that is there already. The pages of folders are never written over. */
async function meet(run: Run, page: Page, draft: Draft, found: DocumentView): Promise<DocumentView> {
  if (page.file === null) return found;
  if (!run.update) {
    run.result.existing += 1;
    return found;
  }
  const { text, emoji, tags } = draft;
  const linking = mayLinkToFiles(text);
  const document = await invoke(run.service, operations.updateDocument, run.actor, {
    id: found.id,
    ...(linking ? {} : { text }),
    ...(emoji === null ? {} : { emoji }),
    ...(tags === null ? {} : { tags }),
  });
  if (linking)
    run.linking.push({ path: page.path, text, document: { ...document, revision: found.revision }, isNew: false });
  else count(run, found, document);
  return document;
}

function count(run: Run, before: DocumentView, after: DocumentView): void {
  run.result[before.revision === after.revision ? "unchanged" : "updated"] += 1;
}

/** Once every page has its URL: attaches the files that a page names, and points its links at what their files became. */
async function link(run: Run, { path, text, document, isNew }: Linking): Promise<void> {
  run.signal.throwIfAborted();
  for (const target of targetsOf(text, path)) {
    if (!run.assets.has(target)) continue;
    const url = await run.assets.urlOf(target, document.id);
    if (url !== null) run.urls.set(target, url);
  }
  const content = linkToDocuments(text, path, (target) => run.urls.get(target));
  if (content === null && isNew) return;
  const body = content === null ? { text } : { content };
  const after = await invoke(run.service, operations.updateDocument, run.actor, { id: document.id, ...body });
  if (content !== null) run.result.linked += 1;
  if (!isNew) count(run, document, after);
}

function tally(others: Record<string, number>, path: string): void {
  const extension = extname(path).toLowerCase();
  if (path !== "manifest.json") others[extension] = (others[extension] ?? 0) + 1;
}
