import { lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import type { View } from "../api/contract.ts";
import { boot } from "../app/boot.ts";
import { useWords } from "../app/words.tsx";
import { draftStore } from "./draft-store.ts";
import { readSource, type Source } from "./read-source.ts";
import { WritingPage } from "./writing-page.tsx";

const EditorPage = lazy(async () => ({ default: (await import("../editor/editor-page.tsx")).EditorPage }));

type WriterProps = {
  readonly view: View;
  /** Whether the document is written as Markdown. */
  readonly isSource: boolean;
};

/** Writes a document: as it is read, or as Markdown, also where this device has Markdown of it that was not sent. */
export function Writer({ view, isSource }: WriterProps): ReactElement {
  const hasDraft = useHasDraft(view.document.id);
  if (isSource || hasDraft === true) return <SourceWriter view={view} />;
  const waiting = <main id="main" className="main" tabIndex={-1} aria-busy />;
  if (hasDraft === undefined) return waiting;
  return (
    <Suspense fallback={waiting}>
      <EditorPage view={view} />
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

/** Writes a document as Markdown: its title and its text, as far as they are loaded. */
function SourceWriter({ view }: { readonly view: View }): ReactElement {
  const { messages } = useWords();
  const [source, setSource] = useState<Source>();
  const [attempt, setAttempt] = useState(0);
  const [isFailed, setFailed] = useState(false);
  const { id } = view.document;
  useEffect(() => {
    let isOver = false;
    setFailed(false);
    readSource(id).then(
      (read) => isOver || setSource(read),
      () => isOver || setFailed(true),
    );
    return () => {
      isOver = true;
    };
  }, [id, attempt]);
  if (source !== undefined) return <WritingPage key={source.key} view={view} source={source} onReload={setSource} />;
  return (
    <main id="main" className="main" tabIndex={-1} aria-busy={!isFailed}>
      {isFailed && (
        <div className="column notice" role="alert">
          <span>{messages.failed}</span>
          <button type="button" className="button" onClick={() => setAttempt(attempt + 1)}>
            {messages.tryAgain}
          </button>
        </div>
      )}
    </main>
  );
}
