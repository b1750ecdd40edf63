import type { QueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";

/** Where a new document goes: into a collection, or below a document of it. */
export type NewPlace = { readonly collectionId: string; readonly parentId: string | null };

/** Creates an empty draft, first among its siblings; without a title, it is named when it is written. */
export async function createDocument(
  queries: QueryClient,
  { collectionId, parentId }: NewPlace,
  title?: string,
): Promise<{ readonly id: string }> {
  const named = title === undefined ? {} : { title };
  const input = { collectionId, parentDocumentId: parentId, after: null, ...named };
  const created = await call("documents.create", input, { idempotencyKey: randomKey() });
  // Nobody waits for the lists before writing.
  void queries.invalidateQueries();
  return created;
}

/** Returns a random name of a request. `crypto.randomUUID` exists on secure origins only. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
