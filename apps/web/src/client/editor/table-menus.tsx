import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type ReactElement, type RefObject, useEffect, useRef, useState } from "react";
import { Header, MenuItem, MenuSection, Text } from "react-aria-components";
import type { TableWords } from "../../messages/table/index.ts";
import { useWords } from "../app/words.tsx";
import { Icon } from "../parts/icon.tsx";
import { keysText } from "../parts/keys.tsx";
import menu from "../parts/menu.module.css";
import { MenuKeys } from "../parts/menu-keys.tsx";
import { MenuLayer } from "../parts/menu-layer.tsx";
import styles from "./beside-text.module.css";
import { menuEvent } from "./table-commands.ts";
import { alignColumn, alignmentAround, deleteTable } from "./table-edits.ts";
import { alignments, columnItems, rowItems, type TableItem } from "./table-menu-items.ts";
import { useTablePlaces } from "./table-place.ts";

export type TableMenusProps = {
  readonly view: EditorView;
  /** The positioned element around the text. */
  readonly around: RefObject<HTMLElement | null>;
  readonly words: TableWords;
};

type Opened = "row" | "column" | "both";

/**
 * The menus of the row and the column of the caret: each by a button beside it, both by Shift+F10 or the button of the toolbar. The
 * buttons are no stops of Tab, which moves to the next cell.
 */
export function TableMenus({ view, around, words }: TableMenusProps): ReactElement | null {
  const { messages } = useWords();
  const places = useTablePlaces(view, around);
  const [opened, setOpened] = useState<Opened | null>(null);
  const row = useRef<HTMLButtonElement>(null);
  const column = useRef<HTMLButtonElement>(null);
  const origin = useRef<Element | null>(null);
  useEffect(() => {
    const open = (): void => {
      origin.current = document.activeElement;
      setOpened("both");
    };
    view.dom.addEventListener(menuEvent, open);
    return () => view.dom.removeEventListener(menuEvent, open);
  }, [view]);
  const run = useWhenClosed(view, opened !== null, origin);
  if (places === null) return null;
  const close = (): void => setOpened(null);
  const button = (kind: "row" | "column", reference: RefObject<HTMLButtonElement | null>): ReactElement => (
    <button
      type="button"
      ref={reference}
      tabIndex={-1}
      className={styles.tableButton}
      data-table-menu={kind}
      style={places[kind]}
      aria-label={words[`${kind}Menu`]}
      aria-haspopup="menu"
      aria-expanded={opened === kind}
      // The text keeps its caret.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => setOpened(kind)}
    >
      <Icon name="more" />
    </button>
  );
  const label = { row: words.rowMenu, column: words.columnMenu, both: messages.tableMenu };
  return (
    <>
      {button("row", row)}
      {button("column", column)}
      {opened !== null && (
        <MenuLayer trigger={opened === "column" ? column : row} onClose={close} label={label[opened]}>
          {opened !== "column" && (
            <MenuSection>
              <Header className={menu.header ?? ""}>{words.row}</Header>
              <Items list={rowItems} view={view} words={words} run={run} />
            </MenuSection>
          )}
          {opened !== "row" && (
            <MenuSection>
              <Header className={menu.header ?? ""}>{words.column}</Header>
              <Items list={columnItems} view={view} words={words} run={run} />
            </MenuSection>
          )}
          {opened !== "row" && <Alignments view={view} words={words} run={run} />}
          {opened === "both" && <Items list={[tableItem]} view={view} words={words} run={run} />}
        </MenuLayer>
      )}
    </>
  );
}

/**
 * Returns a function that runs a command once the menu is closed and the text has the focus again: until then, the browser would take
 * the caret back to where it was before. Without a command the focus goes back to a button of the toolbar that opened the menu.
 */
function useWhenClosed(
  view: EditorView,
  isOpen: boolean,
  origin: RefObject<Element | null>,
): (command: Command) => void {
  const chosen = useRef<Command | null>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen === wasOpen.current) return;
    wasOpen.current = isOpen;
    if (isOpen) return;
    const command = chosen.current;
    const button = origin.current;
    chosen.current = null;
    origin.current = null;
    if (command === null && button instanceof HTMLElement && button.closest("[data-toolbar]")) button.focus();
    else view.focus();
    command?.(view.state, view.dispatch, view);
  }, [view, isOpen, origin]);
  return (command) => {
    chosen.current = command;
  };
}

const tableItem: TableItem = { label: "tableDelete", icon: "trash", command: deleteTable };

type EntriesProps = Pick<TableMenusProps, "view" | "words"> & { readonly run: (command: Command) => void };

function Items({ list, view, words, run }: EntriesProps & { readonly list: readonly TableItem[] }): ReactElement {
  return (
    <>
      {list.map(({ label, icon, command, keys }) => (
        <MenuItem
          key={label}
          id={label}
          textValue={words[label]}
          className={menu.item ?? ""}
          isDisabled={!command(view.state, undefined, view)}
          onAction={() => run(command)}
        >
          <Icon name={icon} />
          <Text slot="label">{words[label]}</Text>
          {keys !== undefined && <MenuKeys keys={keysText({ keys: [keys] })} />}
        </MenuItem>
      ))}
    </>
  );
}

function Alignments({ view, words, run }: EntriesProps): ReactElement {
  const [current] = alignments.find(([, align]) => align === alignmentAround(view.state)) ?? [];
  return (
    <MenuSection
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={current === undefined ? [] : [current]}
      onSelectionChange={(keys) => {
        const [chosen] = alignments.filter(([label]) => keys === "all" || keys.has(label));
        if (chosen !== undefined) run(alignColumn(chosen[1]));
      }}
    >
      <Header className={menu.header ?? ""}>{words.alignment}</Header>
      {alignments.map(([label]) => (
        <MenuItem key={label} id={label} textValue={words[label]} className={menu.item ?? ""}>
          {words[label]}
        </MenuItem>
      ))}
    </MenuSection>
  );
}
