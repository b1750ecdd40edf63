import { posix } from "node:path";
import { type DocJSON, type MarkJSON, type NodeJSON, parseMarkdown } from "markdown-codec";

/** The URL of the document that a path of the source became; undefined for what was not imported. */
export type UrlOfPath = (path: string) => string | undefined;

/** A cheap look before the text is parsed: whether it might link to a file beside it. */
export function mayLinkToFiles(text: string): boolean {
  return /\]\(\s*<?(?![a-z][a-z0-9+.-]*:|[/#])|^ {0,3}\[[^\]]+\]:\s*<?(?![a-z][a-z0-9+.-]*:|[/#])/im.test(text);
}

/**
 * Points the relative links of a text at the documents that their files became; null when none of them does. Nothing but
 * the targets of links changes. `path` is where the text stood.
 */
export function linkToDocuments(text: string, path: string, urlOf: UrlOfPath): DocJSON | null {
  let changed = 0;
  const relink = (mark: MarkJSON): MarkJSON => {
    const href = mark.attrs?.href;
    if (mark.type !== "link" || typeof href !== "string") return mark;
    const url = documentUrl(href, path, urlOf);
    if (url === undefined) return mark;
    changed += 1;
    return { ...mark, attrs: { ...mark.attrs, href: url } };
  };
  const rewrite = (node: NodeJSON): NodeJSON => ({
    ...node,
    ...(node.marks === undefined ? {} : { marks: node.marks.map(relink) }),
    ...(node.content === undefined ? {} : { content: node.content.map(rewrite) }),
  });
  const source = parseMarkdown(text);
  const doc: DocJSON = { ...source, content: source.content.map(rewrite) };
  return changed > 0 ? doc : null;
}

function documentUrl(href: string, from: string, urlOf: UrlOfPath): string | undefined {
  const parts = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(href);
  const [, target, , fragment = ""] = parts ?? [];
  if (target === undefined || target === "" || target.startsWith("/") || /^[a-z][a-z0-9+.-]*:/i.test(target)) {
    return undefined;
  }
  const path = posix.join(posix.dirname(from), decoded(target));
  if (path.startsWith("..")) return undefined;
  const bare = path.replace(/\/$/, "");
  const url = urlOf(bare) ?? urlOf(`${bare}.md`) ?? urlOf(`${bare}.markdown`);
  return url === undefined ? undefined : url + fragment;
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
