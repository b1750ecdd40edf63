import { type DocJSON, mapAddresses, parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { Draft } from "./draft.ts";
import type { Placed } from "./plan.ts";
import { Findings } from "./report.ts";
import type { Run } from "./run-state.ts";
import type { Target } from "./targets.ts";
import { attachAll, linked, understood } from "./write-page.ts";

/** Returns whether a document may have only what an import wrote: a page, and once more with the addresses of its files. */
export const mayBeUnfinished = ({ existing }: Placed): boolean => existing !== undefined && existing.revision <= 2;

/**
 * Completes a page of an import that was stopped before it attached the page's files, or before it wrote all pages to which
 * the page links. A page that differs from its file in anything else stays as it is. Returns whether something was missing.
 */
export async function finishPage(run: Run, placed: Placed, draft: Draft): Promise<boolean> {
  const { page, id } = placed;
  const doc = understood(run, parse(draft.text));
  const files = new Set<string>();
  const withoutFiles = linked(run, page.path, doc, new Findings(), ({ path }) => {
    if (run.source.others.has(path)) files.add(path);
    return undefined;
  });
  if (files.size === 0 && withoutFiles === doc) return false;
  const written = await run.store.markdown(id);
  if (written === null) return false;
  const isWrittenAs = (wanted: DocJSON): boolean => shapeOf(run, written) === shapeOf(run, serializeMarkdown(wanted));
  const lacksFiles = files.size > 0 && isWrittenAs(withoutFiles);
  if (!lacksFiles) {
    if (!(await hasDeadLink(run, written))) return false;
    const anyFileOf = ({ path }: Target): string | undefined => (files.has(path) ? anyFile : undefined);
    if (!isWrittenAs(linked(run, page.path, doc, new Findings(), anyFileOf))) return false;
  }
  const urls = await attachAll(run, files, id);
  const content = linked(run, page.path, doc, run.findings, ({ path }) => urls.get(path));
  return run.store.update(placed, { ...draft, emoji: undefined, tags: null }, { content });
}

const parse = (markdown: string): DocJSON => parseMarkdown(markdown, { cjkFriendly: true });

const anyFile = "/files/";

/** Returns the text with the same address for all attachments, and for all documents: their ids differ between imports. */
function shapeOf({ store }: Run, markdown: string): string {
  const mapped = mapAddresses(parse(markdown), (address) => {
    const id = documentIdOf(store.documentUrl(""), address);
    if (id !== undefined) return address.replace(id, "");
    return address.replace(/^https?:.*\/files\/[\w-]{32}\/[^?#]*/, anyFile);
  });
  return serializeMarkdown(mapped);
}

/** Returns whether the text links to a document that does not exist. */
async function hasDeadLink({ store, ids }: Run, markdown: string): Promise<boolean> {
  const found = new Set<string>();
  mapAddresses(parse(markdown), (address) => {
    const id = documentIdOf(store.documentUrl(""), address);
    if (id !== undefined) found.add(id);
    return undefined;
  });
  const known = new Set(ids.values());
  for (const id of found) if (!known.has(id) && (await store.markdown(id)) === null) return true;
  return false;
}

/** Returns the id in the address of a document, which begins with `start`. */
function documentIdOf(start: string, address: string): string | undefined {
  return address.startsWith(start) ? /^[0-9a-f-]{36}(?![^?#])/.exec(address.slice(start.length))?.[0] : undefined;
}
