import { type ReactElement, useState } from "react";
import { hasSingleKeys, setSingleKeys } from "./preferences.ts";
import { useWords } from "./words.tsx";

/** The switch of the keys without Ctrl, which get in the way of some people and of speech input (WCAG 2.1.4). */
export function SingleKeys(): ReactElement {
  const { messages } = useWords();
  const [isOn, setOn] = useState(hasSingleKeys);
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          setSingleKeys(target.checked);
          setOn(target.checked);
        }}
      />
      <span>
        {messages.singleKeys}
        <span className="row-detail">{messages.singleKeysHelp}</span>
      </span>
    </label>
  );
}
