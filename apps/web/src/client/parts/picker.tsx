import { type KeyboardEvent, type ReactElement, type ReactNode, useRef, useState } from "react";
import { Autocomplete, Input, Menu, SearchField } from "react-aria-components";
import styles from "./picker.module.css";
import { PickerCount } from "./picker-count.tsx";
import { PickerContext, type PickerQuestion, PickerWithoutEntries } from "./picker-entries.ts";

type PickerProps = {
  /** The name of the field, which is shown in it while it is empty. */
  readonly label: string;
  readonly listLabel: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** Takes an entry; with Ctrl or ⌘ and Enter, in a new tab. */
  readonly onPick: (key: string, inNewTab: boolean) => void;
  /** Called with the entry that Enter would take, whenever it is another one. */
  readonly onPoint?: ((key: string) => void) | undefined;
  readonly maxLength?: number;
  /** Stands in the list while it has no entry. */
  readonly empty: string;
  /** Whether the entries answer what is typed, and not something earlier. Enter waits until they do. */
  readonly isAnswered?: boolean;
  /** The entries, as `MenuItem`s. */
  readonly children: ReactNode;
};

/** The keys that go through the list. The other arrows move the cursor in the field and choose nothing. */
const movingKeys = new Set(["ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);

/** A field above a list: the arrows go through the list while the focus stays in the field, Enter takes an entry. */
export function Picker(props: PickerProps): ReactElement {
  const { label, listLabel, typed, onType, onPick, onPoint, maxLength = 200, empty } = props;
  const { isAnswered = true, children } = props;
  const [isEntered, setEntered] = useState(false);
  const hasChosen = useRef(false);
  const inNewTab = useRef(false);
  const area = useRef<HTMLDivElement>(null);
  const type = (text: string): void => {
    hasChosen.current = false;
    setEntered(false);
    onType(text);
  };
  const take = (key: string): void => {
    hasChosen.current = false;
    setEntered(false);
    onPick(key, inNewTab.current);
  };
  const question: PickerQuestion = {
    typed,
    isAnswered,
    isEntered,
    hasChosen,
    area,
    take,
    point: onPoint,
    giveUp: () => setEntered(false),
  };
  const choose = (): void => {
    hasChosen.current = true;
    setEntered(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (movingKeys.has(event.key)) choose();
    else if (event.key === "Enter" && (hasChosen.current || typed.trim() !== "")) {
      event.preventDefault();
      event.stopPropagation();
      inNewTab.current = event.ctrlKey || event.metaKey;
      setEntered(true);
    }
  };
  return (
    // The area that scrolls holds the field, so that the keyboard reaches it.
    <div className={styles.area} ref={area} onKeyDownCapture={press}>
      <PickerContext value={question}>
        <Autocomplete inputValue={typed} onInputChange={type}>
          <SearchField aria-label={label} autoFocus className={styles.field ?? ""}>
            <Input placeholder={label} maxLength={maxLength} />
          </SearchField>
          <Menu
            className={styles.list ?? ""}
            aria-label={listLabel}
            shouldCloseOnSelect={false}
            onAction={(key) => {
              inNewTab.current = false;
              take(String(key));
            }}
            onPointerMove={choose}
            onPointerDown={choose}
            renderEmptyState={() => (
              <>
                <PickerWithoutEntries question={question} />
                <p className={styles.empty ?? ""}>{empty}</p>
              </>
            )}
          >
            {children}
          </Menu>
        </Autocomplete>
        <PickerCount question={question} />
      </PickerContext>
    </div>
  );
}
