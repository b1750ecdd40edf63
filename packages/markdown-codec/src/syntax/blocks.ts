import type { StateCore, Token } from "markdown-it";

const NOT_IN_ID = /[\s{}]/;

/** The id at the end of a heading's text, `[text, id]`, or null: `Title {#intro}` gives `["Title", "intro"]`. */
export function splitHeadingId(content: string): [text: string, id: string] | null {
  const end = content.slice(0, blankStart(content, content.length));
  if (!end.endsWith("}")) return null;
  const start = end.lastIndexOf("{#");
  if (start === -1 || (start > 0 && !" \t".includes(end.charAt(start - 1)))) return null;
  const id = end.slice(start + 2, -1);
  if (id === "" || NOT_IN_ID.test(id)) return null;
  return [end.slice(0, blankStart(end, start)), id];
}

// Where the spaces and tabs before `end` begin.
function blankStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && " \t".includes(text.charAt(start - 1))) start--;
  return start;
}

/** Takes `{#id}` off the text of headings, before anything else reads it. */
export function headingIds(state: StateCore): void {
  const { tokens } = state;
  for (let index = 0; index < tokens.length; index++) {
    const inline = tokens[index + 1];
    if (tokens[index]?.type !== "heading_open" || inline === undefined) continue;
    const parts = splitHeadingId(inline.content);
    if (parts === null) continue;
    inline.content = parts[0];
    tokens[index]?.attrSet("id", parts[1]);
  }
}

/** A paragraph that holds nothing but `&nbsp;` is an empty paragraph, which Markdown cannot say otherwise. */
export function emptyParagraphs(state: StateCore): void {
  let previous: Token | undefined;
  for (const token of state.tokens) {
    if (token.type === "inline" && token.content === "&nbsp;" && previous?.type === "paragraph_open")
      token.content = "";
    previous = token;
  }
}

/** A cell holds a paragraph, as it does in an editor. */
export function cellParagraphs(state: StateCore): void {
  if (!state.tokens.some((token) => token.type === "table_open")) return;
  const tokens: Token[] = [];
  for (const token of state.tokens) {
    const isCell = token.tag === "th" || token.tag === "td";
    if (isCell && token.nesting === -1) tokens.push(new state.Token("paragraph_close", "p", -1));
    tokens.push(token);
    if (isCell && token.nesting === 1) tokens.push(new state.Token("paragraph_open", "p", 1));
  }
  state.tokens = tokens;
}
