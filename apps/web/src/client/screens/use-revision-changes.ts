import { useNavigate } from "@tanstack/react-router";
import type { Messages } from "../../messages/index.ts";
import { failureText } from "../actions/failure-text.ts";
import { useChange } from "../api/change.ts";
import { Failure } from "../api/failure.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";

/** The changes that a stored state allows. Both lead to the document once they are made. */
export type RevisionChanges = {
  /** Makes the state the current one, unless the document has changed since `current` was read. */
  readonly restore: () => void;
  /** Takes back what the state changed; later changes stay. */
  readonly undo: () => void;
  readonly isPending: boolean;
  /** Why the last one was not made, in words. */
  readonly failure: string | null;
};

/** Returns the changes that the state `revision` of a document allows, whose present revision is `current`. */
export function useRevisionChanges(id: string, revision: number, current: number): RevisionChanges {
  const { messages } = useWords();
  const navigate = useNavigate();
  const restoring = useChange("documents.revisions.restore");
  const undoing = useChange("documents.revisions.undo");
  const begin = (change: () => Promise<void>): void => {
    restoring.reset();
    undoing.reset();
    // The failure is shown.
    void change().catch(() => {});
  };
  const show = () => navigate({ to: "/documents/$documentId", params: { documentId: id } });
  const restore = async (): Promise<void> => {
    await restoring.mutateAsync({ id, revision, expectedRevision: current });
    await show();
  };
  const undo = async (): Promise<void> => {
    const { leftParts } = await undoing.mutateAsync({ id, revision });
    await show();
    notify({ text: messages.changeUndone(leftParts) });
  };
  const error = restoring.error ?? undoing.error;
  const failure = error && (conflictText(undoing.error, messages) ?? failureText(error, messages));
  return {
    restore: () => begin(restore),
    undo: () => begin(undo),
    isPending: restoring.isPending || undoing.isPending,
    failure,
  };
}

/** Returns why an undo has nothing to take back; undefined for other failures. */
function conflictText(error: Error | null, messages: Messages): string | undefined {
  if (!(error instanceof Failure) || error.code !== "conflict") return undefined;
  const later = error.details[0]?.currentRevision;
  return later === undefined ? messages.nothingToUndo : messages.continuedAs(later);
}
