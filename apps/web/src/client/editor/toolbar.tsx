import { type EditorState, NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { Fragment, memo, type ReactElement, useCallback } from "react";
import { Button, Group, Separator, ToggleButton, Toolbar } from "react-aria-components";
import { TypedAhead } from "../app/typed-ahead.tsx";
import { useWords } from "../app/words.tsx";
import { Icon } from "../parts/icon.tsx";
import { keysText } from "../parts/keys.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { isIn } from "./commands.ts";
import styles from "./editor.module.css";
import { askFor } from "./suggestion-state.ts";
import { type Tool, tableTools, toolGroups } from "./tools.ts";
import { useEditorState } from "./use-editor-state.ts";

const LinkPicker = lazyLayer(async () => (await import("./link-picker.tsx")).LinkPicker, TypedAhead);

/** Loads what links are chosen with. */
export const loadLinks = LinkPicker.preload;

const ImageForm = lazyLayer(async () => (await import("./image-form.tsx")).ImageForm);

type EditorToolbarProps = {
  readonly view: EditorView;
  readonly isLinking: boolean;
  readonly onLinking: (isLinking: boolean) => void;
  /** Whether the writer asked to describe the selected picture. */
  readonly isDescribing: boolean;
  readonly onDescribing: (isDescribing: boolean) => void;
};

/**
 * The toolbar of the editor: one tab stop, arrow keys within. Escape leads back to the text. It is drawn again only when one of its
 * buttons changes, not with each change of what is saved.
 */
export const EditorToolbar = memo(function EditorToolbar(props: EditorToolbarProps): ReactElement {
  const { view, isLinking, onLinking, isDescribing, onDescribing } = props;
  const { messages } = useWords();
  const endDescribing = useCallback(() => onDescribing(false), [onDescribing]);
  const shown = useEditorState(view, ({ state }) => ({
    isInTable: isIn(state, "table"),
    picture: selectedPicture(state),
    on: toolGroups.flat().flatMap((tool) => (tool.isOn?.(state) === true ? [tool.label] : [])),
    off: [...toolGroups.flat(), ...tableTools].flatMap((tool) => (tool.command(state) ? [] : [tool.label])),
  }));
  const run = ({ command }: Tool): void => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const button = (tool: Tool): ReactElement => {
    const props = {
      "aria-label": messages[tool.label],
      ...(tool.keys !== undefined && { "aria-keyshortcuts": tool.keys.replace("Mod", "Control") }),
      isDisabled: shown.off.includes(tool.label) && !shown.on.includes(tool.label),
      className: styles.tool ?? "",
    };
    if (tool.isOn === undefined) {
      return (
        <Button key={tool.label} {...props} onPress={() => run(tool)}>
          <Face tool={tool} />
        </Button>
      );
    }
    return (
      <ToggleButton key={tool.label} {...props} isSelected={shown.on.includes(tool.label)} onChange={() => run(tool)}>
        <Face tool={tool} />
      </ToggleButton>
    );
  };
  return (
    <Group
      className={styles.tools ?? ""}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        onLinking(false);
        onDescribing(false);
        view.focus();
      }}
    >
      <Toolbar aria-label={messages.toolbar} className={styles.toolbar ?? ""} data-toolbar>
        {toolGroups.map((group, index) => (
          <Fragment key={group[0]?.label}>
            {index > 0 && <Separator orientation="vertical" className={styles.separator ?? ""} />}
            <Group className={styles.group ?? ""}>{group.map(button)}</Group>
          </Fragment>
        ))}
        <Separator orientation="vertical" className={styles.separator ?? ""} />
        <Button aria-label={messages.toolInsert} className={styles.tool ?? ""} onPress={() => askFor(view, "insert")}>
          <Face tool={{ label: "toolInsert", icon: "plus", keys: "/" }} />
        </Button>
        <Button
          aria-label={messages.toolLink}
          aria-keyshortcuts="Control+K"
          aria-expanded={isLinking}
          className={styles.tool ?? ""}
          onPress={() => onLinking(!isLinking)}
        >
          <Face tool={{ label: "toolLink", icon: "link", keys: "Mod+K" }} />
        </Button>
        {shown.isInTable && <Group className={styles.group ?? ""}>{tableTools.map(button)}</Group>}
      </Toolbar>
      {shown.picture !== null && (
        <ImageForm
          key={shown.picture.at}
          view={view}
          alt={shown.picture.alt}
          isAsked={isDescribing}
          onClose={endDescribing}
        />
      )}
      {isLinking && <LinkPicker view={view} onClose={() => onLinking(false)} />}
    </Group>
  );
});

/** Returns where the selected picture is, and its description; null without one. */
function selectedPicture({ selection }: EditorState): { readonly at: number; readonly alt: string } | null {
  const isPicture = selection instanceof NodeSelection && selection.node.type.name === "image";
  return isPicture ? { at: selection.from, alt: String(selection.node.attrs.alt ?? "") } : null;
}

/** The icon of a tool, with its name and keys under the pointer; the name alone where there is no icon. */
function Face({ tool: { label, icon, keys } }: { readonly tool: Pick<Tool, "label" | "icon" | "keys"> }): ReactElement {
  const { messages } = useWords();
  const shown = keys === undefined ? "" : ` (${keysText({ keys: [keys] })})`;
  return (
    <span aria-hidden="true" className={styles.face} title={`${messages[label]}${shown}`}>
      {icon === undefined ? messages[label] : <Icon name={icon} />}
    </span>
  );
}
