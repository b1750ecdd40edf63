const NOT_IN_ID = /[\s{}]/;

/** The id at the end of a heading's text, `[text, id]`, or null: `["Title", "intro"]` for `Title {#intro}`. */
export function splitHeadingId(content: string): [text: string, id: string] | null {
  const start = content.lastIndexOf("{#");
  const id = content.slice(start + 2, -1);
  if (start === -1 || !content.endsWith("}") || id === "" || NOT_IN_ID.test(id)) return null;
  let end = start;
  while (end > 0 && " \t".includes(content.charAt(end - 1))) end--;
  return end === start && start > 0 ? null : [content.slice(0, end), id];
}
