import type { QueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { TypedText } from "../app/keys-ahead.ts";

/** Where a new document goes: into a collection, or below a document of it. */
export type NewPlace = { readonly collectionId: string; readonly parentId: string | null };

/** What a draft begins with. */
type NewDraft = {
  /** Without one, it is named when it is written. */
  readonly title?: string | undefined;
  /** The name of the request: sent again with it, the request creates nothing more. */
  readonly key: string;
};

/** Creates an empty draft, first among its siblings. */
export async function createDocument(
  queries: QueryClient,
  { collectionId, parentId }: NewPlace,
  { title, key }: NewDraft,
): Promise<{ readonly id: string }> {
  const named = title === undefined ? {} : { title };
  const input = { collectionId, parentDocumentId: parentId, after: null, ...named };
  const created = await call("documents.create", input, { idempotencyKey: key });
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
