import type { QueryClient } from "@tanstack/react-query";
import type { Messages } from "../../messages/index.ts";

const events = ["pointerover", "focusin"] as const;

/** Loads what shows the documents behind links once the mouse or the focus is in a text. */
export function watchLinks(queries: QueryClient, messages: Messages): void {
  const loading = new AbortController();
  let last: Event;
  const load = async (event: Event): Promise<void> => {
    last = event;
    if (!(event.target instanceof Element) || event.target.closest(".prose") === null) return;
    const { LinkHint } = await import("./link-hint.ts");
    if (loading.signal.aborted) return;
    loading.abort();
    new LinkHint(queries, messages).start(last);
  };
  for (const type of events) {
    // The next text asks again for a module that did not come.
    document.addEventListener(type, (event) => void load(event).catch(() => undefined), {
      signal: loading.signal,
    });
  }
}
