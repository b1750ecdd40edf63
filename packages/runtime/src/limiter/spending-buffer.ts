/** Sends amounts to a store. */
type Send = (key: string, amounts: readonly number[]) => Promise<void>;

/** Spending is sent after this time at the latest. */
const sendAfterMs = 200;

/** Adds up what is spent and sends it a few times a second, instead of with every request. */
export class SpendingBuffer {
  readonly #send: Send;
  readonly #unsent = new Map<string, readonly number[]>();

  constructor(send: Send) {
    this.#send = send;
  }

  add(key: string, amounts: readonly number[]): void {
    if (this.#unsent.size === 0) setTimeout(() => this.#flush(), sendAfterMs).unref();
    const known = this.#unsent.get(key);
    const sum = amounts.map((amount, kind) => amount + (known?.[kind] ?? 0));
    this.#unsent.set(key, sum);
  }

  #flush(): void {
    // A failure is the store's to report: it has fallen back to the process by then.
    for (const [key, amounts] of this.#unsent) this.#send(key, amounts).catch(() => {});
    this.#unsent.clear();
  }
}
