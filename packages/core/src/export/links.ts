import type { DocJSON, MarkJSON, NodeJSON } from "markdown-codec";
import { relativeAddress } from "./names.ts";

/** Where in the archive an address of the service leads; undefined for what is not there. */
export type Places = {
  readonly documents: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, string>;
  readonly appUrl: string;
};

const document = /^\/documents\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?(?:\?[^#]*)?(#.*)?$/i;
const file = /^\/files\/([A-Za-z0-9_-]{32})\/[^/?#]*(?:\?[^#]*)?(#.*)?$/;

/** Whether a body may hold an address that `relinked` would change. */
export const mayLinkInside = (markdown: string): boolean =>
  markdown.includes("/documents/") || markdown.includes("/files/");

/** The same content with relative links where they lead to what is in the archive too; nothing else is touched. */
export function relinked(content: DocJSON, from: string, places: Places): DocJSON {
  const moved = (address: unknown): string | undefined => {
    const path = typeof address === "string" ? ownPath(address, places.appUrl) : undefined;
    if (path === undefined) return undefined;
    const [, id, fragment = ""] = document.exec(path) ?? [];
    const [, publicId, fileFragment = ""] = file.exec(path) ?? [];
    const target =
      id === undefined
        ? withFragment(places.uploads.get(publicId ?? ""), fileFragment)
        : withFragment(places.documents.get(id.toLowerCase()), fragment);
    return target === undefined ? undefined : relativeAddress(from, target.path) + target.fragment;
  };
  const mark = (given: MarkJSON): MarkJSON => {
    const href = given.type === "link" ? moved(given.attrs?.href) : undefined;
    return href === undefined ? given : { ...given, attrs: { ...given.attrs, href } };
  };
  const node = (given: NodeJSON): NodeJSON => {
    const src = given.type === "image" ? moved(given.attrs?.src) : undefined;
    return {
      ...given,
      ...(src === undefined ? {} : { attrs: { ...given.attrs, src } }),
      ...(given.marks === undefined ? {} : { marks: given.marks.map(mark) }),
      ...(given.content === undefined ? {} : { content: given.content.map(node) }),
    };
  };
  return { ...content, content: content.content.map(node) };
}

/** The path of an address of this service, given with its origin or without. */
function ownPath(address: string, appUrl: string): string | undefined {
  if (address.startsWith(`${appUrl}/`)) return address.slice(appUrl.length);
  return address.startsWith("/") && !address.startsWith("//") ? address : undefined;
}

const withFragment = (path: string | undefined, fragment: string) =>
  path === undefined ? undefined : { path, fragment };
