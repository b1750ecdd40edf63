import { type ReactElement, useEffect, useState } from "react";
import { useWords } from "../app/words.tsx";
import type { PickerQuestion } from "./picker-entries.ts";

/** The pause in typing after which the number of entries is announced. */
const pauseMs = 500;

/** Tells a screen reader how many entries the list of a `Picker` has, once nothing was typed for a moment. */
export function PickerCount({ question }: { readonly question: PickerQuestion }): ReactElement {
  const { messages } = useWords();
  const { typed, isAnswered, area } = question;
  const [count, setCount] = useState<number>();
  useEffect(() => {
    setCount(undefined);
    if (typed.trim() === "" || !isAnswered) return undefined;
    const timer = setTimeout(() => setCount(area.current?.querySelectorAll("[role=menuitem]").length), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, isAnswered, area]);
  return (
    <span role="status" className="visually-hidden">
      {count !== undefined && messages.searchResults(count)}
    </span>
  );
}
