import { extname } from "node:path";
import { isQuotaExceeded, ServiceError } from "@kb/core";
import { rowPages } from "./database-rows.ts";
import { explain, noteOn, type Skipped, skippedFor } from "./explain.ts";
import { type Facts, readFacts } from "./facts.ts";
import { finishPage, mayBeUnfinished } from "./finish-page.ts";
import type { Manifest } from "./manifest.ts";
import { type Placed, placedPages } from "./plan.ts";
import { displayName, folderDraft, type Reading, readDraft, skippedBy } from "./read.ts";
import { emptyResult } from "./result.ts";
import type { Imported, ImportOptions, Run } from "./run-state.ts";
import type { SourceFile } from "./scan.ts";
import type { Source } from "./sources.ts";
import { Targets } from "./targets.ts";
import { type Page, pagesByParent, pagesOf } from "./tree.ts";
import { removeLinksToFailed, writePage } from "./write-page.ts";

// The writes of a team run one at a time; meanwhile the next files are read and parsed.
const parallel = 3;

/**
 * Imports the pages of a source as documents, parents before their children. All files are read before the first document
 * is written, so that links are known and each document is written once. Skips and reports files that cannot be imported.
 */
export async function importSource(source: Source, options: ImportOptions): Promise<Imported> {
  const { findings, manifest, signal } = options;
  const reading: Reading = {
    product: source.product,
    entryOf: (path) => manifest.get(path),
    pageOfRow: rowPages(source.files),
    onLeftOut: () => {},
  };
  const facts = await readFacts(source.files, reading, signal, options.onFile);
  const pages = treeOf(source, facts, manifest);
  const titleOf = (page: Page): string => titleOfPage(page, source, facts);
  const formerTitleOf = ({ file, folder }: Page): string | undefined =>
    file === null ? source.order.formerTitles.get(folder ?? "") : undefined;
  const isSkipped = ({ file }: Page): boolean => file !== null && facts.skipped.has(file.path);
  const levels = placedPages(pages, await options.store.existing(), { titleOf, formerTitleOf, isSkipped });
  const run: Run = {
    ...options,
    source,
    reading: { ...reading, onLeftOut: (path, what) => findings.add("left_out", path, what) },
    targets: new Targets(
      pages,
      source.others.keys(),
      ({ path }) => facts.files.get(path) ?? { aliases: [], routes: [] },
    ),
    result: emptyResult(),
    ids: new Map(levels.flat().map(({ page, id }) => [page.path, id])),
    attached: new Set(),
    failed: new Set(),
  };
  run.result.skipped.push(...facts.skipped.values());
  for (const level of levels) {
    await inParallel(level, async (placed) => {
      signal.throwIfAborted();
      await importPage(run, placed, titleOf(placed.page));
      run.onPage(placed.page.path);
    });
  }
  if (run.failed.size > 0) await rewriteLinks(run, levels.flat());
  for (const path of source.others.keys()) if (!run.attached.has(path)) tally(run.result.others, path);
  run.result.attached = run.attached.size;
  run.result.report = findings.report();
  const urls = [...run.ids].filter(([path]) => !run.failed.has(path));
  return { result: run.result, urls: new Map(urls.map(([path, id]) => [path, run.store.documentUrl(id)])) };
}

function treeOf({ product, files, order }: Source, facts: Facts, manifest: Manifest): readonly Page[] {
  if (product === "confluence") return pagesByParent(files, (path) => facts.files.get(path)?.parent ?? null);
  return pagesOf(
    files,
    (path) => manifest.get(path)?.position ?? facts.files.get(path)?.position ?? order.positions.get(path),
  );
}

function titleOfPage({ file, folder, name }: Page, { product, order }: Source, facts: Facts): string {
  const known = file === null ? undefined : facts.files.get(file.path)?.title;
  return known ?? folderDraft(order.titles.get(folder ?? "") ?? displayName(name, product)).title;
}

/** Works on all items. After an error it begins nothing more, and throws it once the running work has ended. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  if (failures.length > 0) throw failures[0];
}

async function importPage(run: Run, placed: Placed, title: string): Promise<void> {
  const { page, existing } = placed;
  if (page.file === null) return importFolder(run, placed, title);
  const isKept = existing !== undefined && !run.update;
  const skipped = await (isKept ? finishExisting : tryPage)(run, placed, page.file);
  if (skipped === null) return;
  run.result.skipped.push(skipped);
  // The children of a file that cannot be imported still need a parent.
  if (existing === undefined && page.children.length > 0) await importFolder(run, placed, title);
  else if (existing === undefined) run.failed.add(page.path);
}

async function importFolder(run: Run, placed: Placed, title: string): Promise<void> {
  if (placed.existing !== undefined) return;
  await run.store.create(placed, folderDraft(title), { text: "" });
  run.result.folders += 1;
}

const skippable: ReadonlySet<string> = new Set([
  "validation_error",
  "inline_image_rejected",
  "payload_too_large",
  "too_complex",
]);

/** Writes a page; returns the reason if that is not possible. */
async function tryPage(run: Run, placed: Placed, file: SourceFile): Promise<Skipped | null> {
  const { path } = file;
  const draft = await readDraft(file, run.reading);
  if ("reason" in draft) return draft;
  try {
    await writePage(run, placed, draft);
  } catch (error) {
    return refusedBy(path, error);
  }
  run.result.notes.push(...draft.notes.map((why) => noteOn(path, why)));
  for (const key of draft.front.unused) {
    run.result.unusedKeys[key] = (run.result.unusedKeys[key] ?? 0) + 1;
    run.findings.add("unused_key", path, key);
  }
  return null;
}

/** Leaves the document of an earlier import as it is, unless that import was stopped before it was whole. */
async function finishExisting(run: Run, placed: Placed, file: SourceFile): Promise<Skipped | null> {
  const draft = mayBeUnfinished(placed) ? await readDraft(file, { ...run.reading, onLeftOut: () => {} }) : null;
  try {
    const isFinished = draft !== null && !("reason" in draft) && (await finishPage(run, placed, draft));
    run.result[isFinished ? "updated" : "existing"] += 1;
    return null;
  } catch (error) {
    return refusedBy(file.path, error);
  }
}

/** Returns why a page cannot be written. @throws the error if it is not about the page */
function refusedBy(path: string, error: unknown): Skipped {
  if (!(error instanceof ServiceError)) return skippedBy(path, error);
  if (!skippable.has(error.code) || isQuotaExceeded(error)) throw error;
  return skippedFor(path, error.code, explain("text_refused", { message: error.message }));
}

/** Writes the pages again that link to pages which could not be written. Rare, as the codec has read every page before. */
async function rewriteLinks(run: Run, all: readonly Placed[]): Promise<void> {
  for (const placed of all) {
    const { page, existing } = placed;
    run.signal.throwIfAborted();
    if (page.file === null || existing !== undefined || run.failed.has(page.path)) continue;
    const draft = await readDraft(page.file, { ...run.reading, onLeftOut: () => {} });
    if (!("reason" in draft)) await removeLinksToFailed(run, placed, draft);
  }
}

function tally(others: Record<string, number>, path: string): void {
  const extension = extname(path).toLowerCase();
  if (path !== "manifest.json") others[extension] = (others[extension] ?? 0) + 1;
}
