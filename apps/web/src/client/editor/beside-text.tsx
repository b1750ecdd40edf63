import type { EditorView } from "prosemirror-view";
import { type ReactElement, useEffect, useRef } from "react";
import { loadCodeWords } from "../../messages/code/index.ts";
import { loadTableWords } from "../../messages/table/index.ts";
import { boot } from "../app/boot.ts";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import styles from "./beside-text.module.css";
import { showHandle } from "./block-handle.ts";
import type { CodeToolsProps } from "./code-tools.tsx";
import { isIn } from "./commands.ts";
import { followKeyboard } from "./follow-keyboard.ts";
import { NotePopover } from "./note-popover.tsx";
import { SelectionTools } from "./selection-tools.tsx";
import type { TableMenusProps } from "./table-menus.tsx";
import { useCodeUnderPointer } from "./use-code-under-pointer.ts";
import { useEditorState } from "./use-editor-state.ts";

type BesideTextProps = {
  readonly view: EditorView;
  readonly onLink: () => void;
  readonly onClose: () => void;
};

/** The menus of tables, with their words in the language of the reader. */
const TableMenus = lazyLayer(async () => {
  const [{ TableMenus: Menus }, words] = await Promise.all([
    import("./table-menus.tsx"),
    loadTableWords(boot().locale),
  ]);
  return ({ view, around }: Omit<TableMenusProps, "words"> & { readonly onClose: () => void }): ReactElement => (
    <Menus view={view} around={around} words={words} />
  );
});

/** The tools of code, with their words in the language of the reader. */
const CodeTools = lazyLayer<Omit<CodeToolsProps, "words"> & { readonly onClose: () => void }>(async () => {
  const [{ CodeTools: Tools }, words] = await Promise.all([import("./code-tools.tsx"), loadCodeWords(boot().locale)]);
  return ({ view, around, block }) => <Tools view={view} around={around} block={block} words={words} />;
});

/**
 * The tools that stand beside the text for a mouse and for fingers: a handle to move blocks, tools over a selection, menus of tables,
 * what is done with code, and footnotes.
 */
export function BesideText({ view, onLink, onClose }: BesideTextProps): ReactElement {
  const around = useRef<HTMLDivElement>(null);
  const isInTable = useEditorState(view, ({ state }) => isIn(state, "table"));
  const code = useCodeUnderPointer(view);
  const hadCode = useRef(false);
  hadCode.current ||= code !== null;
  useEffect(() => (around.current === null ? undefined : showHandle(view, around.current)), [view]);
  useEffect(followKeyboard, []);
  return (
    <div ref={around} className={styles.around}>
      <SelectionTools view={view} onLink={onLink} />
      <NotePopover view={view} />
      {hadCode.current && <CodeTools view={view} around={around} block={code} onClose={onClose} />}
      {isInTable && <TableMenus view={view} around={around} onClose={onClose} />}
    </div>
  );
}
