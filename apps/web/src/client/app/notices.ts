/** A short report of what was done or did not work, with at most one way to act on it. */
export type Notice = {
  readonly id: number;
  readonly text: string;
  readonly isFailure: boolean;
  /** When it was shown, as ISO 8601. */
  readonly time: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};

type NoticeContent = Omit<Notice, "id" | "isFailure" | "time"> & { readonly isFailure?: boolean };

/** The most notices that are shown at once; an older one leaves. */
const mostShown = 3;

/** The most notices that can be read again. */
const mostKept = 10;

let shown: readonly Notice[] = [];
let kept: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(notices: readonly Notice[]): void {
  shown = notices;
  for (const listener of listeners) listener();
}

/** Shows a notice until it is closed or its time is over. */
export function notify({ text, isFailure = false, action }: NoticeContent): void {
  lastId += 1;
  const notice = { id: lastId, text, isFailure, time: new Date().toISOString(), action };
  kept = [...kept, notice].slice(-mostKept);
  show([...shown, notice].slice(-mostShown));
}

/** Takes a notice away. */
export function dismissNotice(id: number): void {
  show(shown.filter((notice) => notice.id !== id));
}

/** Returns the last ten notices of this page, the newest first, with those that have left the screen. */
export const lastNotices = (): readonly Notice[] => kept.toReversed();

/** The notices on the screen, for `useSyncExternalStore`. */
export const noticeStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Notice[] => shown,
};
