import type { Actor } from "@kb/auth";
import type { EventType } from "./changes/event-types.ts";

/** A change of the domain, with the thin snapshot that subscribers receive. */
export type DomainEvent = {
  readonly type: EventType;
  readonly data: { readonly id: string; readonly [fact: string]: string | number | boolean | null | readonly string[] };
  readonly documentId?: string | null;
  readonly collectionId?: string | null;
  /** The state in which the event leaves the document; it decides who may receive the event. */
  readonly createdById?: string | null;
  readonly publishedAt?: Date | null;
};

/** The part of a caller that events show. */
export type Emitter = Pick<Actor, "teamId" | "userId" | "userName" | "credential">;
