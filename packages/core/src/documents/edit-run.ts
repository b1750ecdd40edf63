import type { DocumentWithFacts } from "./row.ts";

/** The run of edits to which the current state of a document belongs: its author, their kind of credential, its beginning. */
export type EditRun = { readonly editorId: string | null; readonly editorKind: string; readonly runStartedAt: Date };

/** A run of edits with the id of the credential that continues it; null if the next edit begins another. */
export type ContinuedRun = EditRun & { readonly runCredential: string | null };

/** A document that is locked for a change. */
export type LockedDocument = DocumentWithFacts & ContinuedRun;
