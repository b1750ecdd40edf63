import { type DocJSON, parseMarkdown } from "markdown-codec";
import { withContainers } from "./containers.ts";
import { type Draft, usableTags } from "./draft.ts";
import { withNotionCallouts } from "./notion.ts";
import type { Placed } from "./plan.ts";
import { relink } from "./relink.ts";
import { Findings } from "./report.ts";
import type { Run } from "./run-state.ts";
import type { Body } from "./store.ts";
import type { Target } from "./targets.ts";
import { textTags } from "./text-tags.ts";

/**
 * Writes a page and attaches the files that it names. The page of a new document is written before its files, which belong to
 * it, and once more with their addresses.
 */
export async function writePage(run: Run, placed: Placed, draft: Draft): Promise<void> {
  const { page, id, existing } = placed;
  const parsed = parseMarkdown(draft.text, { cjkFriendly: true });
  const doc = understood(run, parsed);
  const bodyOf = (content: DocJSON): Body => (content === parsed ? { text: draft.text } : { content });
  const tagged = run.textTags ? withTextTags(draft, doc) : draft;
  const files = new Set<string>();
  const early = linked(run, page.path, doc, new Findings(), ({ path, isPage }) => {
    if (!isPage) files.add(path);
    return undefined;
  });
  if (existing === undefined) await run.store.create(placed, tagged, bodyOf(early));
  const urls = await attachAll(run, files, id);
  const final = linked(run, page.path, doc, run.findings, ({ path }) => urls.get(path));
  if (existing !== undefined) {
    run.result[(await run.store.update(placed, tagged, bodyOf(final))) ? "updated" : "unchanged"] += 1;
  } else {
    if (urls.size > 0) await run.store.replaceBody(id, bodyOf(final));
    run.result.imported += 1;
  }
  if (final !== doc) run.result.linked += 1;
}

/** Returns the document with nodes in place of the constructs of its product that the codec keeps as they are written. */
export function understood({ source }: Run, parsed: DocJSON): DocJSON {
  return withContainers(source.product === "notion" ? withNotionCallouts(parsed) : parsed);
}

/** Returns the document with the URLs of other documents, and of files as far as they are known. */
export function linked(
  { targets, store, ids, failed }: Run,
  path: string,
  doc: DocJSON,
  findings: Findings,
  fileUrl: (target: Target) => string | undefined,
): DocJSON {
  const urlOf = (target: Target): string | undefined => {
    const id = target.isPage && !failed.has(target.path) ? ids.get(target.path) : undefined;
    return id === undefined ? fileUrl(target) : store.documentUrl(id);
  };
  return relink(doc, { path, targets, findings, urlOf });
}

function withTextTags(draft: Draft, doc: DocJSON): Draft {
  const tags = [...(draft.tags ?? []), ...textTags(doc)];
  return { ...draft, tags: usableTags(tags, []) };
}

/** Attaches the files that the source has; returns their addresses. */
export async function attachAll(
  run: Run,
  paths: ReadonlySet<string>,
  id: string,
): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  for (const path of paths) {
    run.signal.throwIfAborted();
    const url = run.source.others.has(path) ? await run.store.attach(path, id) : null;
    if (url === null) continue;
    urls.set(path, url);
    run.attached.add(path);
  }
  return urls;
}

/** Writes a page again if it links to a page that turned out to be impossible: that link stays as it was. */
export async function removeLinksToFailed(run: Run, { page, id }: Placed, draft: Draft): Promise<void> {
  const files = new Set<string>();
  let linksToFailed = false;
  const parsed = parseMarkdown(draft.text, { cjkFriendly: true });
  const doc = understood(run, parsed);
  linked(run, page.path, doc, new Findings(), ({ path, isPage }) => {
    if (!isPage) files.add(path);
    linksToFailed ||= isPage && run.failed.has(path);
    return undefined;
  });
  if (!linksToFailed) return;
  const urls = await attachAll(run, files, id);
  const content = linked(run, page.path, doc, run.findings, ({ path }) => urls.get(path));
  await run.store.replaceBody(id, { content });
}
