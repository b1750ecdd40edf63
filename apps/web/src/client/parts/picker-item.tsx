import { type ReactElement, type ReactNode, useContext } from "react";
import { MenuItem } from "react-aria-components";
import menu from "./menu.module.css";
import styles from "./picker.module.css";
import { PickerContext, PickerEntry } from "./picker-entries.ts";

type PickerItemProps = {
  readonly id: string;
  readonly name: string;
  /** An icon or an emoji. */
  readonly symbol: ReactNode;
  readonly detail?: ReactNode;
};

/** An entry of a `Picker`: a symbol, a name, and where it is. */
export function PickerItem({ id, name, symbol, detail }: PickerItemProps): ReactElement {
  const question = useContext(PickerContext);
  return (
    <MenuItem id={id} textValue={name} className={menu.item ?? ""}>
      <PickerEntry id={id} question={question} />
      <span aria-hidden="true" className={styles.symbol}>
        {symbol}
      </span>
      <span className={styles.name ?? ""} dir="auto">
        {name}
        {detail !== undefined && <span className="row-detail">{detail}</span>}
      </span>
    </MenuItem>
  );
}
