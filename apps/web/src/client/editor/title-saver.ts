import { call } from "../api/call.ts";
import { boot } from "../app/boot.ts";
import { titleStore } from "../writing/kept-sessions.ts";

const saveMs = 1_000;
const retryMs = 5_000;

/** Saves the title of a document while it is written. The last title counts; it is on the device, and sent, until the service has it. */
export class TitleSaver {
  readonly #documentId: string;
  readonly #store: ReturnType<typeof titleStore>;
  readonly #onChange: () => void;
  #saved: string;
  #current: string;
  #isForgotten = false;
  #storing: Promise<unknown> = Promise.resolve();
  #sending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: unknown;

  constructor(documentId: string, title: string, onChange: () => void) {
    this.#documentId = documentId;
    this.#store = titleStore(boot().app.user.id, documentId);
    this.#saved = title;
    this.#current = title;
    this.#onChange = onChange;
  }

  get current(): string {
    return this.#current;
  }

  get isSaved(): boolean {
    return this.#saved === this.#current;
  }

  /** Why the last attempt failed, until one succeeds. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Goes on with a title that this device has kept, unless something was typed already. Returns the one that has no place, because
   * the document was given another title meanwhile.
   */
  async restore(): Promise<string | undefined> {
    const kept = await this.#store.read().catch(() => undefined);
    if (kept === undefined || !this.isSaved) return undefined;
    if (kept.title !== this.#saved && kept.before === this.#saved) {
      this.change(kept.title);
      return undefined;
    }
    this.#keep();
    return kept.title === this.#saved ? undefined : kept.title;
  }

  change(title: string): void {
    this.#current = title;
    this.#keep();
    this.#sendAfter(saveMs);
    this.#onChange();
  }

  /** Sends the title now; returns whether the service has it. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    while (!this.isSaved && !this.#isForgotten) {
      this.#sending ??= this.#send().finally(() => {
        this.#sending = undefined;
      });
      await this.#sending;
      if (this.#failure !== undefined) return false;
    }
    return this.isSaved;
  }

  /** Keeps a title that is not saved, for a page that may end now. */
  keepAtOnce(): void {
    if (!this.isSaved && !this.#isForgotten) this.#store.keepAtOnce({ title: this.#current, before: this.#saved });
  }

  /** Ends the attempts. */
  close(): void {
    clearTimeout(this.#timer);
  }

  /** Forgets a title that is not saved, on the device too. */
  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.close();
    this.#current = this.#saved;
    await this.#storing;
    await this.#store.drop();
  }

  #keep(): void {
    if (this.#isForgotten) return;
    const title = this.#current;
    const before = this.#saved;
    // One after another: a title that is saved is not written again by a slower earlier request.
    this.#storing = this.#storing
      .then(() => (title === before ? this.#store.drop() : this.#store.keep({ title, before })))
      .catch(() => undefined);
  }

  #sendAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), ms);
  }

  async #send(): Promise<void> {
    const title = this.#current;
    try {
      await call("documents.update", { id: this.#documentId, title, return: "minimal" });
      this.#saved = title;
      this.#failure = undefined;
      this.#keep();
    } catch (error) {
      this.#failure = error;
      this.#sendAfter(retryMs);
    }
    this.#onChange();
  }
}
