import type { Locale } from "./index.ts";
import { isolated } from "./isolated.ts";

/** Returns the names of people as a list in a language, each in its own direction. */
export const listOfNames = (people: readonly { readonly name: string }[], locale: Locale): string =>
  new Intl.ListFormat(locale).format(people.map(({ name }) => isolated(name)));
