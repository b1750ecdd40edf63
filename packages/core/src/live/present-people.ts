/** Where the caret of a person is, in positions of a version of the log. */
export type Caret = { readonly version: number; readonly anchor: number; readonly head: number };

/** One tab of a person in a document, as it last told. */
export type Presence = {
  readonly teamId: string;
  readonly documentId: string;
  readonly tabId: string;
  readonly userId: string;
  /** The time at which the service received it, in milliseconds. The later of two counts, in whatever order they arrive. */
  readonly at: number;
  readonly caret: Caret | null;
  readonly hasLeft: boolean;
  readonly expiresAt: number;
};

/** A tab that says nothing for this long has left, in milliseconds. */
export const presenceTtlMs = 30_000;
/**
 * Bounds of what one process knows: the tabs of a document, those of one person in it, and all of them. Those that have left have
 * as many places of their own.
 */
const maxInDocument = 200;
const maxOfUser = 20;
const maxEntries = 20_000;

/** Whether a presence was taken up, or why not: there is a later one, the tab is somebody else's, or there is no room. */
type Outcome = "known" | "outdated" | "foreign" | "full";

/** The people who have documents open, in the memory of one process. */
export class PresentPeople {
  readonly #documents = new Map<string, Map<string, Presence>>();
  #size = 0;

  /** Takes up what a tab told. A tab that has left is remembered until it expires, because an earlier message may come later. */
  put(presence: Presence, now: number): Outcome {
    const { documentId, tabId, userId, at, hasLeft } = presence;
    const tabs = this.#documents.get(documentId) ?? new Map<string, Presence>();
    const known = tabs.get(tabId);
    const isKnown = known !== undefined && known.expiresAt > now;
    if (isKnown && known.userId !== userId) return "foreign";
    if (isKnown ? known.at >= at : hasLeft) return "outdated";
    const comes = !hasLeft && !(isKnown && !known.hasLeft);
    if (comes && !this.#hasRoom(tabs, presence, now)) return "full";
    if (!tabs.has(tabId)) this.#size += 1;
    // The tabs that have left are in the order in which they did.
    if (hasLeft) tabs.delete(tabId);
    this.#documents.set(documentId, tabs.set(tabId, presence));
    if (hasLeft) this.#boundLeft(tabs, userId);
    return "known";
  }

  /** Returns the time of what a tab told last, 0 for one that is not known. */
  lastAt({ documentId, tabId }: Pick<Presence, "documentId" | "tabId">): number {
    return this.#documents.get(documentId)?.get(tabId)?.at ?? 0;
  }

  /** Returns the tabs in a document. */
  in(documentId: string, now: number): readonly Presence[] {
    const tabs = this.#documents.get(documentId);
    if (tabs === undefined) return [];
    this.#removeExpired(documentId, tabs, now);
    return [...tabs.values()].filter(({ hasLeft }) => !hasLeft);
  }

  #hasRoom(tabs: Map<string, Presence>, { documentId, userId }: Presence, now: number): boolean {
    this.#removeExpired(documentId, tabs, now);
    if (this.#size >= maxEntries) for (const [id, others] of this.#documents) this.#removeExpired(id, others, now);
    const here = [...tabs.values()].filter(({ hasLeft }) => !hasLeft);
    const own = here.filter((tab) => tab.userId === userId);
    return this.#size < maxEntries && here.length < maxInDocument && own.length < maxOfUser;
  }

  /** Forgets a tab that left where too many are remembered: the first of the same user, before one of somebody else. */
  #boundLeft(tabs: Map<string, Presence>, userId: string): void {
    const left = [...tabs.values()].filter(({ hasLeft }) => hasLeft);
    const own = left.filter((tab) => tab.userId === userId);
    if (left.length <= maxInDocument && own.length <= maxOfUser) return;
    const forgotten = own.length > 1 ? own[0] : left[0];
    if (forgotten !== undefined && tabs.delete(forgotten.tabId)) this.#size -= 1;
  }

  #removeExpired(documentId: string, tabs: Map<string, Presence>, now: number): void {
    for (const [tabId, { expiresAt }] of tabs) {
      if (expiresAt > now) continue;
      tabs.delete(tabId);
      this.#size -= 1;
    }
    if (tabs.size === 0) this.#documents.delete(documentId);
  }
}
