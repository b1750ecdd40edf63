import { Fragment, type ReactElement } from "react";
import { keySystem } from "../app/key-system.ts";
import { type Shortcut, shownKeys } from "../app/shortcuts.ts";
import { useWords } from "../app/words.tsx";

/** The keys of a shortcut, as the reader's keyboard names them. */
export function Keys({ shortcut }: { readonly shortcut: Pick<Shortcut, "keys" | "appleKeys"> }): ReactElement {
  const { messages } = useWords();
  return (
    <>
      {shownKeys(shortcut, keySystem).map((strokes, way) => (
        <Fragment key={strokes.join()}>
          {way > 0 && ` ${messages.keysOr} `}
          {strokes.map((stroke, place) => (
            <Fragment key={stroke}>
              {place > 0 && ` ${messages.keysThen} `}
              <kbd>{stroke}</kbd>
            </Fragment>
          ))}
        </Fragment>
      ))}
    </>
  );
}

/** The keys that copy, as texts name them where a browser copies nothing by itself. */
export const copyKeys = shownKeys({ keys: ["Mod+C"] }, keySystem).join();

/** Returns the keys of a shortcut as one text: the first way to press it. */
export const keysText = (shortcut: Pick<Shortcut, "keys" | "appleKeys">): string =>
  shownKeys(shortcut, keySystem)[0]?.join(" ") ?? "";
