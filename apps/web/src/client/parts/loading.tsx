import { type ReactElement, useEffect, useState } from "react";
import type { Messages } from "../../messages/index.ts";
import { failureText, referenceOf } from "../actions/failure-text.ts";
import { Failure } from "../api/failure.ts";
import { useWords } from "../app/words.tsx";
import loading from "./loading.module.css";

type Pending = { readonly error: Error | null; readonly refetch: () => unknown };

/** Stands where data is awaited: nothing for 200 ms, then grey lines; if it failed, the reason and a button. */
export function Loading({ query }: { readonly query: Pending }): ReactElement {
  const { messages } = useWords();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (query.error !== null) {
    const reference = referenceOf(query.error);
    return (
      <div className="notice" role="alert">
        <span>
          {textOf(query.error, messages)}
          {reference !== undefined && ` ${messages.failedReference(reference)}`}
        </span>
        <button type="button" className="button" onClick={() => query.refetch()}>
          {messages.tryAgain}
        </button>
      </div>
    );
  }
  return (
    <div aria-busy="true" className={isLong ? (loading.lines ?? "") : ""}>
      <span className="visually-hidden">{messages.loading}</span>
    </div>
  );
}

/** Returns why data did not come. The bar counts a limit down; a number here would stand still. */
function textOf(error: Error, messages: Messages): string {
  if (!(error instanceof Failure)) return messages.failed;
  return error.status === 429 ? messages.busyStatus : failureText(error, messages);
}
