import { posix } from "node:path";
import { type DocJSON, type MarkJSON, type NodeJSON, parseMarkdown } from "markdown-codec";

/** The URL of what a path of the source became; undefined for what was not imported. */
export type UrlOfPath = (path: string) => string | undefined;

/** The paths of the source that a text links to or shows, as far as they are relative; `path` is where the text stood. */
export function targetsOf(text: string, path: string): Set<string> {
  const targets = new Set<string>();
  linkToDocuments(text, path, (target) => {
    targets.add(target);
    return undefined;
  });
  return targets;
}

/** A cheap look before the text is parsed: whether it might link to a file beside it. */
export function mayLinkToFiles(text: string): boolean {
  return /\]\(\s*<?(?![a-z][a-z0-9+.-]*:|[/#])|^ {0,3}\[[^\]]+\]:\s*<?(?![a-z][a-z0-9+.-]*:|[/#])/im.test(text);
}

/**
 * Points the relative links and images of a text at what their files became; null when none of them does. Nothing but
 * their targets changes. `path` is where the text stood.
 */
export function linkToDocuments(text: string, path: string, urlOf: UrlOfPath): DocJSON | null {
  let changed = 0;
  const moved = (address: unknown): string | undefined => {
    const url = typeof address === "string" ? documentUrl(address, path, urlOf) : undefined;
    if (url !== undefined) changed += 1;
    return url;
  };
  const relink = (mark: MarkJSON): MarkJSON => {
    const href = mark.type === "link" ? moved(mark.attrs?.href) : undefined;
    return href === undefined ? mark : { ...mark, attrs: { ...mark.attrs, href } };
  };
  const rewrite = (node: NodeJSON): NodeJSON => {
    const src = node.type === "image" ? moved(node.attrs?.src) : undefined;
    return {
      ...node,
      ...(src === undefined ? {} : { attrs: { ...node.attrs, src } }),
      ...(node.marks === undefined ? {} : { marks: node.marks.map(relink) }),
      ...(node.content === undefined ? {} : { content: node.content.map(rewrite) }),
    };
  };
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
