import { boot } from "../app/boot.ts";

/** The most rows whose state is kept on the device: the last ones that were opened. */
const mostKept = 300;

const listeners = new Set<() => void>();
let rows: ReadonlySet<string> | undefined;

// Names no document and shows nothing: what an id means is asked of the service each time.
const storageKey = (): string => `kb-open-rows:${boot().app.user.id}`;

function readKept(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : []);
  } catch {
    return new Set();
  }
}

function keep(next: ReadonlySet<string>): void {
  rows = next;
  try {
    localStorage.setItem(storageKey(), JSON.stringify([...next].slice(-mostKept)));
  } catch {
    // A browser without storage keeps the state until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** The rows of the tree that are open, kept on this device for each user. */
export const openRows = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read(): ReadonlySet<string> {
    rows ??= readKept();
    return rows;
  },
  /** Opens rows. */
  open(keys: readonly string[]): void {
    const known = openRows.read();
    if (keys.some((key) => !known.has(key))) keep(new Set([...known, ...keys]));
  },
  close(key: string): void {
    keep(new Set([...openRows.read()].filter((each) => each !== key)));
  },
};
