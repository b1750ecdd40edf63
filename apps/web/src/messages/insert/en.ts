/** The words of what can be inserted in English: the name of each thing, and further words by which it is found. */
export const en = {
  listLabel: "Insert",
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
    date: { label: "Today’s date", words: "date day now calendar" },
  },
};

/** The words of what can be inserted. */
export type InsertWords = typeof en;
