import { newUuid } from "./new-uuid.ts";

/** A tab of a person who has the document open, as the service tells. One who may only read has no caret. */
export type PersonHere = {
  readonly tabId: string;
  readonly userId: string;
  readonly name: string;
  /** One of twelve, the same for a person everywhere. */
  readonly color: number;
  /** The version in which `anchor` and `head` are positions. */
  readonly version?: number;
  readonly anchor?: number;
  readonly head?: number;
};

/** A person, in however many tabs. */
export type Person = Pick<PersonHere, "userId" | "name" | "color">;

/** What the service tells of a tab. */
export type PresenceEvent = PersonHere | { readonly tabId: string; readonly leave: true };

/** A page that is shown tells every ten seconds that somebody is there. */
const renewMs = 12_000;

/** The people who have a document open, but for this tab. */
export class PeopleHere {
  /** The name of this tab. */
  readonly tabId: string = newUuid();
  readonly #people = new Map<string, PersonHere>();
  readonly #listeners = new Set<() => void>();
  #list: readonly PersonHere[] = [];
  #persons: readonly Person[] = [];
  #isLate = false;
  #streams = 0;
  #renewing: ReturnType<typeof setTimeout> | undefined;

  /** In the order in which they came. */
  get list(): readonly PersonHere[] {
    return this.#list;
  }

  /** Each once: the same list, however their carets move, until somebody comes or leaves. */
  get persons(): readonly Person[] {
    return this.#persons;
  }

  /** Whether what others write arrives late, because there is no stream. */
  get isLate(): boolean {
    return this.#isLate;
  }

  set isLate(isLate: boolean) {
    this.#isLate = isLate;
    this.#show();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Takes up what the service tells of a tab. */
  take(event: PresenceEvent): void {
    if (event.tabId === this.tabId) return;
    if ("leave" in event) this.#people.delete(event.tabId);
    else this.#people.set(event.tabId, event);
    this.#show();
  }

  /** How many streams have told of people. */
  get streams(): number {
    return this.#streams;
  }

  /** Removes the people whom a new stream does not report within 12 s. */
  renew(): void {
    const before = this.#list;
    this.#streams += 1;
    this.#show();
    clearTimeout(this.#renewing);
    this.#renewing = setTimeout(() => {
      for (const each of before) if (this.#people.get(each.tabId) === each) this.#people.delete(each.tabId);
      this.#show();
    }, renewMs);
  }

  #show(): void {
    this.#list = [...this.#people.values()];
    const persons = new Map(this.#list.map(({ userId, name, color }) => [userId, { userId, name, color }]));
    const next = [...persons.values()];
    if (JSON.stringify(next) !== JSON.stringify(this.#persons)) this.#persons = next;
    for (const listener of this.#listeners) listener();
  }
}
