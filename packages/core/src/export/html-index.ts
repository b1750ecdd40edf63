import { escapeHtml } from "markdown-codec/html";
import { wrapPage } from "./html-page.ts";
import { relativeAddress } from "./names.ts";
import type { Entry } from "./outline.ts";

/** The path of the start page in the archive. */
export const indexPath = "index.html";

/** Returns the start page: the tree of a collection, with links to all pages. */
export function indexPage(collection: string, entries: readonly Entry[]): Generator<string> {
  return wrapPage(collection, inside(collection, entries));
}

function* inside(collection: string, entries: readonly Entry[]): Generator<string> {
  yield `<main>\n<h1 dir="auto">${escapeHtml(collection)}</h1>\n`;
  if (entries.length === 0) yield "<p>This collection is empty.</p>\n";
  let open = 0;
  for (const { title, emoji, path, depth } of entries) {
    if (depth >= open) yield '<ul class="index">\n';
    else yield "</li>\n";
    for (; open > depth + 1; open -= 1) yield "</ul>\n</li>\n";
    open = depth + 1;
    const name = escapeHtml(emoji === null ? title : `${emoji} ${title}`);
    yield `<li><a href="${escapeHtml(relativeAddress(indexPath, path))}" dir="auto">${name}</a>`;
  }
  for (; open > 0; open -= 1) yield "</li>\n</ul>\n";
  yield "</main>\n";
}
