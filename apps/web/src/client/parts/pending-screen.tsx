import type { ReactElement } from "react";
import { useWords } from "../app/words.tsx";
import loading from "./loading.module.css";

/** Stands where a screen is awaited: grey lines. The router waits 200 ms before it shows them. */
export function PendingScreen(): ReactElement {
  const { messages } = useWords();
  return (
    <main id="main" className="main" tabIndex={-1}>
      <div className="column">
        <div aria-busy="true" className={loading.lines ?? ""}>
          <h1 className="visually-hidden">{messages.loading}</h1>
        </div>
      </div>
    </main>
  );
}
