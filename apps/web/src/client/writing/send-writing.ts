import { call } from "../api/call.ts";
import { Failure } from "../api/failure.ts";
import type { Draft } from "./draft-store.ts";
import { readSource } from "./read-source.ts";
import type { Send } from "./writing-session.ts";

/**
 * Returns the function that saves what is written on a document. A change by somebody else of other fields only, such as the
 * tags, is no conflict: what the service has is then still the text on which the writing began.
 */
export function sendTo(id: string, begun: Draft): Send {
  const save: Send = async (fields, expectedRevision) => {
    const { revision } = await call("documents.update", { id, ...fields, expectedRevision, return: "minimal" });
    return revision;
  };
  return async (fields, expectedRevision) => {
    try {
      return await save(fields, expectedRevision);
    } catch (error) {
      const isConflict = error instanceof Failure && error.code === "revision_conflict";
      if (!isConflict || expectedRevision !== begun.revision) throw error;
      const { stored } = await readSource(id);
      if (stored.title !== begun.title || stored.text !== begun.text) throw error;
      return save(fields, stored.revision);
    }
  };
}
