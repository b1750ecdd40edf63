import { formulasOfPage } from "@kb/formulas";
import { type DocJSON, type NodeJSON, toHtml } from "markdown-codec";
import { escapeHtml } from "markdown-codec/html";
import { relativeAddress } from "./names.ts";
import { pageStyle } from "./page-style.ts";

/** The metadata of a document that its page shows. */
export type PageFacts = {
  readonly title: string;
  readonly emoji: string | null;
  readonly tags: readonly string[];
  readonly updatedAt: Date;
  readonly draft: boolean;
};

/** A page above this one, or those that the page does not name, which have no path. */
export type Ancestor = { readonly title: string; readonly path: string | null };

/**
 * Wraps the content of a page. Content is escaped and contains no script; the content security policy guards against
 * mistakes. Images may come from the archive, from the service, and from any address in the text.
 */
export function* wrapPage(title: string, inside: Iterable<string>): Generator<string> {
  yield `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src * file: blob:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
`;
  yield* inside;
  yield "</body>\n</html>\n";
}

/** Returns a document as one page that needs no other files except its images. */
export function documentPage(facts: PageFacts, content: DocJSON, path: string, above: readonly Ancestor[]): string {
  const { title, emoji, tags, updatedAt, draft } = facts;
  const day = updatedAt.toISOString();
  const said = [
    ...(draft ? ["Draft"] : []),
    `<time datetime="${day}">${day.slice(0, 10)}</time>`,
    ...tags.map((tag) => `#${escapeHtml(tag)}`),
  ];
  const way = above.map((page) =>
    page.path === null
      ? escapeHtml(page.title)
      : `<a href="${escapeHtml(relativeAddress(path, page.path))}">${escapeHtml(page.title)}</a>`,
  );
  const heading = escapeHtml(emoji === null ? title : `${emoji} ${title}`);
  return [
    ...wrapPage(title, [
      `<nav aria-label="Where this stands" dir="auto">${way.join(" › ")}</nav>\n<main>\n`,
      `<h1 dir="auto">${heading}</h1>\n<p class="facts" dir="auto">${said.join(" · ")}</p>\n`,
      `<article dir="auto">\n${bodyHtml(content)}</article>\n</main>\n`,
    ]),
  ].join("");
}

/**
 * Returns the text as HTML. The codec escapes everything that an author wrote, so that every `<` begins a tag of the
 * codec. Adapts these tags to current HTML and to screen readers.
 */
function bodyHtml(content: DocJSON): string {
  return toHtml(withSingleIds(content), { math: formulasOfPage() })
    .replaceAll(/<(t[hd]) align="(left|center|right)">/g, '<$1 class="$2">')
    .replaceAll(/<input type="checkbox" disabled="" checked="" \/>/g, box("Done", " checked"))
    .replaceAll(/<input type="checkbox" disabled="" \/>/g, box("To do", ""))
    .replaceAll(/<img alt="([^"]*)"[^>]*>/g, "$1")
    .replaceAll(/<(br|hr|img)((?: [^>]*)?) \/>/g, "<$1$2>");
}

const box = (label: string, state: string): string => `<input type="checkbox" aria-label="${label}" disabled${state}>`;

/** Keeps an id only on the first heading that has it. */
function withSingleIds(content: DocJSON): DocJSON {
  const taken = new Set<string>();
  const single = (node: NodeJSON): NodeJSON => {
    const { id, ...attrs } = node.attrs ?? {};
    const inner =
      node.content === undefined || node.type === "heading" ? node : { ...node, content: node.content.map(single) };
    if (node.type !== "heading" || typeof id !== "string") return inner;
    // Footnotes use ids of this form.
    if (taken.has(id) || /^fn(?:ref)?-|\s/.test(id)) return { ...node, attrs };
    taken.add(id);
    return node;
  };
  return { ...content, content: content.content.map(single) };
}
