import { type Caller, isChannelReader } from "@kb/auth";
import type { z } from "zod";
import { type CallMetadata, type ErrorCode, invoke, type Operation, operations, ServiceError } from "../index.ts";
import type { Credential } from "./credential.ts";
import { authenticateCredential } from "./matrix/invoke-operation.ts";
import type { Person, World } from "./world.ts";

type Run = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  input?: object,
  call?: CallMetadata,
) => Promise<z.output<Output>>;

/** The operations of documents, collections and tags, as one caller runs them. */
export type TestCaller = ReturnType<typeof callerOf>;

/** Returns the caller with a proof of that time, if they have a session. */
function withProof(caller: Caller, provenAt: Date | undefined): Caller {
  if (provenAt === undefined || isChannelReader(caller) || caller.credential.session === undefined) return caller;
  const session = { ...caller.credential.session, provenAt };
  return { ...caller, credential: { ...caller.credential, session } };
}

/**
 * Runs operations as a person with their everyday key, or with any credential. Authenticates for each call, as an edge does. Unless
 * `isFresh` is false, each call in a session comes right after a proof of its user, however far the clock went.
 */
export function callerOf(
  world: World,
  who: Person | Credential,
  { isFresh = true }: { readonly isFresh?: boolean } = {},
) {
  const credential = who !== null && typeof who === "object" && "key" in who ? who.key : who;
  const run: Run = async (operation, input = {}, call = {}) => {
    const caller = await authenticateCredential(world.service, credential);
    if (caller === null) throw new ServiceError("authentication_required", "The credential is not valid.");
    return invoke(
      world.service,
      operation,
      withProof(caller, isFresh ? world.service.clock.now() : undefined),
      input,
      call,
    );
  };
  return {
    run,
    /** Creates a document, in the open collection unless the input names another. */
    create: (input: object = {}, call?: CallMetadata) =>
      run(operations.createDocument, { collectionId: world.collections.open, ...input }, call),
    ...documentCalls(run),
    ...listCalls(run),
    ...collectionCalls(run),
    listTags: () => run(operations.listTags),
    createTag: (input: object) => run(operations.createTag, input),
  };
}

function documentCalls(run: Run) {
  return {
    get: (id: string, query: object = {}) => run(operations.getDocument, { id, ...query }),
    update: (id: string, change: object, call?: CallMetadata) =>
      run(operations.updateDocument, { id, ...change }, call),
    edit: async (id: string, edit: object, call?: CallMetadata) => {
      const answer = await run(operations.editDocument, { id, ...edit }, call);
      if (!("id" in answer)) throw new Error("a dry run returns no document");
      return answer;
    },
    previewEdit: async (id: string, edit: object) => {
      const answer = await run(operations.editDocument, { id, ...edit, dryRun: true });
      if ("id" in answer) throw new Error("a dry run returns a difference");
      return answer;
    },
    delete: (id: string, call?: CallMetadata) => run(operations.deleteDocument, { id }, call),
    restore: (id: string, input: object = {}) => run(operations.restoreDocument, { id, ...input }),
    archive: (id: string) => run(operations.archiveDocument, { id }),
    unarchive: (id: string) => run(operations.unarchiveDocument, { id }),
    revisions: (id: string, paging: object = {}) => run(operations.listRevisions, { id, ...paging }),
    revision: (id: string, revision: number) => run(operations.getRevision, { id, revision }),
    restoreRevision: (id: string, revision: number) => run(operations.restoreRevision, { id, revision }),
    undoRevision: (id: string, revision: number, guard: object = {}, call?: CallMetadata) =>
      run(operations.undoRevision, { id, revision, ...guard }, call),
  };
}

function listCalls(run: Run) {
  const list = async (query: object = {}) => {
    const page = await run(operations.listDocuments, query);
    if (!("total" in page)) throw new Error("the incremental sync returns no plain page");
    return page;
  };
  return {
    list,
    /** Returns the ids of at most 100 documents of a list. */
    listIds: async (query: object = {}) => (await list({ limit: 100, ...query })).data.map((document) => document.id),
    sync: async (query: object) => {
      const page = await run(operations.listDocuments, query);
      if ("total" in page) throw new Error("the plain list returns no page of the sync");
      return page;
    },
    search: (query: string, filters: object = {}) => run(operations.searchDocuments, { query, ...filters }),
  };
}

function collectionCalls(run: Run) {
  return {
    createCollection: (input: object) => run(operations.createCollection, input),
    getCollection: (id: string) => run(operations.getCollection, { id }),
    listCollections: (query: object = {}) => run(operations.listCollections, query),
    updateCollection: (id: string, change: object) => run(operations.updateCollection, { id, ...change }),
    archiveCollection: (id: string) => run(operations.archiveCollection, { id }),
    unarchiveCollection: (id: string) => run(operations.unarchiveCollection, { id }),
  };
}

/** Returns `done` for a call that succeeds, and the code of a refusal. @throws any other error */
export async function outcomeOf(call: Promise<unknown>): Promise<"done" | ErrorCode> {
  try {
    await call;
    return "done";
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** A well-formed id that does not exist. */
export const unknownId = "00000000-0000-7000-8000-000000000000";
