import { type ReactElement, type ReactNode, useContext } from "react";
import { entryKeys } from "./entry-keys.ts";
import menu from "./menu.module.css";
import styles from "./picker.module.css";
import { entryId, PickerContext } from "./picker-context.ts";

type PickerItemProps = {
  readonly id: string;
  readonly name: string;
  /** An icon or an emoji. */
  readonly symbol: ReactNode;
  readonly detail?: ReactNode;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
};

/** An entry of a `Picker`: a symbol, a name, and where it is. The focus stays in the field, and the list hears of presses. */
export function PickerItem({ id: key, name, symbol, detail, keys }: PickerItemProps): ReactElement {
  const { listId, marked, isMarkedByKeys } = useContext(PickerContext);
  const id = entryId(listId, key);
  const isMarked = marked === key;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and points here by `aria-activedescendant`.
    <div
      role="menuitem"
      id={id}
      className={menu.item}
      aria-labelledby={`${id}-name`}
      aria-describedby={keys === undefined ? undefined : `${id}-keys`}
      data-key={key}
      data-focused={isMarked || undefined}
      data-focus-visible={(isMarked && isMarkedByKeys) || undefined}
    >
      <span aria-hidden="true" className={styles.symbol}>
        {symbol}
      </span>
      <span id={`${id}-name`} className={styles.name} dir="auto">
        {name}
        {detail !== undefined && <span className="row-detail">{detail}</span>}
      </span>
      {keys !== undefined && <kbd id={`${id}-keys`} {...entryKeys(keys)} />}
    </div>
  );
}
