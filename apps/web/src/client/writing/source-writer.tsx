import { type ReactElement, useEffect, useState } from "react";
import type { View } from "../api/contract.ts";
import { useWords } from "../app/words.tsx";
import { readSource, type Source } from "./read-source.ts";
import { WritingPage } from "./writing-page.tsx";

/** Writes a document as Markdown: its title and its text, as far as they are loaded. */
export function SourceWriter({ view }: { readonly view: View }): ReactElement {
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
