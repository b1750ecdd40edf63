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
