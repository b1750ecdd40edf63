import { type EditorSession, liveState, type SessionKeeper } from "@kb/live/session";
import { timeFormat } from "../../messages/dates.ts";
import type { Locale } from "../../messages/index.ts";
import { failureText } from "../actions/failure-text.ts";
import type { Words } from "../app/words.tsx";
import { isOutdated, type OpenEditor } from "./open-editor.ts";
import type { TitleSaver } from "./title-saver.ts";
import type { Editor } from "./use-editor.ts";

type ShownStatus = { readonly kind: "saved" | "saving" | "failed"; readonly text: string };

/** What the state is read from. */
type Written = Pick<Editor, "problem" | "isUnreachable"> & {
  readonly title: Pick<TitleSaver, "failure" | "isSaved">;
  readonly opened:
    | (Pick<OpenEditor, "leftAt"> & {
        readonly session: Pick<EditorSession, "status" | "state">;
        readonly keeper: Pick<SessionKeeper, "failure">;
      })
    | undefined;
};

/** Returns the state of what is written, in words. */
export function editorStatus(
  { opened, problem, isUnreachable, title }: Written,
  { messages, locale }: Words,
): ShownStatus {
  const failed = (text: string): ShownStatus => ({ kind: "failed", text });
  if (problem !== undefined) return failed(isOutdated(problem) ? messages.statusReload : messages.editorFailed);
  if (opened === undefined) {
    return isUnreachable ? failed(messages.editorUnreachable) : { kind: "saving", text: messages.editorOpening };
  }
  const { session, keeper, leftAt } = opened;
  const { status } = session;
  if (status.kind === "waiting") {
    return failed(
      keeper.failure === null ? messages.statusWaiting(status.steps) : messages.statusOnlyHere(status.steps),
    );
  }
  if (status.kind === "reload") return failed(messages.statusReload);
  if (status.kind === "gone") return failed(messages.statusGone);
  if (status.kind === "readOnly") {
    if (status.why === "access") return failed(messages.statusReadOnly);
    const { length } = liveState(session.state).local;
    const kept = keeper.failure === null ? messages.statusTooMany : messages.statusOnlyHere(length);
    return failed(`${kept} ${messages.statusGoOn}`);
  }
  if (title.failure !== undefined) return failed(messages.statusTitle(failureText(title.failure, messages)));
  const isLeft = liveState(session.state).local[0]?.isLeft === true;
  if (isLeft && leftAt !== undefined) return { kind: "saving", text: messages.statusLeft(timeOf(leftAt, locale)) };
  if (status.kind === "saving" || !title.isSaved) return { kind: "saving", text: messages.statusSaving };
  return { kind: "saved", text: messages.statusSaved };
}

/** Returns a time of today as a time of day, any other with its day. */
function timeOf(time: number, locale: Locale): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return timeFormat(locale, isToday ? "time" : "minute").format(date);
}
