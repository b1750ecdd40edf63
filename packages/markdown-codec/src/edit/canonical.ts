const MARKER = /^(?:[-*+]|\d{1,9}[.)])(?= |$)/;
const RULE = /^(?:\*\*\*|---|___)$/;

/**
 * The lines of Markdown that the codec wrote, in a form that the blocks around them do not change: without the numbers and
 * bullets of lists, with the depth of a line instead of its indent. A blank line is undefined.
 */
export function canonicalLines(markdown: string): readonly (string | undefined)[] {
  // Where the content of the items around begins.
  const offsets: number[] = [];
  return markdown.split("\n").map((line) => {
    let at = indentOf(line, 0);
    const quotes = line.slice(0, at).replaceAll(" ", "");
    if (at === line.length) return quotes === "" ? undefined : quotes;
    while (offsets.length > 0 && (offsets.at(-1) ?? 0) > at) offsets.pop();
    let markers = "";
    let rest = line.slice(at);
    for (let marker = markerOf(rest); marker !== undefined && !RULE.test(rest); marker = markerOf(rest)) {
      markers += "- ";
      offsets.push(at + marker.length + 1);
      at = indentOf(line, Math.min(line.length, at + marker.length + 1));
      rest = line.slice(at);
    }
    const indent = Math.max(0, at - (offsets.at(-1) ?? 0));
    return `${quotes}${offsets.length}:${" ".repeat(indent)}${markers}${RULE.test(rest) ? "---" : rest}`;
  });
}

function indentOf(line: string, from: number): number {
  let at = from;
  while (line[at] === " " || line[at] === ">") at++;
  return at;
}

const markerOf = (text: string): string | undefined => MARKER.exec(text)?.[0];
