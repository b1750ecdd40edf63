import menu from "./menu.module.css";

type EntryKeys = { readonly dir: "ltr"; readonly className: string; readonly "data-keys": string };

/**
 * Returns the attributes of the `<kbd>` at the end of an entry that keys lead to as well. The keys are written by its style: they
 * describe the entry and are no part of its name.
 */
export const entryKeys = (keys: string): EntryKeys => ({
  dir: "ltr",
  className: menu.keys ?? "",
  "data-keys": keys,
});
