import type { EditorView } from "prosemirror-view";
import type { ReactElement } from "react";
import { Button, Group, Separator } from "react-aria-components";
import { useWords } from "../app/words.tsx";
import styles from "./editor.module.css";
import { ToolFace } from "./tool-face.tsx";
import type { Tool, ToolGroup } from "./tools.ts";

/** The tools that are on, and those that can do nothing now. */
export type ToolStates = { readonly on: readonly string[]; readonly off: readonly string[] };

type ToolButtonsProps = ToolGroup & { readonly view: EditorView; readonly states: ToolStates };

/** The buttons of some tools that belong together. */
export function ToolButtons({ view, states, tools, further }: ToolButtonsProps): ReactElement {
  return (
    <Group className={styles.group ?? ""} data-further={further}>
      {tools.map((tool) => (
        <ToolButton key={tool.label} view={view} states={states} tool={tool} />
      ))}
    </Group>
  );
}

/** The line between two groups of tools. */
export const ToolSeparator = ({ further }: Pick<ToolGroup, "further">): ReactElement => (
  <Separator orientation="vertical" className={styles.separator ?? ""} data-further={further} />
);

type ToolButtonProps = Pick<ToolButtonsProps, "view" | "states"> & { readonly tool: Tool };

function ToolButton({ view, states: { on, off }, tool }: ToolButtonProps): ReactElement {
  const { messages } = useWords();
  const { label, keys, isOn, command } = tool;
  return (
    <Button
      aria-label={messages[label]}
      aria-keyshortcuts={keys?.replace("Mod", "Control")}
      isDisabled={off.includes(label) && !on.includes(label)}
      className={styles.tool ?? ""}
      {...(isOn !== undefined && pressed(on.includes(label)))}
      // A keyboard on the screen would close with the focus of the text.
      preventFocusOnPress
      onPress={() => {
        command(view.state, view.dispatch, view);
        view.focus();
      }}
    >
      <ToolFace tool={tool} />
    </Button>
  );
}

/** The attributes of a button that is on or off. A `ToggleButton` has a state of its own, which this needs not. */
export const pressed = (isOn: boolean) => ({ "aria-pressed": isOn, "data-selected": isOn || undefined });
