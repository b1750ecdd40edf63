import type { QueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { TypedText } from "../app/keys-ahead.ts";

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

/** Gives a draft what was typed for it before its page was there. */
export async function fillDraft(queries: QueryClient, id: string, typed: TypedText): Promise<void> {
  if (typed.title === "" && typed.text === "") return;
  const title = typed.title === "" ? {} : { title: typed.title };
  const text = typed.text === "" ? {} : { text: typed.text.replaceAll("\n", "\n\n") };
  await call("documents.update", { id, ...title, ...text, return: "minimal" });
  void queries.invalidateQueries();
}

/** Returns a random name of a request. `crypto.randomUUID` exists on secure origins only. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
