import { type ReactElement, useEffect, useState } from "react";
import type { View } from "../api/contract.ts";
import { boot } from "../app/boot.ts";
import { BusyPage, lazyPage } from "../parts/lazy-page.tsx";
import { draftStore } from "./draft-store.ts";

const EditorPage = lazyPage(async () => (await import("../editor/editor-page.tsx")).EditorPage);
const SourceWriter = lazyPage(async () => (await import("./source-writer.tsx")).SourceWriter);

export const preloadEditor = EditorPage.preload;

type WriterProps = {
  readonly view: View;
  /** Whether the document is written as Markdown. */
  readonly isSource: boolean;
};

/** Writes a document: as it is read, or as Markdown, also where this device has Markdown of it that was not sent. */
export function Writer({ view, isSource }: WriterProps): ReactElement {
  const hasDraft = useHasDraft(view.document.id);
  // The editor is on its way while the device is asked.
  useEffect(() => {
    if (!isSource) preloadEditor();
  }, [isSource]);
  if (isSource || hasDraft === true) return <SourceWriter view={view} />;
  return hasDraft === undefined ? <BusyPage /> : <EditorPage view={view} />;
}

/** Returns whether this device has Markdown of a document that was not sent; undefined until that is known. */
function useHasDraft(id: string): boolean | undefined {
  const [hasDraft, setHasDraft] = useState<boolean>();
  useEffect(() => {
    let isOver = false;
    // Without storage on the device there are no drafts.
    const reading = draftStore(boot().app.user.id, id)
      .read()
      .catch(() => undefined);
    void reading.then((draft) => isOver || setHasDraft(draft !== undefined));
    return () => {
      isOver = true;
    };
  }, [id]);
  return hasDraft;
}
