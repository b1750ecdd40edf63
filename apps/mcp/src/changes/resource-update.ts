import { type FeedEvent, findDefinition } from "@kb/core";
import { uriOf } from "./resource.ts";

/** A changed resource, and whether the list of resources changed with it. */
export type ResourceUpdate = {
  readonly event: FeedEvent;
  readonly uri: string;
  readonly changesList: boolean;
};

/** Returns the resource that an event changes; null if it changes none. */
export function findResourceUpdate(event: FeedEvent): ResourceUpdate | null {
  const resource = findDefinition(event.type)?.mcp ?? null;
  if (resource === null) return null;
  const { kind, changesList } = resource;
  const id = kind === "document" ? event.documentId : event.collectionId;
  return id === null ? null : { event, uri: uriOf({ kind, id }), changesList };
}
