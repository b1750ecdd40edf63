import type { RightsInDocument, UserOfDocument } from "@kb/auth";
import type { PresenceExchange } from "./presence-exchange.ts";
import type { Caret, Presence } from "./present-people.ts";

/** Rights change without a change of the documents too, for instance with a group: they are read again after this time. */
const recheckMs = 500;

/** Colors of people, by number: the same person has the same one everywhere. */
const colors = 12;

/** A tab of a person who has a document open, as others see it. A person who may only read is there without a caret. */
export type PersonHere = {
  readonly tabId: string;
  readonly userId: string;
  readonly name: string;
  readonly color: number;
} & Partial<Caret>;

/** A user whose rights in a document were read at a sequence number of the team. */
type Known = { readonly rights: RightsInDocument | null; readonly sequence: number; readonly at: number };

/** Rights to be read, at a sequence number of the team. */
export type UncheckedPerson = UserOfDocument & { readonly sequence: number };

/** The people in the documents that a process follows, as far as they may read them. */
export class PeopleHere {
  readonly #exchange: Pick<PresenceExchange, "in">;
  readonly #known = new Map<string, Known>();
  readonly #shown = new WeakMap<Presence, PersonHere>();

  constructor(exchange: Pick<PresenceExchange, "in">) {
    this.#exchange = exchange;
  }

  /** Returns those whose rights have to be read, by documents with the sequence numbers of their teams; forgets all others. */
  unchecked(documents: ReadonlyMap<string, number>): UncheckedPerson[] {
    const now = Date.now();
    const asked = new Map<string, UncheckedPerson>();
    const present = new Set<string>();
    for (const [documentId, sequence] of documents) {
      for (const { teamId, userId } of this.#exchange.in(documentId)) {
        const key = keyOf({ documentId, userId });
        present.add(key);
        const known = this.#known.get(key);
        const isFresh = known?.sequence === sequence && now - known.at < recheckMs;
        if (!isFresh) asked.set(key, { teamId, userId, documentId, sequence });
      }
    }
    for (const key of this.#known.keys()) if (!present.has(key)) this.#known.delete(key);
    return [...asked.values()];
  }

  /** Takes up what was read of somebody; null for one who may not read. */
  note(person: UncheckedPerson, rights: RightsInDocument | null): void {
    this.#known.set(keyOf(person), { rights, sequence: person.sequence, at: Date.now() });
  }

  /** Whether the rights of everybody in a document were read. */
  isComplete(documentId: string): boolean {
    return this.#exchange.in(documentId).every((presence) => this.#known.has(keyOf(presence)));
  }

  /** Returns the people in a document by their tabs. One who did not change is the same object as before. */
  in(documentId: string): ReadonlyMap<string, PersonHere> {
    const people = new Map<string, PersonHere>();
    for (const presence of this.#exchange.in(documentId)) {
      const rights = this.#known.get(keyOf(presence))?.rights;
      if (rights != null) people.set(presence.tabId, this.#personOf(presence, rights));
    }
    return people;
  }

  #personOf(presence: Presence, { userName: name, canWrite }: RightsInDocument): PersonHere {
    const { tabId, userId, caret } = presence;
    const before = this.#shown.get(presence);
    const own = canWrite && caret !== null ? caret : {};
    if (before?.name === name && before.version === ("version" in own ? own.version : undefined)) return before;
    const person = { tabId, userId, name, color: colorOf(userId), ...own };
    this.#shown.set(presence, person);
    return person;
  }
}

const keyOf = ({ documentId, userId }: Pick<UserOfDocument, "documentId" | "userId">): string =>
  `${documentId} ${userId}`;

/** The end of an id is random. */
const colorOf = (userId: string): number => Number.parseInt(userId.slice(-6), 16) % colors;
