import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

type MarkedEntryOptions = {
  /** The element that holds the field and the list. */
  readonly area: RefObject<HTMLElement | null>;
  readonly typed: string;
  /** Whether the entries answer what is typed, and not something earlier. */
  readonly isAnswered: boolean;
  /** Takes an entry; with Ctrl or ⌘ and Enter, in a new tab. */
  readonly onPick: (key: string, inNewTab: boolean) => void;
  /** Called with the entry that Enter would take, whenever it is another one. */
  readonly onPoint: ((key: string) => void) | undefined;
};

type Mark = { readonly key: string; readonly byKeys: boolean };

/** The entry of a list that is marked, and the handlers of the field and the list that move the mark. */
export type MarkedEntry = {
  readonly mark: Mark | undefined;
  /** Forgets what the person chose, because something else is typed. */
  readonly reset: () => void;
  /** Handles the keys that go through the list and take an entry; returns whether the mark moved. */
  readonly press: (event: KeyboardEvent) => boolean;
  readonly list: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onClick: (event: { readonly target: EventTarget }) => void;
  };
};

/**
 * Marks the first entry with every answer, unless the person has chosen another one; and takes an entry when Enter was pressed,
 * also before the answer came.
 */
export function useMarkedEntry({ area, typed, isAnswered, onPick, onPoint }: MarkedEntryOptions): MarkedEntry {
  const [mark, setMark] = useState<Mark>();
  // Whether Enter was pressed and waits for its entry.
  const [isEntered, setEntered] = useState(false);
  // Whether the person went to an entry since the last change of the field.
  const hasChosen = useRef(false);
  const inNewTab = useRef(false);
  // The place of the entry that was taken last, while nothing is typed: once it is gone from the list, the arrows go on from there.
  const takenAt = useRef(-1);
  const isTyped = typed.trim() !== "";
  const reset = (): void => {
    hasChosen.current = false;
    takenAt.current = -1;
    setEntered(false);
  };
  const take = (key: string, isForNewTab: boolean): void => {
    reset();
    if (!isTyped) takenAt.current = keysIn(area.current).indexOf(key);
    onPick(key, isForNewTab);
  };
  const choose = (key: string, byKeys: boolean): void => {
    hasChosen.current = true;
    takenAt.current = -1;
    setEntered(false);
    if (key !== mark?.key || byKeys !== mark.byKeys) setMark({ key, byKeys });
  };
  const find = (): Found => findEntries(keysIn(area.current), hasChosen.current ? mark?.key : undefined);
  useLayoutEffect(() => {
    const { chosen, first } = find();
    hasChosen.current = chosen !== undefined;
    const key = chosen ?? (isTyped ? first : undefined);
    // A list that changes on its own must not draw attention away from another control.
    if (key === mark?.key || !area.current?.contains(document.activeElement)) return;
    setMark(key === undefined ? undefined : { key, byKeys: true });
  });
  useEffect(() => {
    if (!isEntered) return;
    const { chosen, first } = find();
    const taken = chosen ?? (isTyped && isAnswered ? first : undefined);
    if (taken !== undefined) take(taken, inNewTab.current);
    else if (isAnswered && first === undefined) setEntered(false);
  });
  useReport(mark?.key, onPoint);
  const press = (event: KeyboardEvent): boolean => {
    const next = nextKey(event, keysIn(area.current), { marked: mark?.key, takenAt: takenAt.current });
    if (next !== undefined) {
      event.preventDefault();
      choose(next, true);
    } else if (event.key === "Enter" && (hasChosen.current || isTyped || event.repeat)) {
      event.preventDefault();
      event.stopPropagation();
      // One that is held down takes one entry, and does not send the form around the list after that.
      if (event.repeat) return false;
      inNewTab.current = event.ctrlKey || event.metaKey;
      setEntered(true);
    }
    return next !== undefined;
  };
  return { mark, reset, press, list: listHandlers(choose, take) };
}

/** Calls `onPoint` with the marked entry when it changes. */
function useReport(key: string | undefined, onPoint: MarkedEntryOptions["onPoint"]): void {
  useEffect(() => {
    if (key !== undefined) onPoint?.(key);
  }, [key, onPoint]);
}

type Found = { readonly chosen: string | undefined; readonly first: string | undefined };

/** Returns the entry that the person chose, if it is still there, and the first one. */
function findEntries(keys: readonly string[], chosen: string | undefined): Found {
  return { chosen: chosen !== undefined && keys.includes(chosen) ? chosen : undefined, first: keys[0] };
}

/** Returns the handlers of the list: the pointer moves the mark to an entry, and takes the one that it presses. */
function listHandlers(
  choose: (key: string, byKeys: boolean) => void,
  take: (key: string, isForNewTab: boolean) => void,
): MarkedEntry["list"] {
  const onPointer = ({ target, pointerType }: PointerEvent): void => {
    const key = keyAt(target);
    // A finger that scrolls the list chooses nothing, and neither does a pointer between the entries.
    if (pointerType !== "touch" && key !== undefined) choose(key, false);
  };
  const onClick = ({ target }: { readonly target: EventTarget }): void => {
    const key = keyAt(target);
    if (key !== undefined) take(key, false);
  };
  return { onPointerMove: onPointer, onPointerDown: onPointer, onClick };
}

/** Returns the keys of the entries from the top: only the list in the page knows their order. */
const keysIn = (area: HTMLElement | null): string[] =>
  [...(area?.querySelectorAll<HTMLElement>("[data-key]") ?? [])].map(({ dataset }) => dataset.key ?? "");

/** Returns the key of the entry that an element is in. */
const keyAt = (element: EventTarget): string | undefined =>
  element instanceof Element ? element.closest<HTMLElement>("[data-key]")?.dataset.key : undefined;

type Place = { readonly marked: string | undefined; readonly takenAt: number };

/** Returns the key of the entry that a key of the keyboard leads to; undefined for one that does not go through the list. */
function nextKey(
  { key, shiftKey }: KeyboardEvent,
  keys: readonly string[],
  { marked, takenAt }: Place,
): string | undefined {
  const at = marked === undefined ? -1 : keys.indexOf(marked);
  // The next entry has moved up to the place of the one that is gone.
  const isGap = at < 0 && takenAt >= 0;
  if (key === "ArrowDown") return keys[(isGap ? takenAt : at + 1) % keys.length];
  if (key === "ArrowUp") return keys.at((isGap ? Math.min(takenAt, keys.length) : Math.max(at, 0)) - 1);
  // With Shift they select what is typed, where no entry is marked.
  if (at < 0 && shiftKey) return undefined;
  if (key === "Home" || key === "PageUp") return keys[0];
  return key === "End" || key === "PageDown" ? keys.at(-1) : undefined;
}
