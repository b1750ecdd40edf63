/** A question that waits for the reader: they have to confirm that it is them. */
export type AskedProof = {
  /** Ends the question; false if the reader did not confirm. */
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
    const settle = (isProven: boolean): void => {
      answer = undefined;
      setAsked(undefined);
      resolve(isProven);
    };
    setAsked({ settle });
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
