import type { Locale, Messages } from "../../messages/index.ts";
import type { OutputOf, StarredDocument, Tree } from "../api/contract.ts";

/** The data that the server writes into every page, so that the app starts without a request. */
export type Boot = {
  readonly locale: Locale;
  /** Names the build; a page of another build reloads once when a module is missing. */
  readonly build: string;
  /** The words of the page for an app that does not start: those of its language may be what does not come. */
  readonly notStarted: Pick<Messages, "newRelease" | "failedReason" | "reload">;
  readonly app: OutputOf<"app.boot">;
  /** The document that the page shows. Its `html` stands in the page itself. */
  readonly document?: OutputOf<"documents.view">;
  /** The documents that the user has starred. */
  readonly stars: StarredDocument[];
  /** The tree, open at the document of the page. */
  readonly tree?: Tree;
  /** Other answers that the page shows, by the keys of their queries. */
  readonly answers?: readonly (readonly [key: readonly unknown[], answer: unknown])[];
};

let kept: Boot | undefined;

/** Returns the element with the page's data. A heading of a document can have the same id, and is no script. */
export const bootElement = (): Element | null => document.querySelector("script#boot");

/** Returns the page's data. @throws {Error} if the page has none: it is not a page of the app. */
export function boot(): Boot {
  kept ??= parseBoot(bootElement()?.textContent);
  return kept;
}

/**
 * Keeps newer data of the user, with the token of the current session. Another user has logged in in this browser if the
 * data is theirs: the page then loads anew.
 */
export function renewBoot(app: Boot["app"]): void {
  const before = boot();
  if (before.app.user.id === app.user.id) kept = { ...before, app };
  else location.reload();
}

/** Reads what our own server wrote. */
function parseBoot(text: string | null | undefined): Boot {
  if (!text) throw new Error("The page has no data");
  return JSON.parse(text) as Boot;
}
