import { type ReactElement, useId } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import type { Restrictions } from "./key-restrictions.ts";
import { RestrictionGap, RestrictionRow } from "./restriction-row.tsx";
import styles from "./restriction-tree.module.css";
import { useRestrictionGrid } from "./use-restriction-grid.ts";

type RestrictionTreeProps = {
  readonly value: Restrictions;
  readonly onChange: (value: Restrictions) => void;
};

/** The access of a key by collection and document (APG, treegrid). Only the rows on the screen are in the page. */
export function RestrictionTree({ value, onChange }: RestrictionTreeProps): ReactElement {
  const { keys } = settingsWords;
  const help = useId();
  const { grid, rows, view, reachableKey, toggle, press, setFocusedKey } = useRestrictionGrid();
  return (
    <div className={styles.area} data-scroll-area>
      <div
        ref={grid}
        role="treegrid"
        aria-label={keys.tree}
        aria-describedby={help}
        className={styles.tree}
        style={{ blockSize: view.height }}
        onKeyDown={press}
        onFocus={({ target }) => setFocusedKey(target.closest<HTMLElement>("[data-key]")?.dataset.key)}
      >
        {view.items.map(({ index, space }) => {
          const row = rows[index];
          if (row === undefined) return null;
          if (row.kind === "gap") return <RestrictionGap key={row.key} row={row} space={space} />;
          return (
            <RestrictionRow
              key={row.key}
              row={row}
              space={space}
              isReachable={row.key === reachableKey}
              value={value}
              onChange={onChange}
              onToggle={() => toggle(row.key, row.isOpen !== true)}
            />
          );
        })}
      </div>
      <p id={help} hidden>
        {keys.treeHelp}
      </p>
    </div>
  );
}
