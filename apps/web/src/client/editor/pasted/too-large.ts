import type { Transaction } from "prosemirror-state";
import { loadInsertWords } from "../../../messages/insert/index.ts";
import { boot } from "../../app/boot.ts";
import { notify } from "../../app/notices.ts";

/** A step has at most this many characters of JSON. The service refuses 2,000,000 at once, with all that waits behind them. */
export const mostCharacters = 1_900_000;

/** Returns whether a paste has a step that the service would refuse, and says so. */
export function isTooLargePaste({ steps }: Transaction): boolean {
  const isTooLarge = steps.some((step) => JSON.stringify(step).length > mostCharacters);
  if (isTooLarge) sayTooLarge();
  return isTooLarge;
}

/** Says that a paste is too large. A page that cannot load the words leaves the text as it is all the same. */
export function sayTooLarge(): void {
  loadInsertWords(boot().locale).then(
    ({ pasted }) => notify({ text: pasted.tooLarge, isFailure: true }),
    () => undefined,
  );
}
