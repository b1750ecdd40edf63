import { Fragment, type ReactElement } from "react";
import { Keys } from "../parts/keys.tsx";
import { shortcutAreas, shortcutsOf } from "./shortcuts.ts";
import { SingleKeys } from "./single-keys.tsx";
import { useWords } from "./words.tsx";

/** All keys of the app by where they work, and the switch of the single ones. */
export function ShortcutList(): ReactElement {
  const { messages } = useWords();
  const names = {
    anywhere: messages.keysAnywhere,
    reading: messages.keysReading,
    writing: messages.keysWriting,
    text: messages.keysText,
  };
  return (
    <>
      <SingleKeys />
      {shortcutAreas.map((area) => (
        <Fragment key={area}>
          <h3>{names[area]}</h3>
          <dl className="shortcuts">
            {shortcutsOf(area).map((shortcut) => (
              <div key={shortcut.label}>
                <dt>{messages[shortcut.label]}</dt>
                <dd>
                  <Keys shortcut={shortcut} />
                </dd>
              </div>
            ))}
          </dl>
        </Fragment>
      ))}
    </>
  );
}
