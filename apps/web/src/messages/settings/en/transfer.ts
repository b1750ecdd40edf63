import { plural } from "../../plural.ts";

const count = plural("en");

/** Words of import and export. */
export const transfer = {
  title: "Import and export",
  exportTitle: "Export",
  exportHelp:
    "Each collection becomes a ZIP archive with the documents that you can see, their files, and links that work in it. Keep this page open until it is done.",
  nothingToExport: "There is no collection to export.",
  format: "Format",
  markdown: "Markdown",
  markdownHelp: "Can be imported again, here or elsewhere.",
  html: "HTML",
  htmlHelp: "Pages to read in a browser, without a network.",
  export: "Export",
  stop: "Stop",
  waiting: "Waiting",
  received: (size: string) => `${size} received`,
  progressOf: (name: string) => `Export of ${name}`,
  saved: "Saved in your downloads. Select it to save it again.",
  exportEnded: (done: number, all: number) =>
    `${done} of ${count(all, { one: "# collection", other: "# collections" })} exported.`,
  exportStopped: (done: number, all: number) =>
    `Stopped: ${done} of ${count(all, { one: "# collection", other: "# collections" })} exported, and kept.`,
};
