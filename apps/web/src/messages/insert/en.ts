import { isolated } from "../isolated.ts";

/** The words of what can be inserted in English: the name of each thing, and further words by which it is found. */
export const en = {
  listLabel: "Insert",
  people: "People",
  emoji: "Emoji",
  detailsSummary: "Details",
  items: {
    paragraph: { label: "Text", words: "paragraph plain normal p" },
    heading1: { label: "Heading 1", words: "title h1 # large section" },
    heading2: { label: "Heading 2", words: "subtitle h2 ## medium section" },
    heading3: { label: "Heading 3", words: "subtitle h3 ### small section" },
    bullets: { label: "Bullet list", words: "unordered ul points items" },
    numbers: { label: "Numbered list", words: "ordered ol steps items" },
    tasks: { label: "Task list", words: "todo to-do checklist checkbox check" },
    quote: { label: "Quote", words: "blockquote citation cite" },
    table: { label: "Table", words: "grid rows columns cells" },
    code: { label: "Code block", words: "pre snippet program source" },
    rule: { label: "Divider", words: "hr horizontal rule line separator" },
    note: { label: "Note", words: "callout box info admonition" },
    tip: { label: "Tip", words: "callout box hint advice admonition" },
    important: { label: "Important", words: "callout box admonition" },
    warning: { label: "Warning", words: "callout box alert admonition" },
    caution: { label: "Caution", words: "callout box danger alert admonition" },
    details: { label: "Details", words: "toggle fold collapse expand spoiler accordion" },
    formula: { label: "Formula", words: "math equation latex tex" },
    footnote: { label: "Footnote", words: "note reference annotation" },
    link: { label: "Link to a document", words: "url address page internal" },
    person: { label: "Person", words: "mention people user member name at @" },
    emoji: { label: "Emoji", words: "smiley symbol icon face" },
    image: { label: "Picture", words: "image photo screenshot upload" },
    file: { label: "File", words: "attachment upload pdf document" },
    date: { label: "Today’s date", words: "date day now calendar" },
  },
  uploads: {
    noStore: "Files cannot be uploaded here: this service has no store for them.",
    tooLarge: (name: string, most: string) => `${isolated(name)} was not sent: a file may have at most ${most}.`,
    empty: (name: string) => `${isolated(name)} was not sent: it is empty.`,
    wrongType: (name: string) =>
      `${isolated(name)} was not sent: by its name it is a picture, but its content is none.`,
    uploading: (name: string) => `Uploading ${isolated(name)}…`,
    failed: (name: string, reason: string) => `${isolated(name)} was not uploaded. ${reason}`,
    uploaded: (name: string) => `${isolated(name)} is in the text.`,
    described: (name: string) => `${isolated(name)} is in the text. Describe it for those who cannot see it.`,
    describe: "Describe",
  },
  picture: {
    alt: "Description of the picture",
    address: "Address of the picture",
    apply: "Apply",
    refused: "A picture cannot have this address. Write one that begins with https://.",
    copy: {
      button: "Save a copy here",
      copying: "Copying the picture…",
      done: "The picture is a file of this document now.",
      changed: "The picture was changed meanwhile, so the copy did not take its place.",
      notPublic: "The picture was not copied: its address is not on the public Internet.",
      tooSlow: "The picture was not copied: the other site did not answer in time. Try again later.",
      notGiven: "The picture was not copied: the other site does not give it to this service.",
      tooLarge: "The picture was not copied: it is too large.",
      noPicture: "The picture was not copied: its address leads to something other than a picture.",
    },
  },
  pasted: {
    asMarkdown: "The text was pasted as Markdown.",
    asText: "Paste as text instead",
    changedSince: "You have changed the text since. To paste it as text, hold Shift.",
    tooLarge: "This is too much for one paste: paste it in parts. A table has at most 500 rows and 50 columns.",
  },
};

/** The words of what can be inserted. */
export type InsertWords = typeof en;
