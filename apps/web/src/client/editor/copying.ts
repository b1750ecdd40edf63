import { Plugin } from "prosemirror-state";
import { part } from "./part.ts";

const copied = part(() => import("./copied-markdown.ts"));

/** Loads what writes Markdown. Nobody waits for it: until it is there, the text is copied without its signs. */
export const loadCopying = (): void => void copied.load().catch(() => undefined);

/** Puts the Markdown of what is copied or cut on the clipboard as its text, beside the HTML. */
export const copying = (): Plugin =>
  new Plugin({
    props: { clipboardTextSerializer: (slice) => copied.current?.markdownOf(slice) ?? "" },
    view: () => ({
      update: (view) => {
        if (view.state.selection.empty) return;
        if (copied.current === undefined) loadCopying();
        else copied.current.prepare(view);
      },
    }),
  });
