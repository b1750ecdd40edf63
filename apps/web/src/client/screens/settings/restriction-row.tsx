import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { DocumentSymbol } from "../../parts/document-symbol.tsx";
import { Icon } from "../../parts/icon.tsx";
import { levelQuery } from "../../tree/level-queries.ts";
import type { GapRow, ItemRow } from "../../tree/rows.ts";
import { spaceAbove } from "../../tree/space-above.ts";
import { useRest } from "../../tree/use-rest.ts";
import { type Level, levels, type Restrictions, withCollection, withDocument } from "./key-restrictions.ts";
import styles from "./restriction-tree.module.css";

/** A deeper row is indented no further, so that its title keeps a width. */
const deepestIndent = 6;

type RestrictionRowProps = {
  readonly row: ItemRow;
  /** The distance from the row before, or from the top of the tree, in pixels. */
  readonly space: number;
  /** Whether Tab reaches this row. */
  readonly isReachable: boolean;
  readonly value: Restrictions;
  readonly onChange: (value: Restrictions) => void;
  readonly onToggle: () => void;
};

/** A collection or a document, and what the key may do there. */
export function RestrictionRow(props: RestrictionRowProps): ReactElement {
  const { row, space, isReachable, value, onChange, onToggle } = props;
  const { messages } = useWords();
  const { node, isOpen, level, position, setSize } = row;
  const title = row.title || messages.untitled;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be windowed, nor have levels.
    <div
      role="row"
      className={styles.row}
      style={spaceAbove(space)}
      tabIndex={isReachable ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      data-key={row.key}
      data-indent={Math.min(level, deepestIndent)}
      {...(isOpen !== undefined && { "aria-expanded": isOpen })}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="gridcell" tabIndex={-1} className={styles.name}>
        <span
          className={styles.arrow}
          aria-hidden="true"
          {...(isOpen !== undefined && { onClick: onToggle, "data-open": isOpen })}
        >
          {isOpen !== undefined && <Icon name="chevron" />}
        </span>
        <DocumentSymbol emoji={row.emoji} icon={node === undefined ? "collection" : "page"} />
        <span dir="auto">{title}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="gridcell" tabIndex={-1} className={styles.level}>
        <LevelChoice row={row} title={title} tabIndex={isReachable ? 0 : -1} value={value} onChange={onChange} />
      </div>
    </div>
  );
}

type LevelChoiceProps = Pick<RestrictionRowProps, "row" | "value" | "onChange"> & {
  readonly title: string;
  readonly tabIndex: number;
};

function LevelChoice({ row, title, tabIndex, value, onChange }: LevelChoiceProps): ReactElement {
  const { keys } = settingsWords;
  const { node, collection } = row;
  const ofCollection: Level = value.collections[collection.id] ?? "none";
  const own = node === undefined ? ofCollection : value.documents[node.id];
  const choose = (wanted: string): void => {
    const level = levels.find((each) => each === wanted);
    if (node === undefined) onChange(withCollection(value, collection.id, level ?? "none"));
    else onChange(withDocument(value, node.id, level));
  };
  return (
    <select
      aria-label={keys.levelOf(title)}
      tabIndex={tabIndex}
      value={own ?? ""}
      data-level={own ?? "inherited"}
      onChange={(event) => choose(event.target.value)}
    >
      {node !== undefined && <option value="">{keys.inherit(keys.levels[ofCollection])}</option>}
      {levels.map((level) => (
        <option key={level} value={level}>
          {keys.levels[level]}
        </option>
      ))}
    </select>
  );
}

/** Stands for documents that are not loaded yet, and loads them once it is on the screen. */
export function RestrictionGap({ row, space }: { readonly row: GapRow; readonly space: number }): ReactElement {
  const { keys } = settingsWords;
  const isFirst = row.missing === "level";
  const level = useQuery({ ...levelQuery(row.place), enabled: isFirst });
  const rest = useRest(row.place, level.data?.data.length ?? 0, row.missing === "rest" || row.missing === "between");
  const failed = isFirst ? level.isError : rest.isFailed;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be windowed, nor have levels.
    <div
      role="row"
      aria-level={row.level}
      className={styles.row}
      style={spaceAbove(space)}
      data-indent={Math.min(row.level, deepestIndent)}
      tabIndex={-1}
      aria-busy={!failed}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="gridcell" tabIndex={-1} className={styles.name}>
        {failed ? (
          <button type="button" className="button" onClick={isFirst ? () => void level.refetch() : rest.load}>
            {keys.failedRow}
          </button>
        ) : (
          <span className="quiet">{keys.loadingRow}</span>
        )}
      </div>
    </div>
  );
}
