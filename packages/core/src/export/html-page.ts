import { type DocJSON, type NodeJSON, toHtml } from "markdown-codec";
import { relativeAddress } from "./names.ts";
import { pageStyle } from "./page-style.ts";

/** What is shown of a document beside its text. */
export type PageFacts = {
  readonly title: string;
  readonly emoji: string | null;
  readonly tags: readonly string[];
  readonly updatedAt: Date;
  readonly draft: boolean;
};

/** A page that this one stands below. */
export type Above = { readonly title: string; readonly path: string };

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text, or the value of an attribute in quotes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");

/**
 * Around every page. What a page holds is escaped, so that it has no script; the policy is there for the day on which that
 * is wrong. Images may come from beside the page, from the service and from wherever the text names.
 */
export function* pageAround(title: string, inside: Iterable<string>): Generator<string> {
  yield `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src * file: blob:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
`;
  yield* inside;
  yield "</body>\n</html>\n";
}

/** A document as one page that needs nothing beside it but its images. */
export function documentPage(facts: PageFacts, content: DocJSON, path: string, above: readonly Above[]): string {
  const { title, emoji, tags, updatedAt, draft } = facts;
  const day = updatedAt.toISOString();
  const said = [
    ...(draft ? ["Draft"] : []),
    `<time datetime="${day}">${day.slice(0, 10)}</time>`,
    ...tags.map((tag) => `#${escaped(tag)}`),
  ];
  const way = above.map((page) => `<a href="${escaped(relativeAddress(path, page.path))}">${escaped(page.title)}</a>`);
  const heading = escaped(emoji === null ? title : `${emoji} ${title}`);
  return [
    ...pageAround(title, [
      `<nav aria-label="Where this stands" dir="auto">${way.join(" › ")}</nav>\n<main>\n`,
      `<h1 dir="auto">${heading}</h1>\n<p class="facts" dir="auto">${said.join(" · ")}</p>\n`,
      `<article dir="auto">\n${bodyHtml(content)}</article>\n</main>\n`,
    ]),
  ].join("");
}

/**
 * The text as HTML. The codec escapes whatever an author wrote, so that a `<` begins one of its own tags and nothing
 * else: what is changed here are those tags, where today's HTML and readers of screens want them otherwise.
 */
function bodyHtml(content: DocJSON): string {
  return toHtml(withSingleIds(content))
    .replaceAll(/<(t[hd]) align="(left|center|right)">/g, '<$1 class="$2">')
    .replaceAll(/<input type="checkbox" disabled="" checked="" \/>/g, box("Done", " checked"))
    .replaceAll(/<input type="checkbox" disabled="" \/>/g, box("To do", ""))
    .replaceAll(/<img alt="([^"]*)"[^>]*>/g, "$1")
    .replaceAll(/<(br|hr|img)((?: [^>]*)?) \/>/g, "<$1$2>");
}

const box = (label: string, state: string): string => `<input type="checkbox" aria-label="${label}" disabled${state}>`;

/** The first heading of an id keeps it. */
function withSingleIds(content: DocJSON): DocJSON {
  const taken = new Set<string>();
  const single = (node: NodeJSON): NodeJSON => {
    const { id, ...attrs } = node.attrs ?? {};
    const inner =
      node.content === undefined || node.type === "heading" ? node : { ...node, content: node.content.map(single) };
    if (node.type !== "heading" || typeof id !== "string") return inner;
    // Footnotes have ids of this form.
    if (taken.has(id) || /^fn(?:ref)?-|\s/.test(id)) return { ...node, attrs };
    taken.add(id);
    return node;
  };
  return { ...content, content: content.content.map(single) };
}
