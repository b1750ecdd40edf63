import { uriOf } from "./resource.ts";

/** An event of the outbox, as far as assistants are concerned. */
export type TeamEvent = {
  readonly teamId: string;
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly documentId: string | null;
  readonly collectionId: string | null;
};

/** What an event means to an assistant: a resource that it may have read is another now, or there are others. */
export type Change = {
  readonly event: TeamEvent;
  readonly uri: string;
  readonly changesList: boolean;
};

const documentsAlone: ReadonlySet<string> = new Set(["document.updated", "collection.updated"]);

/** Null for an event that no resource is about. */
export function changeOf(event: TeamEvent): Change | null {
  const { type, documentId, collectionId } = event;
  const changesList = !documentsAlone.has(type);
  if (type.startsWith("document.") && documentId !== null) {
    return { event, uri: uriOf({ kind: "document", id: documentId }), changesList };
  }
  if (type.startsWith("collection.") && collectionId !== null) {
    return { event, uri: uriOf({ kind: "collection", id: collectionId }), changesList };
  }
  return null;
}

/**
 * Where a follower stands among its team's events, as one number: after the event with sequence `s` all is told at `2s`,
 * and at `2s - 1` that the resource changed but not yet that the list did.
 */
export type Mark = number;

export const afterUpdate = (event: TeamEvent): Mark => 2 * event.sequence - 1;
export const afterEvent = (sequence: number): Mark => 2 * sequence;
/** The last event of which all was told. */
export const sequenceAt = (mark: Mark): number => Math.floor(mark / 2);
