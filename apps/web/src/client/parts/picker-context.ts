import { createContext } from "react";

/** What the entries of a `Picker` know of it. */
export type PickerState = {
  /** The id of the list, with which those of its entries begin. */
  readonly listId: string;
  /** The key of the entry that is marked: the one that Enter takes, or the one under the pointer. */
  readonly marked: string | undefined;
  /** Whether the mark follows the keyboard, not the pointer. */
  readonly isMarkedByKeys: boolean;
};

/** The `Picker` around an entry. */
export const PickerContext = createContext<PickerState>({ listId: "", marked: undefined, isMarkedByKeys: false });

/** Returns the id of an entry's element. A key may have spaces, which no reference to an id allows. */
export const entryId = (listId: string, key: string): string => `${listId}-${encodeURIComponent(key)}`;
