import { type EditorState, NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import {
  Fragment,
  type KeyboardEvent,
  memo,
  type ReactElement,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button, Group, Toolbar } from "react-aria-components";
import { TypedAhead } from "../app/typed-ahead.tsx";
import { useWords } from "../app/words.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { isIn } from "./commands.ts";
import styles from "./editor.module.css";
import type { OpenEditor } from "./open-editor.ts";
import { askFor } from "./suggestion-state.ts";
import { pressed, ToolButtons, ToolSeparator } from "./tool-button.tsx";
import { ToolFace } from "./tool-face.tsx";
import { insertTool, linkTool, tableTools, toolbarTools, toolGroups } from "./tools.ts";
import { useEditorState } from "./use-editor-state.ts";

const LinkPicker = lazyLayer(async () => (await import("./link-picker.tsx")).LinkPicker, TypedAhead);

/** Loads what links are chosen with. */
export const loadLinks = LinkPicker.preload;

const CodeButtons = lazyLayer(async () => (await import("./code-buttons.tsx")).loadCodeButtons());

const ImageForm = lazyLayer(async () => (await import("./image-form.tsx")).loadImageForm());

type EditorToolbarProps = {
  readonly opened: Pick<OpenEditor, "view" | "documentId">;
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
  const { opened, isLinking, onLinking, isDescribing, onDescribing } = props;
  const { view, documentId } = opened;
  const { messages } = useWords();
  const [isWhole, setWhole] = useState(false);
  const endDescribing = useCallback(() => onDescribing(false), [onDescribing]);
  const shown = useEditorState(view, ({ state }) => ({
    isInTable: isIn(state, "table"),
    isInCode: isIn(state, "codeBlock"),
    isPicture: isPictureSelected(state),
    on: toolbarTools.flatMap((tool) => (tool.isOn?.(state) === true ? [tool.label] : [])),
    off: [...toolbarTools, ...tableTools].flatMap((tool) => (tool.command(state) ? [] : [tool.label])),
  }));
  const code = useCodeButtons(shown.isInCode);
  const focus = useFocusBack(view);
  return (
    <Group
      className={styles.tools ?? ""}
      {...focus}
      onKeyDown={(event) => {
        // Not from a layer, which is elsewhere in the page: the focus goes back to what opened it.
        if (event.key !== "Escape" || !isWithin(event)) return;
        onLinking(false);
        onDescribing(false);
        view.focus();
      }}
    >
      <Toolbar aria-label={messages.toolbar} className={styles.toolbar ?? ""} data-toolbar data-whole={isWhole}>
        {toolGroups.map((group, index) => (
          <Fragment key={group.tools[0]?.label}>
            {index > 0 && <ToolSeparator {...group} />}
            <ToolButtons view={view} states={shown} {...group} />
          </Fragment>
        ))}
        <ToolSeparator />
        <Button
          aria-label={messages.toolInsert}
          className={styles.tool ?? ""}
          preventFocusOnPress
          onPress={() => askFor(view, "insert")}
        >
          <ToolFace tool={insertTool} />
        </Button>
        <Button
          aria-label={messages.toolLink}
          aria-keyshortcuts="Control+K"
          aria-expanded={isLinking}
          className={styles.tool ?? ""}
          preventFocusOnPress
          onPress={() => onLinking(!isLinking)}
        >
          <ToolFace tool={linkTool} />
        </Button>
        {shown.isInTable && <ToolButtons view={view} states={shown} tools={tableTools} />}
        {code.areShown && <CodeButtons view={view} isInCode={shown.isInCode} onClose={code.end} />}
        <Button
          aria-label={messages.toolMore}
          className={styles.tool ?? ""}
          {...pressed(isWhole)}
          preventFocusOnPress
          onPress={() => setWhole(!isWhole)}
        >
          <ToolFace tool={{ label: "toolMore", icon: "more" }} />
        </Button>
      </Toolbar>
      {shown.isPicture && <ImageForm {...{ view, documentId }} isAsked={isDescribing} onClose={endDescribing} />}
      {isLinking && <LinkPicker view={view} onClose={() => onLinking(false)} />}
    </Group>
  );
});

/** Returns whether an event comes from the element that handles it, or from below it in the page. */
const isWithin = ({ currentTarget, target }: KeyboardEvent): boolean =>
  target instanceof Node && currentTarget.contains(target);

/**
 * Returns whether the buttons of code are there: from the first caret in code on. Ended because their part did not come, they are asked for
 * again with the next code.
 */
function useCodeButtons(isInCode: boolean): { readonly areShown: boolean; readonly end: () => void } {
  const hadCode = useRef(false);
  hadCode.current ||= isInCode;
  const end = useCallback(() => {
    hadCode.current = false;
  }, []);
  return { areShown: hadCode.current, end };
}

/**
 * Gives the text the focus when others remove what a tool is for, such as a table, while the tool has the focus: keys would do what they
 * do on the page. Returns what follows the focus.
 */
function useFocusBack(view: EditorView): { readonly onFocus: () => void; readonly onBlur: () => void } {
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (!hasFocus.current || document.activeElement !== document.body) return;
    hasFocus.current = false;
    view.focus();
  });
  const follow = (isThere: boolean) => (): void => {
    hasFocus.current = isThere;
  };
  return { onFocus: follow(true), onBlur: follow(false) };
}

const isPictureSelected = ({ selection }: EditorState): boolean =>
  selection instanceof NodeSelection && selection.node.type.name === "image";
