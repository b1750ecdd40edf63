/** The icons of the app, by the names that components use, each with its name in Lucide. */
export const iconNames = {
  appearance: "sun-moon",
  archive: "archive",
  back: "arrow-left",
  book: "book-open",
  chevron: "chevron-right",
  close: "x",
  collection: "folder",
  draft: "pencil-line",
  emoji: "smile",
  help: "circle-help",
  history: "history",
  home: "house",
  link: "link",
  lock: "lock",
  menu: "menu",
  more: "ellipsis",
  move: "folder-input",
  page: "file-text",
  plus: "plus",
  print: "printer",
  publish: "send",
  rename: "text-cursor-input",
  search: "search",
  sidebar: "panel-left",
  star: "star",
  tag: "tag",
  trash: "trash-2",
  user: "circle-user",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof iconNames;
