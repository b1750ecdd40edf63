import { TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { memo, type ReactElement, useEffect, useState } from "react";
import { useWords } from "../app/words.tsx";
import { DocumentCounter, type Heading, renewed, type ShownFacts } from "./document-facts.ts";
import styles from "./editor-outline.module.css";
import { onViewUpdate } from "./view-updates.ts";

/** The time without a key after which the outline is renewed. */
const pauseMs = 400;
/** The longest piece of work between two keys. */
const longestMs = 8;

type EditorOutlineProps = { readonly view: EditorView; readonly onClose: () => void };

/** The headings of the document that is written, the one at the caret marked, and its length in words. */
export function EditorOutline({ view }: EditorOutlineProps): ReactElement | null {
  const { messages } = useWords();
  const [counter] = useState(() => new DocumentCounter());
  const shown = useFacts(view, counter);
  if (shown === null) return null;
  const { headings, words, characters, current } = shown;
  const links = <OutlineButtons view={view} counter={counter} headings={headings} current={current} />;
  return (
    <>
      {headings.length > 0 && (
        <>
          <nav className="outline" aria-label={messages.onThisPage}>
            <h2>{messages.onThisPage}</h2>
            {links}
          </nav>
          <details className="outline-fold">
            <summary>{messages.onThisPage}</summary>
            <nav className="outline" aria-label={messages.onThisPage}>
              {links}
            </nav>
          </details>
        </>
      )}
      <p className={styles.length}>
        {messages.wordCount(words)} · {messages.characterCount(characters)}
      </p>
    </>
  );
}

type OutlineButtonsProps = {
  readonly view: EditorView;
  readonly counter: DocumentCounter;
  readonly headings: readonly Heading[];
  readonly current: number;
};

/** It is drawn again only when a heading changes, or another is at the caret. */
const OutlineButtons = memo(function OutlineButtons(props: OutlineButtonsProps): ReactElement {
  const { view, counter, headings, current } = props;
  const top = Math.min(...headings.map(({ level }) => level));
  return (
    <ol>
      {headings.map(({ level, text }, index) => (
        // Not its position, which changes with every key above it: it would be made again.
        <li key={index} data-depth={Math.min(3, level - top + 1)}>
          <button
            type="button"
            dir="auto"
            className={styles.heading}
            onClick={() => goTo(view, counter, index)}
            {...(index === current && { "aria-current": "location" as const })}
          >
            {text.trim() === "" ? "…" : text}
          </button>
        </li>
      ))}
    </ol>
  );
});

/** Puts the caret at the end of a heading, which others may have moved since the outline was renewed. */
function goTo(view: EditorView, counter: DocumentCounter, index: number): void {
  const { doc, tr } = view.state;
  const heading = counter.count(doc)?.headings[index];
  if (heading === undefined) return;
  const node = doc.nodeAt(heading.position);
  const selection = TextSelection.near(doc.resolve(heading.position + 1 + (node?.content.size ?? 0)), -1);
  view.dispatch(tr.setSelection(selection));
  view.focus();
  const dom = view.nodeDOM(heading.position);
  if (dom instanceof HTMLElement) dom.scrollIntoView({ block: "start" });
}

/** Returns the facts of the document, renewed while nobody types, in short steps. */
function useFacts(view: EditorView, counter: DocumentCounter): ShownFacts | null {
  const [shown, setShown] = useState<ShownFacts | null>(null);
  useEffect(() => {
    let timer = 0;
    const renew = (): void => {
      const end = performance.now() + longestMs;
      const { doc, selection } = view.state;
      const facts = counter.count(doc, () => performance.now() > end);
      if (facts === null) {
        timer = window.setTimeout(renew);
        return;
      }
      const current = facts.headings.findLastIndex(({ position }) => position < selection.from);
      const next = { ...facts, current };
      setShown((known) => renewed(known, next));
    };
    const plan = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(renew, pauseMs);
    };
    const endUpdates = onViewUpdate(view, plan);
    plan();
    return () => {
      clearTimeout(timer);
      endUpdates();
    };
  }, [view, counter]);
  return shown;
}
