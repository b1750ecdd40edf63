import { plural } from "../../plural.ts";

const count = plural("en");
const files = (number: number): string => count(number, { one: "# file", other: "# files" });

/** A sentence of the service as a code with its values, of this release or another. */
export type GivenExplanation = {
  readonly code: string;
  readonly values: Readonly<Record<string, string | number>>;
};

/** A further language words more of the codes. */
const refusals: Readonly<Record<string, string>> = {
  unsupported_media_type: "This is neither a ZIP archive nor a text: its content is something else.",
};

/** Words of the import. */
export const imports = {
  title: "Import",
  help: "A folder or a ZIP archive of Markdown files or of an export of Obsidian, Notion, Outline, Confluence or this service, or one Markdown file. Links between the files become links between documents, pictures become attachments. Once the file is sent you may close the page.",
  file: "File",
  fileHelp: "A ZIP archive or a Markdown file. You can also drop it here, or a folder.",
  folder: {
    choose: "Choose a folder",
    packing: "Packing the folder",
    empty: "There is no file in this folder that could be imported.",
    tooLarge: "This folder has too many files, or is too large. Divide it into smaller ones.",
    unreadable: "The folder could not be read. Choose it again.",
  },
  target: "Import into",
  newCollection: "A new collection",
  existingCollection: "An existing collection",
  newName: "Name of the new collection",
  collection: "Collection",
  dryRun: "Check first",
  dryRunHelp: "Writes nothing: shows what would be imported, and what is not understood. You import it afterwards.",
  publish: "Publish the documents",
  publishHelp: "Otherwise they stay drafts.",
  update: "Update documents that exist already",
  updateHelp: "Those with the same title in the same place. Otherwise they stay as they are.",
  check: "Check",
  begin: "Import",
  sending: (name: string) => `Sending ${name}`,
  begun: "The file is there. The service goes on by itself.",
  latest: "Your latest imports",
  none: "You have imported nothing in the last 30 days.",
  emptyFile: "This file contains no documents.",
  intoNew: (name: string) => `New collection: ${name}`,
  statuses: {
    waiting: "File not sent",
    queued: "Waiting",
    running: "Importing",
    done: "Imported",
    failed: "Failed",
    stopped: "Stopped",
  },
  checkStatuses: {
    waiting: "File not sent",
    queued: "Waiting",
    running: "Checking",
    done: "Checked",
    failed: "Failed",
    stopped: "Stopped",
  },
  reading: (done: number, all: number) => `${done} of ${files(all)} read`,
  writing: (done: number, all: number) => `${done} of ${files(all)} imported`,
  progressOf: (name: string) => `Progress of ${name}`,
  stop: "Stop",
  stopOf: (name: string) => `Stop the import of ${name}`,
  isSending: "Sending",
  stopped: "The import is stopped.",
  stopping: "The import ends. What it has written stays.",
  importNow: "Import now",
  resume: "Continue",
  continueOf: (label: string, name: string) => `${label}: ${name}`,
  continued: "The import goes on. Documents are not imported twice.",
  result: "Result",
  resultOf: (name: string) => `Result of ${name}`,
  dryResult: "Nothing was written. An import would have these figures.",
  figures: {
    imported: "Imported",
    updated: "Updated",
    unchanged: "Unchanged",
    existing: "Existing, left as they are",
    folders: "Pages for folders",
    linked: "With links to other documents",
    attached: "Files attached",
  },
  others: "Files that no page uses:",
  unusedKeys: "Fields of the front matter that were not used:",
  noProblems: "Everything was understood.",
  kinds: {
    skipped: "Skipped",
    note: "Imported with a remark",
    unresolved_link: "Links without a target",
    unresolved_picture: "Pictures that are missing",
    embedded_page: "Embedded pages, shown as links",
    raw_construct: "Constructs shown as code",
    left_out: "Parts left out",
  },
  /** Why the service refused a file, by the code of its answer; its own sentence for all others. */
  refusals,
  /** The service words its sentences in English itself. */
  explained: (text: string, _explanation: GivenExplanation | null): string => text,
  problems: (kind: string, number: number) => `${kind}: ${number}`,
  times: (number: number) => `(${number} times)`,
  omitted: (number: number) => `${count(number, { one: "# more is", other: "# more are" })} not listed.`,
};
