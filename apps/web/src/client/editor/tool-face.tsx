import type { ReactElement } from "react";
import { useWords } from "../app/words.tsx";
import { Icon } from "../parts/icon.tsx";
import { keysText } from "../parts/keys.tsx";
import styles from "./editor.module.css";
import type { Tool } from "./tools.ts";

/** The icon of a tool, with its name and keys under the pointer; the name alone where there is no icon. */
export function ToolFace({ tool }: { readonly tool: Pick<Tool, "label" | "icon" | "keys"> }): ReactElement {
  const { messages } = useWords();
  const { label, icon, keys } = tool;
  const shown = keys === undefined ? "" : ` (${keysText({ keys: [keys] })})`;
  return (
    <span aria-hidden="true" className={styles.face} title={`${messages[label]}${shown}`}>
      {icon === undefined ? messages[label] : <Icon name={icon} />}
    </span>
  );
}
