import { useBlocker } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useWords } from "../app/words.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import type { UploadStore } from "./upload-store.ts";

const ConfirmDialog = lazyLayer(async () => (await import("../parts/confirm-dialog.tsx")).ConfirmDialog);

/** Asks before another screen takes the place of this one while files are not in the text. */
export function LeaveGuard({ uploads }: { readonly uploads: UploadStore }): ReactElement | null {
  const { messages } = useWords();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => uploads.list.length > 0 && !isSamePage(current, next),
    // `useEditor` asks for more than files.
    enableBeforeUnload: false,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <ConfirmDialog
      title={messages.leaveUploads}
      text={messages.leaveUploadsText}
      action={messages.leave}
      onConfirm={proceed}
      onClose={reset}
    />
  );
}

type Place = { readonly pathname: string; readonly search: object };

const isSamePage = (current: Place, next: Place): boolean =>
  current.pathname === next.pathname && editOf(current) === editOf(next);

const editOf = ({ search }: Place): unknown => ("edit" in search ? search.edit : undefined);
