import { lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import type { View } from "../api/contract.ts";
import { boot } from "../app/boot.ts";
import { whenLoaded } from "../app/new-release.ts";
import { draftStore } from "./draft-store.ts";

const EditorPage = lazy(async () => ({ default: (await whenLoaded(import("../editor/editor-page.tsx"))).EditorPage }));
const SourceWriter = lazy(async () => ({ default: (await whenLoaded(import("./source-writer.tsx"))).SourceWriter }));

type WriterProps = {
  readonly view: View;
  /** Whether the document is written as Markdown. */
  readonly isSource: boolean;
};

/** Writes a document: as it is read, or as Markdown, also where this device has Markdown of it that was not sent. */
export function Writer({ view, isSource }: WriterProps): ReactElement {
  const hasDraft = useHasDraft(view.document.id);
  const waiting = <main id="main" className="main" tabIndex={-1} aria-busy />;
  if (!isSource && hasDraft === undefined) return waiting;
  return (
    <Suspense fallback={waiting}>
      {isSource || hasDraft === true ? <SourceWriter view={view} /> : <EditorPage view={view} />}
    </Suspense>
  );
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
