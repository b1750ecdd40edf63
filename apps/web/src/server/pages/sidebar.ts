import type { BootData, TreeData } from "../boot-data.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icon.ts";

/** The stars that are shown at first, as in the app. */
const fewStars = 8;
/** A deeper row is indented no further, as in the app. */
const deepestIndent = 8;

/** Rows of the tree in one list, as the style has it. */
const rowsOfPart = 25;

/** The place of the app's button for a new document, so that nothing moves when it comes. */
const newDocumentSpace = html`<div class="row-link"></div>`;

type Collection = BootData["collections"][number];

/** Renders the navigation with the tree open at the page's document, so that it leads everywhere without script. */
export function sidebar(frame: Frame, tree: TreeData | undefined): Html {
  const { app, manifest, preferences } = frame;
  const { messages } = preferences;
  const living = app.collections.filter(({ archivedAt }) => archivedAt === null);
  return html`<nav id="kb-navigation" class="sidebar" tabindex="-1" aria-label="${messages.navigation}">
${app.collections.some(({ abilities }) => abilities.createDocument) ? newDocumentSpace : ""}
<ul>
${row(frame, "/", icon(manifest, "home"), messages.home)}
${row(frame, "/search", icon(manifest, "search"), messages.search)}
${row(frame, "/drafts", icon(manifest, "draft"), messages.drafts)}
</ul>
${starred(frame)}
<h2>${messages.collections}</h2>
${inParts(living.flatMap((collection) => [collectionRow(frame, collection), ...(collection.id === tree?.collectionId ? below(frame, tree, null, 2) : [])]))}
<ul class="navigation-end">
${row(frame, "/tags", icon(manifest, "tag"), messages.tags)}
${row(frame, "/archive", icon(manifest, "archive"), messages.archive)}
${row(frame, "/trash", icon(manifest, "trash"), messages.trash)}
${row(frame, "/settings", icon(manifest, "settings"), messages.settings)}
${row(frame, "/help", icon(manifest, "help"), messages.help)}
</ul>
</nav>`;
}

/** Renders the rows of the tree in lists of 25: those out of sight are not drawn yet, each list as a whole. */
function inParts(rows: readonly Html[]): Html[] {
  const starts = Array.from({ length: Math.ceil(rows.length / rowsOfPart) }, (_, part) => part * rowsOfPart);
  return starts.map((start) => {
    const part = rows.slice(start, start + rowsOfPart);
    const whole = part.length === rowsOfPart ? html` data-whole` : "";
    return html`<ul class="navigation-tree"${whole}>\n${part}\n</ul>`;
  });
}

/** Renders a row. Without a symbol it has the sign of a page, which the style draws. */
function row({ path }: Frame, href: string, symbol: Html | string | undefined, name: string, indent?: number): Html {
  const isCurrent = href === path || (href === "/settings" && path.startsWith("/settings/"));
  const current = isCurrent ? html` aria-current="page"` : "";
  const depth = indent === undefined ? "" : html` data-indent="${Math.min(indent, deepestIndent)}"`;
  const kind = symbol === undefined ? "row-link page-link" : "row-link";
  return html`<li><a class="${kind}" href="${href}"${current}${depth}>${symbol ?? ""}<span dir="auto">${name}</span></a></li>`;
}

function collectionRow(frame: Frame, { id, name, icon: emoji }: Collection): Html {
  return row(frame, `/collections/${id}`, symbolOf(frame, emoji, "collection"), name, 1);
}

function symbolOf({ manifest }: Frame, emoji: string | null, name: "collection" | "page" | "star"): Html | string {
  if (emoji === null || /^[a-z0-9-]+$/.test(emoji)) return icon(manifest, name);
  return html`<span aria-hidden="true">${emoji}</span>`;
}

function starred(frame: Frame): Html | string {
  const { stars } = frame;
  if (stars.length === 0) return "";
  const { messages } = frame.preferences;
  return html`<section><h2>${messages.starred}</h2><ul>
${stars.slice(0, fewStars).map(({ id, title, emoji }) => row(frame, `/documents/${id}`, symbolOf(frame, emoji, "star"), title || messages.untitled))}
</ul></section>`;
}

/** Renders the documents below a parent, each followed by those below it where the tree is open. */
function below(frame: Frame, tree: TreeData, parentId: string | null, indent: number): Html[] {
  const level = tree.levels.find((each) => each.parentId === parentId);
  return (level?.data ?? []).flatMap(({ id, title, emoji }) => [
    row(
      frame,
      `/documents/${id}`,
      emoji === null ? undefined : symbolOf(frame, emoji, "page"),
      title || frame.preferences.messages.untitled,
      indent,
    ),
    ...below(frame, tree, id, indent + 1),
  ]);
}
