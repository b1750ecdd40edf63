import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import styles from "./picker.module.css";
import { entryId, PickerContext } from "./picker-context.ts";
import { PickerCount } from "./picker-count.tsx";
import { type MarkedEntry, useMarkedEntry } from "./use-marked-entry.ts";

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
  /** The entries, as `PickerItem`s and `PickerSection`s. */
  readonly children: ReactNode;
};

/** A screen reader reads a letter that was typed before it hears of the entry, which it would interrupt it for. */
const nameAfterMs = 500;

/**
 * A field above a list: the arrows go through the list while the focus stays in the field, Enter takes an entry. It is made of
 * plain elements: a list of React Aria took most of the time in which quick open opened.
 */
export function Picker(props: PickerProps): ReactElement {
  const { label, listLabel, typed, onType, onPick, onPoint, maxLength = 200, empty, children } = props;
  const { isAnswered = true } = props;
  const area = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [isFocused, setFocused] = useState(true);
  const { isNamed, setNamed } = useNaming(typed);
  const { mark, reset, press, list } = useMarkedEntry({ area, typed, isAnswered, onPick, onPoint });
  const isMarkedByKeys = mark?.byKeys === true;
  const marked = isFocused || !isMarkedByKeys ? mark?.key : undefined;
  const markedId = marked === undefined ? undefined : entryId(listId, marked);
  const state = useMemo(() => ({ listId, marked, isMarkedByKeys }), [listId, marked, isMarkedByKeys]);
  // Before the next key, which would have no field.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (!isMarkedByKeys || markedId === undefined) return;
    document.getElementById(markedId)?.scrollIntoView({ block: "nearest" });
  }, [markedId, isMarkedByKeys]);
  const type = (text: string): void => {
    reset();
    setNamed(false);
    area.current?.scrollTo({ top: 0 });
    onType(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Safari tells of the Enter that ends a composition after it, with the code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (press(event)) setNamed(true);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") setNamed(false);
    else if (event.key === "Escape" && typed !== "") {
      // The first one empties the field, the next one closes the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      type("");
    }
  };
  const fieldProps = { label, typed, maxLength, listId, markedId: isNamed ? markedId : undefined };
  return (
    // The area that scrolls holds the field, so that the keyboard reaches it.
    <div className={styles.area} ref={area}>
      <PickerField {...fieldProps} ref={field} onType={type} onKeyDown={onKeyDown} onFocusChange={setFocused} />
      <PickerContext value={state}>
        <PickerList label={listLabel} empty={empty} field={field} handlers={list}>
          {children}
        </PickerList>
      </PickerContext>
      <PickerCount typed={typed} isAnswered={isAnswered} area={area} />
    </div>
  );
}

type PickerFieldProps = {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly typed: string;
  readonly maxLength: number;
  readonly listId: string;
  /** The id of the entry that a screen reader hears of. */
  readonly markedId: string | undefined;
  readonly onType: (typed: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusChange: (isFocused: boolean) => void;
};

function PickerField(props: PickerFieldProps): ReactElement {
  const { ref, label, typed, maxLength, listId, markedId, onType, onKeyDown, onFocusChange } = props;
  return (
    <div className={styles.field}>
      <input
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        value={typed}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={markedId}
        autoComplete="off"
        autoCorrect="off"
        spellCheck="false"
        enterKeyHint="go"
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => onFocusChange(true)}
        // It stays the active element while the window is left.
        onBlur={({ target }) => onFocusChange(document.activeElement === target)}
      />
    </div>
  );
}

type PickerListProps = {
  readonly label: string;
  readonly empty: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly handlers: MarkedEntry["list"];
  readonly children: ReactNode;
};

function PickerList({ label, empty, field, handlers, children }: PickerListProps): ReactElement {
  const { listId } = useContext(PickerContext);
  return (
    <div
      role="menu"
      id={listId}
      aria-label={label}
      className={styles.list}
      {...handlers}
      onPointerDown={(event) => {
        handlers.onPointerDown(event);
        // On a touch screen, the keyboard would cover the list.
        if (event.pointerType !== "touch") field.current?.focus({ preventScroll: true });
      }}
      // Leaves the focus where it is.
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
      {/* biome-ignore lint/a11y/useFocusableInteractive: it says that there is nothing to take. */}
      <div role="menuitem" className={styles.none}>
        <p className={styles.empty}>{empty}</p>
      </div>
    </div>
  );
}

type Naming = { readonly isNamed: boolean; readonly setNamed: (isNamed: boolean) => void };

/** Returns whether the field refers to the marked entry: not right after a letter or a move of the cursor. */
function useNaming(typed: string): Naming {
  const [isNamed, setNamed] = useState(true);
  // The pause begins anew with each letter.
  useEffect(() => {
    if (isNamed) return undefined;
    const timer = setTimeout(() => setNamed(true), nameAfterMs);
    return () => clearTimeout(timer);
  }, [isNamed, typed]);
  return { isNamed, setNamed };
}
