import { type ReactElement, type RefObject, useEffect, useState } from "react";
import { useWords } from "../app/words.tsx";

type PickerCountProps = {
  readonly typed: string;
  /** Whether the entries answer what is typed. */
  readonly isAnswered: boolean;
  /** The element that holds the list. */
  readonly area: RefObject<HTMLElement | null>;
};

/** The pause in typing after which the number of entries is announced. */
const pauseMs = 500;

/** Tells a screen reader how many entries the list of a `Picker` has, once nothing was typed for a moment. */
export function PickerCount({ typed, isAnswered, area }: PickerCountProps): ReactElement {
  const { messages } = useWords();
  const [count, setCount] = useState<number>();
  useEffect(() => {
    setCount(undefined);
    if (typed.trim() === "" || !isAnswered) return undefined;
    const timer = setTimeout(() => setCount(area.current?.querySelectorAll("[data-key]").length), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, isAnswered, area]);
  return (
    <span role="status" className="visually-hidden">
      {count !== undefined && messages.searchResults(count)}
    </span>
  );
}
