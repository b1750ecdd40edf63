import { type ReactElement, useLayoutEffect, useRef } from "react";
import { failureText } from "../actions/failure-text.ts";
import type { FurtherRows } from "../api/further-rows.ts";
import { useWords } from "../app/words.tsx";

/** Stands below a list, and loads what it does not show yet; nothing if it shows all. The first new row has the focus then. */
export function MoreButton({ list }: { readonly list: Omit<FurtherRows<unknown>, "rows"> }): ReactElement | null {
  const { messages } = useWords();
  const { hidden, error, load } = list;
  const lastRow = useRef<Element>(null);
  useLayoutEffect(() => {
    lastRow.current?.nextElementSibling?.querySelector<HTMLElement>("a, button, select")?.focus();
    lastRow.current = null;
  }, [hidden]);
  if (hidden === 0) return null;
  return (
    <p className="buttons">
      <button
        type="button"
        className="button"
        onClick={({ currentTarget }) => {
          lastRow.current = currentTarget.closest("p")?.previousElementSibling?.lastElementChild ?? null;
          load();
        }}
      >
        {messages.showMore(hidden)}
      </button>
      {error !== null && <span role="alert">{failureText(error, messages)}</span>}
    </p>
  );
}
