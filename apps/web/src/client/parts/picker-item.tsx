import { type ReactElement, type ReactNode, useContext } from "react";
import { MenuItem, Text } from "react-aria-components";
import menu from "./menu.module.css";
import { MenuKeys } from "./menu-keys.tsx";
import styles from "./picker.module.css";
import { PickerContext, PickerEntry } from "./picker-entries.ts";

type PickerItemProps = {
  readonly id: string;
  readonly name: string;
  /** An icon or an emoji. */
  readonly symbol: ReactNode;
  readonly detail?: ReactNode;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
};

/** An entry of a `Picker`: a symbol, a name, and where it is. */
export function PickerItem({ id, name, symbol, detail, keys }: PickerItemProps): ReactElement {
  const question = useContext(PickerContext);
  return (
    <MenuItem id={id} textValue={name} className={menu.item ?? ""}>
      <PickerEntry id={id} question={question} />
      <span aria-hidden="true" className={styles.symbol}>
        {symbol}
      </span>
      <Text slot="label" className={styles.name ?? ""} dir="auto">
        {name}
        {detail !== undefined && <span className="row-detail">{detail}</span>}
      </Text>
      {keys !== undefined && <MenuKeys keys={keys} />}
    </MenuItem>
  );
}
