import { type ReactElement, useRef } from "react";
import { failureText } from "../actions/failure-text.ts";
import { useWords } from "../app/words.tsx";
import { useFocusAfter } from "./use-focus-after.ts";

type NoticeProps = { readonly text: string; readonly failure: Error | null; readonly children: ReactElement | false };

/** A bar above the content: what state it is in, the way out, and why that did not work. */
export function Notice({ text, failure, children }: NoticeProps): ReactElement {
  const { messages } = useWords();
  const part = useRef<HTMLDivElement>(null);
  useFocusAfter(part);
  return (
    <div ref={part} className="notice">
      <span>{text}</span>
      {children}
      {failure !== null && <span role="alert">{failureText(failure, messages)}</span>}
    </div>
  );
}

/** The way out of a state. */
export function NoticeButton({
  label,
  onPress,
}: {
  readonly label: string;
  readonly onPress: () => void;
}): ReactElement {
  return (
    <button type="button" className="button" onClick={onPress}>
      {label}
    </button>
  );
}
