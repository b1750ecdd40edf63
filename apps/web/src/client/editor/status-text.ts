import type { Messages } from "../../messages/index.ts";
import { failureText } from "../actions/failure-text.ts";
import { isOutdated } from "./open-editor.ts";
import type { Editor } from "./use-editor.ts";

type ShownStatus = { readonly kind: "saved" | "saving" | "failed"; readonly text: string };

/** Returns the state of what is written, in words. */
export function editorStatus(
  { opened, problem, isUnreachable, title }: Pick<Editor, "opened" | "problem" | "isUnreachable" | "title">,
  messages: Messages,
): ShownStatus {
  const failed = (text: string): ShownStatus => ({ kind: "failed", text });
  if (problem !== undefined) return failed(isOutdated(problem) ? messages.statusReload : messages.editorFailed);
  if (opened === undefined) {
    return isUnreachable ? failed(messages.editorUnreachable) : { kind: "saving", text: messages.editorOpening };
  }
  const { session, keeper } = opened;
  const { status } = session;
  if (status.kind === "waiting") {
    return failed(
      keeper.failure === null ? messages.statusWaiting(status.steps) : messages.statusOnlyHere(status.steps),
    );
  }
  if (status.kind === "reload") return failed(messages.statusReload);
  if (status.kind === "gone") return failed(messages.statusGone);
  if (status.kind === "readOnly") {
    return failed(status.why === "access" ? messages.statusReadOnly : messages.statusTooMany);
  }
  if (title.failure !== undefined) return failed(messages.statusTitle(failureText(title.failure, messages)));
  if (status.kind === "saving" || !title.isSaved) return { kind: "saving", text: messages.statusSaving };
  return { kind: "saved", text: messages.statusSaved };
}
