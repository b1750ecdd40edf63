import type { Messages } from "../../messages/index.ts";

/** Where keys work: everywhere, on the page of a document, while a document is written, or in its text, which takes keys first. */
export const shortcutAreas = ["anywhere", "reading", "writing", "text"] as const;
type ShortcutArea = (typeof shortcutAreas)[number];

/** The words that are a text by themselves. */
type Phrase = { [Key in keyof Messages]: Messages[Key] extends string ? Key : never }[keyof Messages];

/** What keys do, as lists and menus show it. */
export type Shortcut = {
  readonly area: ShortcutArea;
  readonly label: Phrase;
  /**
   * Each of these does it. `Mod` is Ctrl, or ⌘ on Apple's systems; strokes with a space between them follow each other.
   */
  readonly keys: readonly string[];
  /** The keys on Apple's systems, where those of other systems have a meaning of their own. */
  readonly appleKeys?: readonly string[];
};

/** The one table of keys: what listens to keys, the lists of keys, and the menus take them from here. */
export const shortcuts = {
  quickOpen: { area: "anywhere", label: "quickOpen", keys: ["Mod+K"] },
  search: { area: "anywhere", label: "search", keys: ["/"] },
  create: { area: "anywhere", label: "newDocument", keys: ["N"] },
  home: { area: "anywhere", label: "goToHome", keys: ["G H"] },
  drafts: { area: "anywhere", label: "goToDrafts", keys: ["G D"] },
  trash: { area: "anywhere", label: "goToTrash", keys: ["G T"] },
  settings: { area: "anywhere", label: "goToSettings", keys: ["G S"] },
  sidebar: { area: "anywhere", label: "toggleNavigation", keys: ["["] },
  nextRegion: { area: "anywhere", label: "nextRegion", keys: ["F6"] },
  previousRegion: { area: "anywhere", label: "previousRegion", keys: ["Shift+F6"] },
  help: { area: "anywhere", label: "shortcuts", keys: ["?"] },
  // The browser, the layers and the tree listen to these themselves.
  close: { area: "anywhere", label: "closeLayer", keys: ["Escape"] },
  tree: { area: "anywhere", label: "openTreeRow", keys: ["ArrowLeft", "ArrowRight"] },
  edit: { area: "reading", label: "editAction", keys: ["E", "Mod+Enter"] },
  history: { area: "reading", label: "history", keys: ["H"] },
  move: { area: "reading", label: "moveAction", keys: ["M"] },
  star: { area: "reading", label: "toggleStar", keys: ["S"] },
  outline: { area: "reading", label: "onThisPage", keys: ["O"] },
  print: { area: "reading", label: "print", keys: ["P"] },
  find: { area: "reading", label: "findInPage", keys: ["Mod+F"] },
  save: { area: "writing", label: "saveNow", keys: ["Mod+S"] },
  done: { area: "writing", label: "done", keys: ["Mod+Enter"] },
  // The editor listens to these itself.
  insert: { area: "text", label: "insertList", keys: ["/"] },
  findInText: { area: "text", label: "findTitle", keys: ["Mod+F"] },
  link: { area: "text", label: "toolLink", keys: ["Mod+K"] },
  blockUp: { area: "text", label: "moveBlockUp", keys: ["Alt+ArrowUp"] },
  blockDown: { area: "text", label: "moveBlockDown", keys: ["Alt+ArrowDown"] },
  selectMore: { area: "text", label: "selectMore", keys: ["Mod+A"] },
  tableMenu: { area: "text", label: "tableMenu", keys: ["Shift+F10"] },
  // Apple's systems select words and paragraphs with ⌥⇧ and an arrow.
  tableRow: {
    area: "text",
    label: "moveTableRow",
    keys: ["Alt+Shift+ArrowUp", "Alt+Shift+ArrowDown"],
    appleKeys: ["Control+Meta+ArrowUp", "Control+Meta+ArrowDown"],
  },
  tableColumn: {
    area: "text",
    label: "moveTableColumn",
    keys: ["Alt+Shift+ArrowLeft", "Alt+Shift+ArrowRight"],
    appleKeys: ["Control+Meta+ArrowLeft", "Control+Meta+ArrowRight"],
  },
  indentCode: { area: "text", label: "indentCode", keys: ["Mod+]"] },
  outdentCode: { area: "text", label: "outdentCode", keys: ["Mod+["] },
  toolbar: { area: "text", label: "toToolbar", keys: ["Alt+F10"] },
  source: { area: "text", label: "markdownSource", keys: ["Mod+Alt+M"] },
  leaveText: { area: "text", label: "leaveText", keys: ["Escape Tab"] },
} as const satisfies Record<string, Shortcut>;

/** The name of a shortcut. */
export type ShortcutName = keyof typeof shortcuts;

/** Returns the shortcuts of an area in their order. */
export const shortcutsOf = (area: ShortcutArea): Shortcut[] =>
  Object.values<Shortcut>(shortcuts).filter((shortcut) => shortcut.area === area);

/** The system of the reader, by which keys have their names. */
export type KeySystem = "apple" | "other";

const arrows = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

const keyNames: Readonly<Record<KeySystem, Readonly<Record<string, string>>>> = {
  apple: { Mod: "⌘", Meta: "⌘", Control: "⌃", Shift: "⇧", Alt: "⌥", Escape: "Esc", Enter: "↩", ...arrows },
  other: { Mod: "Ctrl", Escape: "Esc", ...arrows },
};

/** Returns the keys of a shortcut as they are shown: for each way to press it, its strokes one after the other. */
export function shownKeys(shortcut: Pick<Shortcut, "keys" | "appleKeys">, system: KeySystem): string[][] {
  const shown = (stroke: string): string =>
    stroke
      .split("+")
      .map((key) => keyNames[system][key] ?? key)
      .join(system === "apple" ? "" : " ");
  return keysOn(shortcut, system).map((way) => way.split(" ").map(shown));
}

/** Returns the keys of a shortcut on a system. */
export const keysOn = (
  { keys, appleKeys }: Pick<Shortcut, "keys" | "appleKeys">,
  system: KeySystem,
): readonly string[] => (system === "apple" ? (appleKeys ?? keys) : keys);

/** Returns the keys of a shortcut in the form of `aria-keyshortcuts`. */
export function ariaKeys(name: ShortcutName): string {
  return shortcuts[name].keys
    .flatMap((way) => (way.startsWith("Mod+") ? [way.replace("Mod", "Control"), way.replace("Mod", "Meta")] : [way]))
    .join(" ");
}
