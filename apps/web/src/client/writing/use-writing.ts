import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { onPageEnd } from "./on-page-end.ts";
import { openSessions } from "./open-sessions.ts";
import type { Source } from "./read-source.ts";
import { sendTo } from "./send-writing.ts";
import { WritingSession, type WritingStatus } from "./writing-session.ts";

type Writing = { readonly session: WritingSession; readonly status: WritingStatus };

/** Opens a session of writing for as long as the page is shown. Leaving it sends what is not saved. */
export function useWriting(id: string, { stored, draft, drafts }: Source): Writing {
  const queries = useQueryClient();
  const { messages } = useWords();
  const isOld = draft !== undefined && draft.revision !== stored.revision;
  const [status, setStatus] = useState<WritingStatus>({ kind: isOld ? "conflict" : "saved" });
  const session = useRef<WritingSession>(undefined);
  session.current ??= new WritingSession({
    start: stored,
    conflicting: isOld ? draft : undefined,
    send: sendTo(id, stored),
    drafts,
    onStatus: setStatus,
  });
  const writing = session.current;
  useEffect(() => {
    if (draft !== undefined && !isOld) writing.change({ title: draft.title, text: draft.text });
    const ask = (event: BeforeUnloadEvent): void => {
      if (!writing.isSaved) event.preventDefault();
    };
    const sendNow = (): void => void writing.save();
    openSessions.add(writing);
    addEventListener("beforeunload", ask);
    addEventListener("online", sendNow);
    const endWriting = onPageEnd(() => writing.keepAtOnce());
    return () => {
      removeEventListener("beforeunload", ask);
      removeEventListener("online", sendNow);
      void writing.save().then(async (isSaved) => {
        writing.close();
        endWriting();
        openSessions.delete(writing);
        await queries.invalidateQueries();
        const { title, text } = writing.current;
        if (!isSaved) notify({ text: messages.keptOnDevice(title), isFailure: true });
        // Without the module, the text is saved all the same.
        else if (text !== stored.text)
          await import("./say-rewritten.ts").then((say) => say.sayRewritten(text, messages)).catch(() => undefined);
      });
    };
  }, [writing, draft, isOld, stored, queries, messages]);
  return { session: writing, status };
}

/** Returns the state of what is written, in words. */
export function statusText(status: WritingStatus, messages: ReturnType<typeof useWords>["messages"]): string {
  if (status.kind === "saved") return messages.statusSaved;
  if (status.kind === "saving") return messages.statusSaving;
  if (status.kind === "conflict") return messages.statusConflict;
  if (status.kind === "failed") return messages.statusFailed(failureText(status.error, messages));
  return status.kind === "pending" && status.isKept ? messages.statusKept : messages.statusPending;
}
