import { type DocJSON, mapAddresses } from "markdown-codec";
import { relativeAddress } from "./names.ts";

/** Maps an address of the service to its place in the archive; returns undefined for an address that is not there. */
export type Places = {
  readonly documents: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, string>;
  readonly appUrl: string;
};

const document = /^\/documents\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?(?:\?[^#]*)?(#.*)?$/i;
const file = /^\/files\/([A-Za-z0-9_-]{32})\/[^/?#]*(?:\?[^#]*)?(#.*)?$/;

const documentIds = /\/documents\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi;
const publicIds = /\/files\/([A-Za-z0-9_-]{32})\//g;

/** Returns the places that a body names, so that a thread receives few of the many that an archive has. */
export function placesIn(content: string, { documents, uploads, appUrl }: Places): Places {
  return {
    documents: pick(
      documents,
      Array.from(content.matchAll(documentIds), ([, id = ""]) => id.toLowerCase()),
    ),
    uploads: pick(
      uploads,
      Array.from(content.matchAll(publicIds), ([, id = ""]) => id),
    ),
    appUrl,
  };
}

function pick(paths: ReadonlyMap<string, string>, ids: readonly string[]): ReadonlyMap<string, string> {
  const picked = new Map<string, string>();
  for (const id of ids) {
    const path = paths.get(id);
    if (path !== undefined) picked.set(id, path);
  }
  return picked;
}

/** Tells whether a body may contain an address that `relinked` would change. */
export const mayLinkInside = (markdown: string): boolean =>
  markdown.includes("/documents/") || markdown.includes("/files/");

/** Returns the content with relative links to everything that is in the archive. */
export function relinked(content: DocJSON, from: string, places: Places): DocJSON {
  return mapAddresses(content, (address) => {
    const path = ownPath(address, places.appUrl);
    if (path === undefined) return undefined;
    const [, id, fragment = ""] = document.exec(path) ?? [];
    const [, publicId, fileFragment = ""] = file.exec(path) ?? [];
    const target =
      id === undefined
        ? withFragment(places.uploads.get(publicId ?? ""), fileFragment)
        : withFragment(places.documents.get(id.toLowerCase()), fragment);
    return target === undefined ? undefined : relativeAddress(from, target.path) + target.fragment;
  });
}

/** Returns the path of an address of this service, with or without its origin. */
function ownPath(address: string, appUrl: string): string | undefined {
  if (address.startsWith(`${appUrl}/`)) return address.slice(appUrl.length);
  return address.startsWith("/") && !address.startsWith("//") ? address : undefined;
}

const withFragment = (path: string | undefined, fragment: string) =>
  path === undefined ? undefined : { path, fragment };
