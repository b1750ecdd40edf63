import { createContext, type RefObject, useContext, useEffect, useLayoutEffect } from "react";
import { MenuStateContext } from "react-aria-components";

/** What the field of a `Picker` asks of its entries. */
export type PickerQuestion = {
  readonly typed: string;
  /** Whether the entries answer what is typed, and not something earlier. */
  readonly isAnswered: boolean;
  /** Whether Enter was pressed and waits for its entry. */
  readonly isEntered: boolean;
  /** Whether the person went to an entry since the last change of the field. */
  readonly hasChosen: RefObject<boolean>;
  /** The element that holds the field. */
  readonly area: RefObject<HTMLElement | null>;
  readonly take: (key: string) => void;
  /** Called with the entry that Enter would take, whenever it is another one. */
  readonly point: ((key: string) => void) | undefined;
  /** Forgets Enter: there is no entry to take. */
  readonly giveUp: () => void;
};

/** The question of the `Picker` around an entry. */
export const PickerContext = createContext<PickerQuestion | null>(null);

type PickerEntryProps = {
  readonly id: string;
  /** Of the same moment as the entry: the context may be newer than the list that is shown. */
  readonly question: PickerQuestion | null;
};

/**
 * Gives the first entry the focus with every answer, unless the person has chosen another one; and takes an entry when Enter
 * was pressed, also before the answer came. React Aria does so only once for each letter: an answer that comes later, or
 * replaces an earlier one, would leave the field without an entry or with the wrong one.
 */
export function PickerEntry({ id, question }: PickerEntryProps): null {
  const state = useContext(MenuStateContext);
  const isFirst = state !== null && id === firstEntry(state.collection);
  const focusedKey = state?.selectionManager.focusedKey ?? null;
  const isChosen = question?.hasChosen.current === true && focusedKey !== null && state?.collection.getItem(focusedKey);
  const isTyped = question !== null && question.typed.trim() !== "";
  useLayoutEffect(() => {
    if (question === null || state === null || !isFirst || isChosen || !isTyped) return;
    // A list that changes on its own must not take the focus from another control.
    if (!question.area.current?.contains(document.activeElement)) return;
    const manager = state.selectionManager;
    if (!manager.isFocused) manager.setFocused(true);
    if (manager.focusedKey !== id) manager.setFocusedKey(id);
  });
  const isPointedAt = focusedKey === id;
  const point = question?.point;
  useEffect(() => {
    if (isPointedAt) point?.(id);
  }, [isPointedAt, id, point]);
  const isTaken =
    question?.isEntered === true && (isChosen ? focusedKey === id : isFirst && isTyped && question.isAnswered);
  useEffect(() => {
    if (isTaken) question?.take(id);
  }, [isTaken, id, question]);
  return null;
}

/** Stands in a list without entries: Enter finds none, unless the answer is still to come. */
export function PickerWithoutEntries({ question }: { readonly question: PickerQuestion }): null {
  const isInVain = question.isEntered && question.isAnswered;
  useEffect(() => {
    if (isInVain) question.giveUp();
  }, [isInVain, question]);
  return null;
}

type Entries = {
  readonly getFirstKey: () => number | string | null;
  readonly getKeyAfter: (key: number | string) => number | string | null;
  readonly getItem: (key: number | string) => { readonly type: string } | null;
};

/** Returns the first entry of a list, which stands in a section or not. `getKeys` has the order in which they came. */
function firstEntry(entries: Entries): number | string | null {
  let key = entries.getFirstKey();
  while (key !== null && entries.getItem(key)?.type !== "item") key = entries.getKeyAfter(key);
  return key;
}
