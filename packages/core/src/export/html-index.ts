import { escaped, pageAround } from "./html-page.ts";
import { relativeAddress } from "./names.ts";
import type { Entry } from "./outline.ts";

export const indexPath = "index.html";

/** The page that leads to all others: the tree of a collection. */
export function indexPage(collection: string, entries: readonly Entry[]): Generator<string> {
  return pageAround(collection, inside(collection, entries));
}

function* inside(collection: string, entries: readonly Entry[]): Generator<string> {
  yield `<main>\n<h1 dir="auto">${escaped(collection)}</h1>\n`;
  if (entries.length === 0) yield "<p>This collection is empty.</p>\n";
  let open = 0;
  for (const { title, emoji, path, depth } of entries) {
    if (depth >= open) yield '<ul class="index">\n';
    else yield "</li>\n";
    for (; open > depth + 1; open -= 1) yield "</ul>\n</li>\n";
    open = depth + 1;
    const name = escaped(emoji === null ? title : `${emoji} ${title}`);
    yield `<li><a href="${escaped(relativeAddress(indexPath, path))}" dir="auto">${name}</a>`;
  }
  for (; open > 0; open -= 1) yield "</li>\n</ul>\n";
  yield "</main>\n";
}
