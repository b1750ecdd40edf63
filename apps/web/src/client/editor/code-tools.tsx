import type { EditorView } from "prosemirror-view";
import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { CodeWords } from "../../messages/code/index.ts";
import { useWords } from "../app/words.tsx";
import styles from "./beside-text.module.css";
import { type CodeAt, codeIn, languageNameOf, trackCode } from "./code-around.ts";
import { copyCode } from "./copy-code.ts";
import { LanguageLayer } from "./language-layer.tsx";
import type { TrackedPlace } from "./tracked-places.ts";
import { onViewUpdate } from "./view-updates.ts";

export type CodeToolsProps = {
  readonly view: EditorView;
  /** The positioned element around the text. */
  readonly around: RefObject<HTMLElement | null>;
  /** The block of code under the pointer. */
  readonly block: HTMLElement | null;
  readonly words: CodeWords;
};

const gapPx = 8;

/**
 * The language of the block of code under the pointer, and a button that copies it, where readers have that. The toolbar has both,
 * so the keyboard and assistive technology pass over these.
 */
export function CodeTools({ view, around, block, words }: CodeToolsProps): ReactElement {
  const { messages } = useWords();
  const [place, setPlace] = useState<TrackedPlace | null>(null);
  const element = usePlaceOver(view, around, block);
  const code = block === null ? null : codeOf(view, block);
  const choose = (): void => {
    const found = block === null ? null : codeOf(view, block);
    if (found !== null && view.editable) setPlace(trackCode(view, found));
  };
  const close = (): void => {
    place?.end();
    setPlace(null);
  };
  return (
    <>
      {block !== null && code !== null && (
        <div
          ref={element}
          className={styles.code}
          data-code-tools
          aria-hidden="true"
          // The text keeps its focus and its selection.
          onMouseDown={(event) => event.preventDefault()}
        >
          <button type="button" tabIndex={-1} title={words.language} onClick={choose}>
            {languageNameOf(code.node, words.plain)}
          </button>
          <button
            type="button"
            tabIndex={-1}
            onClick={() => void copyCode(codeOf(view, block)?.node.textContent ?? "", messages, words)}
          >
            {messages.copyCode}
          </button>
        </div>
      )}
      {place !== null && <LanguageLayer view={view} place={place} onClose={close} />}
    </>
  );
}

function codeOf(view: EditorView, block: HTMLElement): CodeAt | null {
  return view.dom.contains(block) ? codeIn(view.state.doc, view.posAtDOM(block, 0)) : null;
}

/** Keeps an element in the corner of a block where the lines of code end, also while others write above it. */
function usePlaceOver(
  view: EditorView,
  around: RefObject<HTMLElement | null>,
  block: HTMLElement | null,
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const [, refresh] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null || around.current === null || block === null) return;
    const origin = around.current.getBoundingClientRect();
    const { top, left, right } = block.getBoundingClientRect();
    const isRtl = getComputedStyle(block).direction === "rtl";
    const start = isRtl ? left + gapPx : right - gapPx - element.current.offsetWidth;
    element.current.style.left = `${start - origin.left}px`;
    element.current.style.top = `${top + gapPx - origin.top}px`;
  });
  useEffect(() => {
    if (block === null) return;
    let frame = 0;
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => refresh((count) => count + 1));
    };
    const endUpdates = onViewUpdate(view, later);
    addEventListener("resize", later);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("resize", later);
      endUpdates();
    };
  }, [view, block]);
  return element;
}
