import { hostileInputs } from "markdown-codec/testing";
import { longestMarkdown } from "./worst-input.ts";

/** Kinds of Markdown, each with a function that makes a text of about `length` characters. */
export type MarkdownKind = { readonly name: string; readonly make: (length: number) => string };

const words = ["release", "meeting", "server", "customer", "decided", "because", "document", "tomorrow"];

/** Returns prose of `length` characters: the shape of which most long documents are. */
export function prose(length: number): string {
  const parts: string[] = [];
  for (let size = 0, n = 0; size < length; n += 1) {
    const word = words[(n * 7 + Math.floor(n / 11)) % words.length] ?? "";
    const part = n % 90 === 89 ? `${word}.\n\n` : `${word} `;
    parts.push(part);
    size += part.length;
  }
  return parts.join("").slice(0, length);
}

/** Returns footnotes each of which refers to the next, below the heading `H`. */
export function chainedFootnotes(count: number): string {
  const notes = Array.from({ length: count }, (_, index) => `[^${count - index}]: see[^${count - index + 1}]`);
  return `a[^1]\n\n# H\n\n${notes.join("\n\n")}\n`;
}

/** Returns lines of which every tenth stays the same for every `word`. */
export function rewrittenLines(length: number, word: string): string {
  const parts: string[] = [];
  for (let size = 0, n = 0; size < length; n += 1) {
    const line = n % 10 === 0 ? `anchor ${n} of the text that stays\n\n` : `${word} ${n % 7} in the middle of a line\n`;
    parts.push(line);
    size += line.length;
  }
  return parts.join("");
}

const shapes: readonly MarkdownKind[] = [
  { name: "prose", make: prose },
  { name: "one line of prose", make: (length) => prose(length).replaceAll("\n\n", " ") },
  { name: "chained footnotes", make: (length) => chainedFootnotes(Math.floor(length / 24)) },
  { name: "distinct words", make: (length) => numbered(length, (n) => `w${n.toString(36)} `) },
  { name: "distinct headings", make: (length) => numbered(length, (n) => `# heading ${n}\n\n`) },
  { name: "table of two columns", make: (length) => `| a | b |\n| - | - |\n${"| 1 | 2 |\n".repeat(length / 10)}` },
  { name: "code fence", make: (length) => `\`\`\`js\n${"a * b_c [d](e)\n".repeat(length / 16)}\`\`\`\n` },
  { name: "HTML blocks", make: (length) => "<div>\n\n".repeat(length / 8) },
  { name: "directives", make: (length) => ":::note\n".repeat(length / 8) },
  { name: "front matter without an end", make: (length) => `---\n${"a: b\n".repeat(length / 5)}` },
  { name: "combining accents", make: (length) => `a${"\u0301".repeat(length - 1)}` },
  { name: "Japanese without spaces", make: (length) => "東京都の会議で決まった".repeat(length / 11) },
  { name: "joined emoji", make: (length) => "👩‍💻👨‍👩‍👧".repeat(length / 13) },
  { name: "ligatures that fold to 18 letters", make: (length) => "\ufdfa".repeat(length / 8) },
  { name: "addresses", make: (length) => "https://example.org/a?b=c#d ".repeat(length / 28) },
];

function numbered(length: number, part: (n: number) => string): string {
  const parts: string[] = [];
  for (let size = 0, n = 0; size < length; n += 1) {
    const next = part(n);
    parts.push(next);
    size += next.length;
  }
  return parts.join("");
}

/** The kinds of Markdown that every run sends. The others are sent by the long run. */
const always = new Set([
  "prose",
  "chained footnotes",
  "distinct words",
  "opening brackets",
  "every delimiter",
  "nested links",
  "deepening list",
  "one long definition used often",
  "a wide table with short rows",
]);

/** All kinds of Markdown at the maximum length of a body. */
export const markdownKinds: readonly (MarkdownKind & { readonly isOnlyLong: boolean })[] = [
  ...shapes,
  ...hostileInputs,
].map(({ name, make }) => ({
  name,
  make: (length = longestMarkdown) => make(length).slice(0, length),
  isOnlyLong: !always.has(name),
}));
