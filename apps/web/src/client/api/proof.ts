/** A question that waits for the reader: they have to confirm that it is them. */
export type AskedProof = {
  /** Ends the question, unless it has ended already; false if the reader did not confirm. */
  readonly settle: (isProven: boolean) => void;
};

let asked: AskedProof | undefined;
let answer: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

function setAsked(next: AskedProof | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}

/** Asks the reader to confirm that it is them, once for all calls that need it. Returns whether they did. */
export function askForProof(): Promise<boolean> {
  answer ??= new Promise((resolve) => {
    const question: AskedProof = {
      settle: (isProven) => {
        // A late answer, after the reader gave up: by now another question may be open.
        if (asked !== question) return;
        answer = undefined;
        setAsked(undefined);
        resolve(isProven);
      },
    };
    setAsked(question);
  });
  return answer;
}

/** The open question, for `useSyncExternalStore`. */
export const proofStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): AskedProof | undefined => asked,
};
