/** A short report of what was done or did not work, with at most one way to act on it. */
export type Notice = {
  readonly id: number;
  readonly text: string;
  readonly isFailure: boolean;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};

type NoticeContent = Omit<Notice, "id" | "isFailure"> & { readonly isFailure?: boolean };

/** The most notices that are shown at once; an older one leaves. */
const mostShown = 3;

let shown: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(notices: readonly Notice[]): void {
  shown = notices;
  for (const listener of listeners) listener();
}

/** Shows a notice until it is closed or its time is over. */
export function notify({ text, isFailure = false, action }: NoticeContent): void {
  lastId += 1;
  show([...shown, { id: lastId, text, isFailure, action }].slice(-mostShown));
}

/** Takes a notice away. */
export function dismissNotice(id: number): void {
  show(shown.filter((notice) => notice.id !== id));
}

/** The notices on the screen, for `useSyncExternalStore`. */
export const noticeStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Notice[] => shown,
};
