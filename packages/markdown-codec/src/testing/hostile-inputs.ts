/** One way to hurt a Markdown reader: a name, and an input of about `bytes` bytes. */
export interface HostileInput {
  name: string;
  make: (bytes: number) => string;
}

/** Repeats `unit` until the input has about `bytes` bytes. */
function repeated(unit: string): (bytes: number) => string {
  return (bytes) => unit.repeat(Math.max(1, Math.round(bytes / new TextEncoder().encode(unit).length)));
}

/** `open` many times, then `middle`, then `close` as often. */
function nested(open: string, middle: string, close: string): (bytes: number) => string {
  return (bytes) => {
    const depth = Math.max(1, Math.round(bytes / (open.length + close.length)));
    return open.repeat(depth) + middle + close.repeat(depth);
  };
}

/** Counts up: `line(0)`, `line(1)`, … until the input has about `bytes` bytes. */
function numbered(line: (index: number) => string): (bytes: number) => string {
  return (bytes) => {
    const lines: string[] = [];
    for (let size = 0, index = 0; size < bytes; index += 1) {
      const next = line(index);
      lines.push(next);
      size += next.length;
    }
    return lines.join("");
  };
}

/** A prefix or suffix around repeated units. */
function framed(before: string, unit: string, after: string): (bytes: number) => string {
  const body = repeated(unit);
  return (bytes) => before + body(bytes) + after;
}

/** A list or quote that goes one level deeper on every line: quadratic in bytes, so the depth is its square root. */
function staircase(line: (depth: number) => string): (bytes: number) => string {
  return (bytes) => {
    const lines: string[] = [];
    for (let size = 0, depth = 0; size < bytes; depth += 1) {
      const next = line(depth % 60);
      lines.push(next);
      size += next.length;
    }
    return lines.join("");
  };
}

const units: Record<string, string> = {
  "stars and words": "*a ",
  "closing stars": "a* ",
  "double stars": "**a ",
  "mixed stars": "*a **a ",
  underscores: "_a ",
  "underscore closers": "a_ ",
  "star underscore": "*_",
  "star word underscore": "*a_ ",
  "four stars": "**** ",
  "star run": "*",
  "underscore run": "_",
  "alternating emphasis": "a**b",
  "multiple of three": "a***b**c*",
  "single tildes": "~a ",
  "double tildes": "~~a ",
  "tilde run": "~",
  "tilde pairs touching": "~a~~b~~",
  carets: "^a ",
  "caret run": "^",
  "caret and code": "`^",
  equals: "==a ",
  "equals run": "=",
  pluses: "++a ",
  "plus run": "+",
  "every delimiter": "*_~^=+",
  "opening brackets": "[",
  "closing brackets": "]",
  "bracket word": "[a",
  "image openers": "![a",
  "bracket pairs": "[]",
  "bracket parenthesis": "[a](",
  "link openers with angle": "[a](<b",
  "link with title opener": '[a](b "',
  "nested link text": "[a](b [",
  "reference uses without definition": "[a][b] ",
  "footnote openers": "[^",
  "footnote references without definition": "[^a] ",
  "bracket caret nest": "[^a](",
  "backtick run": "`",
  "backtick pairs": "`a``b",
  "angle brackets": "<",
  "angle word": "<a ",
  "autolink openers": "<http:",
  "mail openers": "<a@b",
  "open underline tags": "<u>",
  "close underline tags": "</u>",
  "tag pairs": "<u><mark>",
  "unmatched tags": "<strong></em>",
  "break tags": "<br>",
  ampersands: "&",
  "entity openers": "&#x",
  entities: "&amp;",
  backslashes: "\\",
  "backslash brackets": "\\[",
  colons: ":",
  "shortcode openers": ":smile",
  shortcodes: ":smile:",
  "bangs and brackets": "![](",
  spaces: " ",
  "tab runs": "\t",
  "blank lines": "\n",
  "hard breaks": "a\\\n",
  "trailing spaces": "a  \n",
  "soft lines": "a\n",
  "setext headings": "a\n=\n",
  "thematic breaks": "- - -\n",
  "empty bullets": "-\n",
  "bullets on a line": "- ",
  "numbers on a line": "1. ",
  "quotes on a line": "> ",
  "quote and bullet": "> - ",
  "lazy quote lines": "> a\nb\n",
  "open fences": "```\na\n~~~\n",
  "table delimiter rows": "a|b\n-|-\n",
  "table pipes": "|",
  "escaped pipes": "\\|",
  "heading ids": "# a {#b}\n",
  "braces in a heading": "{#",
  dollars: "$",
  "dollar and word": "$a ",
  "dollars that nothing closes": "$a\\$",
  "display dollars": "$$a ",
  "block math openers": "$$\n\n",
  "wiki link openers": "[[a",
  "wiki link and parenthesis": "[[a]](",
  "embedded wiki links": "![[a|",
  mentions: "[@a](kb://users/1)",
  "callout heads": "> [!NOTE]\n",
  "callouts in callouts": "> [!NOTE] > ",
  "callout directives that nothing closes": ":::note\n",
  "callout directives and other closings": ":::note\n\n::::\n",
  "directives of growing colons": ":::note\n::::note\n:::::note\n",
  "details that nothing closes": "<details>\n\n",
  "details that nothing opens": "</details>\n\n",
  "details side by side": "<details>\n\n</details>\n\n",
  "bare addresses": "https://a.b/c ",
  "bare addresses that touch": "https://a.b",
  "bare addresses that a star ends": "https://a.b/c*",
  "bare addresses in brackets": "[https://a.b/c ",
  "bare addresses with signs": "https://a.b/?c==d&e~f^g ",
  "shortcodes in an address": ":id:/",
  "address with brackets": "https://a.b/(((",
  "mail addresses": "a@b.c ",
  "mail addresses that touch": "a@b.c@",
  "long local parts": "a.b-c_",
  "at signs": "@",
  "dots of a domain": "www.a.",
  comments: "<!-- a -->\n\n",
  "comments that nothing closes": "<!-- a\n",
  "comments within a line that nothing closes": "a <!-- b ",
  "comments within a line": "a <!-- b --> ",
  "tags within a line": "a <kbd>b</kbd> ",
  "HTML blocks": "<div>\n\n",
  "HTML blocks side by side": "<div>\na\n</div>\n\n",
  "fences of front matter": "---\na: b\n",
  "definition lists": "a\n: b\n\n",
  "ids of blocks": "a ^id\n\n",
  "ids within a line": "a ^id ",
  "directives of blocks": ":::x\na\n:::\n\n",
  "directives within a line": ":x[a] ",
  "directives within a line that nothing closes": ":x[a ",
  "attributes of a directive that nothing closes": ":x[a]{b ",
};

const builders: HostileInput[] = [
  { name: "nested links", make: nested("[", "a", "](b)") },
  { name: "nested images", make: nested("![", "a", "](b)") },
  { name: "nested emphasis", make: nested("*a ", "b", " a*") },
  { name: "nested strong tags", make: nested("<strong>", "b", "</strong>") },
  { name: "nested parentheses in a target", make: (bytes) => `[a](${"(".repeat(bytes / 2)}${")".repeat(bytes / 2)})` },
  { name: "backtick runs of growing length", make: (bytes) => growingRuns("`", bytes) },
  { name: "fence runs of growing length", make: (bytes) => growingRuns("~", bytes, "\n") },
  { name: "many reference definitions", make: numbered((index) => `[a${index}]: b\n`) },
  { name: "definitions and uses", make: numbered((index) => `[a${index}]: b\n\n[a${index}]\n\n`) },
  { name: "one long definition used often", make: longDefinition },
  { name: "many footnotes and references", make: numbered((index) => `[^${index}]\n\n[^${index}]: a\n\n`) },
  { name: "footnote definitions of one label", make: framed("[^a]\n\n", "[^a]: b\n\n", "") },
  { name: "deepening list", make: staircase((depth) => `${"  ".repeat(depth)}- a\n`) },
  { name: "deepening quote", make: staircase((depth) => `${">".repeat(depth + 1)} a\n`) },
  { name: "a wide table with short rows", make: wideTable },
  { name: "a table row of many cells", make: (bytes) => `|a|\n|-|\n|${"b|".repeat(bytes / 2)}\n` },
  {
    name: "one bare address with brackets",
    make: (bytes) => `https://a.b/${"(".repeat(bytes / 2)}${")".repeat(bytes / 2)}`,
  },
  { name: "one bare address with punctuation", make: framed("https://a.b/c", ".,", " d") },
  { name: "a formula that nothing closes", make: framed("$$\n", "a\n\n", "") },
  { name: "nested directives", make: nested(":::note\n", "a\n", ":::\n") },
  { name: "nested details", make: nested("<details>\n\n", "a\n\n", "</details>\n\n") },
  { name: "one long word", make: repeated("x") },
  { name: "an unclosed fence", make: framed("```\n", "a `*[\n", "") },
  { name: "list of tasks", make: repeated("- [ ] a\n") },
  { name: "one bare address with signs", make: framed("https://a.b/?", "=", "c") },
  { name: "one bare address with signs between letters", make: framed("https://a.b/?", "c==", "d") },
  { name: "one bare address with shortcodes", make: framed("https://a.b/", ":id:", "/") },
  { name: "addresses within one word", make: framed("a", "http://x.y", "") },
  { name: "addresses that have no domain", make: repeated("(http://a") },
  { name: "domains that never end", make: repeated("_www.a") },
  { name: "an HTML block that nothing closes", make: framed("<script>\n", "a\n\n", "") },
  { name: "front matter", make: framed("---\n", "a: b\n", "---\n\na\n") },
  { name: "front matter that nothing closes", make: framed("---\n", "a: b\n", "") },
  { name: "front matter in TOML that nothing closes", make: framed("+++\n", "a = 1\n", "") },
  { name: "definitions of one term", make: framed("a\n", ": b\n", "") },
  { name: "definitions with blocks", make: framed("a\n", ": b\n\n    - c\n\n", "") },
  { name: "wide unicode", make: repeated("𝒳*😀_") },
];

/** Runs of length 1, 2, 3 …: every run must look for its equal. */
function growingRuns(character: string, bytes: number, separator = " "): string {
  const runs: string[] = [];
  for (let size = 0, length = 1; size < bytes; length += 1) {
    runs.push(character.repeat(length));
    size += length + separator.length;
  }
  return runs.join(separator);
}

/** A quarter of the bytes is one address, the rest uses it: expanding every use would be quadratic. */
function longDefinition(bytes: number): string {
  return `[a]: ${"u".repeat(bytes / 4)}\n\n${"[a] ".repeat((bytes * 3) / 16)}\n`;
}

/** Half of the bytes is the header, the rest one-cell rows: completing every row would be quadratic. */
function wideTable(bytes: number): string {
  const columns = Math.round(bytes / 8);
  return `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${"b|\n".repeat(Math.round(bytes / 6))}`;
}

/** The hostile inputs, each named. */
export const hostileInputs: HostileInput[] = [
  ...Object.entries(units).map(([name, unit]) => ({ name, make: repeated(unit) })),
  ...builders,
];
