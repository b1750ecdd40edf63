import type { ReactElement, ReactNode } from "react";
import { Autocomplete, Input, Menu, SearchField } from "react-aria-components";
import styles from "./picker.module.css";

type PickerProps = {
  /** The name of the field, which is shown in it while it is empty. */
  readonly label: string;
  readonly listLabel: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly onPick: (key: string) => void;
  readonly maxLength?: number;
  /** Stands in the list while it has no entry. */
  readonly empty: string;
  /** The entries, as `MenuItem`s. */
  readonly children: ReactNode;
};

/** A field above a list: the arrows go through the list while the focus stays in the field, Enter takes an entry. */
export function Picker(props: PickerProps): ReactElement {
  const { label, listLabel, typed, onType, onPick, maxLength = 200, empty, children } = props;
  return (
    // The area that scrolls holds the field, so that the keyboard reaches it.
    <div className={styles.area}>
      <Autocomplete inputValue={typed} onInputChange={onType}>
        <SearchField aria-label={label} autoFocus className={styles.field ?? ""}>
          <Input placeholder={label} maxLength={maxLength} />
        </SearchField>
        <Menu
          className={styles.list ?? ""}
          aria-label={listLabel}
          shouldCloseOnSelect={false}
          onAction={(key) => onPick(String(key))}
          renderEmptyState={() => <p className={styles.empty ?? ""}>{empty}</p>}
        >
          {children}
        </Menu>
      </Autocomplete>
    </div>
  );
}
