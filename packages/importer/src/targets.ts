import { posix } from "node:path";
import { possiblePath } from "./possible-path.ts";
import { markdownExtensions } from "./scan.ts";
import type { Page } from "./tree.ts";

/** A page or another file of the source that an address names. */
export type Target = { readonly path: string; readonly isPage: boolean; readonly fragment: string };

/** Names under which links find a page, beside its path. */
export type PageNames = { readonly aliases: readonly string[]; readonly routes: readonly string[] };

/** Folders whose files a documentation site serves from its root. */
const publicFolders = ["", "static", "public", "src", "docs", "src/assets"];

/** Finds the page or file that an address means. Each product writes addresses in its own form; all forms are tried. */
export class Targets {
  readonly #files = new Map<string, string>();
  readonly #foldedFiles = new Map<string, string>();
  readonly #pages = new Map<string, string>();
  readonly #byName = new Map<string, string[]>();
  readonly #named = new Map<string, string>();
  /** Pages by the whole addresses that their front matter gives them, with the folder that a site serves them from. */
  readonly #routes = new Map<string, string>();

  constructor(pages: readonly Page[], others: Iterable<string>, namesOf: (page: Page) => PageNames) {
    for (const path of others) this.#addFile(path);
    this.#addPages(pages, namesOf);
  }

  /** Finds the target of a relative or root-relative address in a file; null for addresses elsewhere and unknown ones. */
  find(address: string, from: string): Target | null {
    const parts = splitAddress(address);
    if (parts === null) return null;
    const { path, fragment } = parts;
    if (path === "") return null;
    const routed = path.startsWith("/") ? this.#routes.get(routeKey(path)) : undefined;
    if (routed !== undefined) return { path: routed, isPage: true, fragment };
    for (const candidate of candidatesOf(path, from)) {
      const found = this.#at(candidate);
      if (found !== null) return { ...found, fragment };
    }
    const named = this.#byRoute(path) ?? (path.includes("/") ? undefined : this.#nearest(path, from));
    return named === undefined ? null : { path: named, isPage: !this.#isFile(named), fragment };
  }

  /** Finds the target of `[[name]]` or `![[file]]`: by path, then by the nearest file of this name, then by alias. */
  findByName(name: string, from: string): { readonly path: string; readonly isPage: boolean } | null {
    const wanted = name.normalize("NFC").replace(/^\/+/, "");
    const here = posix.join(posix.dirname(from), wanted);
    const found = this.#at(wanted) ?? this.#at(here);
    if (found !== null) return found;
    const nearest = this.#nearest(wanted, from) ?? this.#named.get(aliasKey(wanted));
    return nearest === undefined ? null : { path: nearest, isPage: !this.#isFile(nearest) };
  }

  /** Finds a page by the address that its front matter gives it, with or without the name below which a site serves it. */
  #byRoute(path: string): string | undefined {
    const whole = this.#named.get(routeKey(path));
    const inner = /^\/[^/]+\/(.+)$/.exec(path)?.[1];
    return whole ?? (inner === undefined ? undefined : this.#named.get(routeKey(inner)));
  }

  #isFile(path: string): boolean {
    return this.#files.get(path.normalize("NFC")) === path;
  }

  #addFile(path: string): void {
    const key = path.normalize("NFC");
    setFirst(this.#files, key, path);
    setFirst(this.#foldedFiles, key.toLowerCase(), path);
    this.#addName(posix.basename(key).toLowerCase(), path);
  }

  #addPages(pages: readonly Page[], namesOf: (page: Page) => PageNames): void {
    for (const page of pages) {
      const keys = [page.path, ...(page.folder === null ? [] : [page.folder])];
      for (const key of keys) {
        setFirst(this.#pages, key.normalize("NFC"), page.path);
        setFirst(this.#pages, pageKey(key), page.path);
        setFirst(this.#pages, withoutNumbers(pageKey(key)), page.path);
      }
      this.#addName(posix.basename(withoutExtension(page.path.normalize("NFC"))).toLowerCase(), page.path);
      const { aliases, routes } = namesOf(page);
      for (const alias of aliases) setFirst(this.#named, aliasKey(alias), page.path);
      for (const route of routes) {
        setFirst(this.#named, routeKey(route), page.path);
        setFirst(this.#routes, routeKey(wholeRoute(route, page.path)), page.path);
      }
      this.#addPages(page.children, namesOf);
    }
  }

  #addName(name: string, path: string): void {
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, [path]);
    else if (same.length < maxSameName) same.push(path);
  }

  #at(path: string): { path: string; isPage: boolean } | null {
    if (path.startsWith("..")) return null;
    const key = possiblePath(path.replace(/\/+$/, "")).normalize("NFC");
    const page = this.#pages.get(key);
    if (page !== undefined) return { path: page, isPage: true };
    const file = this.#files.get(key);
    if (file !== undefined) return { path: file, isPage: false };
    const folded = pageKey(key);
    const similar = this.#pages.get(folded) ?? this.#pages.get(withoutNumbers(folded));
    if (similar !== undefined) return { path: similar, isPage: true };
    const other = this.#foldedFiles.get(key.toLowerCase());
    return other === undefined ? null : { path: other, isPage: false };
  }

  /** Finds the file of a name that is beside the linking file, else the one with the shortest path. */
  #nearest(name: string, from: string): string | undefined {
    const wanted = name.toLowerCase();
    const base = posix.basename(wanted);
    const all = this.#byName.get(base) ?? this.#byName.get(withoutExtension(base)) ?? [];
    const fitting = all.filter((path) =>
      `/${withoutExtension(path)}`.toLowerCase().endsWith(`/${withoutExtension(wanted)}`),
    );
    const folder = posix.dirname(from);
    return (
      fitting.find((path) => posix.dirname(path) === folder) ??
      fitting.reduce<string | undefined>(
        (best, path) => (best === undefined || path.length < best.length ? path : best),
        undefined,
      )
    );
  }
}

/** Files of one name that are told apart; a source may have any number. */
const maxSameName = 100;

function setFirst(map: Map<string, string>, key: string, path: string): void {
  if (!map.has(key)) map.set(key, path);
}

/** Splits an address of the source into its decoded path and its fragment; null for an address elsewhere. */
function splitAddress(address: string): { path: string; fragment: string } | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return null;
  const [, path = "", , fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  try {
    return { path: decodeURIComponent(path).normalize("NFC"), fragment };
  } catch {
    return { path: path.normalize("NFC"), fragment };
  }
}

/** Returns the paths that an address may mean, from the most to the least likely. */
function candidatesOf(path: string, from: string): string[] {
  const folder = posix.dirname(from);
  if (!path.startsWith("/")) {
    const fromPage = posix.join(withoutExtension(from), path);
    return [posix.join(folder, path), posix.join(path), fromPage];
  }
  const bare = path.replace(/^\/+/, "");
  // A site serves its pages below a name of its own: /docs/start is start.md in the folder of its pages.
  const inner = bare.split("/").slice(1).join("/");
  const wanted = inner === "" ? [bare] : [bare, inner];
  return wanted.flatMap((one) => publicFolders.map((base) => posix.join(base, one)));
}

const withoutExtension = (path: string): string => {
  const extension = posix.extname(path);
  return markdownExtensions.has(extension.toLowerCase()) || /^\.html?$/i.test(extension)
    ? path.slice(0, -extension.length)
    : path;
};

/** Returns the form in which a page and its addresses are compared: `Guide/index.html` and `guide.md` are the same. */
const pageKey = (path: string): string =>
  withoutExtension(path.replace(/\/+$/, ""))
    .toLowerCase()
    .replace(/(?:^|\/)(?:index|_index|readme)$/, "") || ".";

/** Removes the numbers that order the files of a folder: `01-start` is `start` in the addresses of a site. */
const withoutNumbers = (path: string): string => path.replaceAll(/(^|\/)\d+[-_.]+\s*(?=[^/])/g, "$1");

const aliasKey = (alias: string): string => `alias ${alias.normalize("NFC").trim().toLowerCase()}`;

const routeKey = (route: string): string => `route ${pageKey(route.normalize("NFC").replace(/^\/+/, ""))}`;

/** Returns the address of a page with the first folder of the source; one without a leading `/` is below the page's folder. */
function wholeRoute(route: string, path: string): string {
  const folder = posix.dirname(path);
  const [top = ""] = folder.split("/");
  return route.startsWith("/") ? posix.join(top, route) : posix.join(folder, route);
}
