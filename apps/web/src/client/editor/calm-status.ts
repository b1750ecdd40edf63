import type { EditorSession } from "@kb/live/session";

/** While somebody writes, each batch is saved within a moment and followed by the next. */
const lastingMs = 500;

/**
 * Calls a function when what is to be said about a session changes: that all is saved once it has lasted, so that a page does not
 * change, and a screen reader not speak, twice with each batch. Returns a function that ends it.
 */
export function onCalmStatus(session: Pick<EditorSession, "status" | "on">, say: () => void): () => void {
  let said = session.status.kind;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sayNow = (): void => {
    said = session.status.kind;
    say();
  };
  const end = session.on("status", () => {
    const { kind } = session.status;
    clearTimeout(timer);
    if (kind === "saved") timer = setTimeout(sayNow, lastingMs);
    else if (kind !== "saving" || said !== "saving") sayNow();
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}
