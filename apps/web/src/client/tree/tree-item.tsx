import { memo, type ReactElement } from "react";
import { useWords } from "../app/words.tsx";
import { DocumentSymbol } from "../parts/document-symbol.tsx";
import { Icon } from "../parts/icon.tsx";
import type { DropZone } from "./drop-place.ts";
import type { ItemRow } from "./rows.ts";
import { spaceAbove } from "./space-above.ts";
import styles from "./tree.module.css";

type TreeItemProps = {
  readonly row: ItemRow;
  /** The distance from the row before, or from the top of the tree, in pixels. */
  readonly space: number;
  /** Whether Tab reaches this row. */
  readonly isReachable: boolean;
  readonly isCurrent: boolean;
  readonly hasButtons: boolean;
  readonly dropZone: DropZone | undefined;
};

/** A deeper row is indented no further, so that its title keeps a width. */
const deepestIndent = 8;

/**
 * A row of the tree: its arrow, its link, and the buttons of those who may change it. Only the rows under the pointer and where the
 * selection rests have them, and a row has no element for what is empty or a style draws: scrolling makes thousands of rows.
 */
export const TreeItem = memo(function TreeItem(props: TreeItemProps): ReactElement {
  const { row, space, isReachable, isCurrent, hasButtons, dropZone } = props;
  const { messages } = useWords();
  const { node, collection, isOpen } = row;
  const title = row.title || messages.untitled;
  const href = node === undefined ? `/collections/${collection.id}` : `/documents/${node.id}`;
  const tabIndex = isReachable ? 0 : -1;
  const hasSign = node !== undefined && row.emoji === null;
  return (
    <div
      role="treeitem"
      className={styles.row}
      style={spaceAbove(space)}
      tabIndex={tabIndex}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-label={node?.state === "draft" ? `${title}, ${messages.draft}` : title}
      data-key={row.key}
      data-indent={Math.min(row.level, deepestIndent)}
      data-drop={dropZone}
      draggable={node?.abilities.edit === true}
      {...(isOpen !== undefined && { "aria-expanded": isOpen })}
      {...(isCurrent && { "aria-current": "page" as const })}
    >
      {isOpen !== undefined && (
        <span className={styles.arrow} data-action="toggle" aria-hidden="true">
          <Icon name="chevron" />
        </span>
      )}
      <a href={href} tabIndex={-1} draggable={false} className={hasSign ? `${styles.link} page-link` : styles.link}>
        {!hasSign && (
          <span className={styles.symbol} aria-hidden="true">
            <DocumentSymbol emoji={row.emoji} icon={node === undefined ? "collection" : "page"} />
          </span>
        )}
        <span dir="auto">{title}</span>
      </a>
      {node?.state === "draft" && <span className={styles.draft} aria-hidden="true" title={messages.draft} />}
      {hasButtons && <RowButtons row={row} title={title} tabIndex={tabIndex} />}
    </div>
  );
});

type RowButtonsProps = { readonly row: ItemRow; readonly title: string; readonly tabIndex: number };

function RowButtons({ row: { node, collection }, title, tabIndex }: RowButtonsProps): ReactElement {
  const { messages } = useWords();
  return (
    <span className={styles.buttons}>
      {node !== undefined && (
        <button
          type="button"
          className="icon-button"
          tabIndex={tabIndex}
          data-action="menu"
          aria-haspopup="menu"
          aria-label={messages.actionsFor(title)}
        >
          <Icon name="more" />
        </button>
      )}
      {collection.abilities.createDocument && (
        <button
          type="button"
          className="icon-button"
          tabIndex={tabIndex}
          data-action="create"
          aria-label={messages.newInsideOf(title)}
        >
          <Icon name="plus" />
        </button>
      )}
    </span>
  );
}
