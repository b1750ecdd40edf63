import { beginsHtml } from "../syntax/html.ts";

const DEFINITION = /\[(?:\\[\s\S]|[^\\\]])*\]:/y;

const canBeTaken = (line: string): boolean => line.startsWith("[") || line.startsWith("<");

// A tag that is a block of HTML only where it stands on one line, up to its first attribute.
const TAG_WITH_ATTRIBUTES = /^<[A-Za-z][A-Za-z0-9-]* (?=[A-Za-z/])/;

/**
 * The lines of a paragraph with an empty pair of tags before each that would begin another block: "[`x]: y`](url)" would
 * be read as the definition of a link, and a tag as a block of HTML. A tag alone is written on two lines if that suffices.
 */
export function guardLines(lines: string[]): string[] {
  if (!lines.some(canBeTaken)) return lines;
  const text = lines.join("\n");
  let start = 0;
  return lines.flatMap((line, index) => {
    DEFINITION.lastIndex = start;
    start += line.length + 1;
    const isTaken = line.startsWith("[") ? DEFINITION.test(text) : beginsHtml(line, index > 0);
    if (!isTaken) return line;
    const canBeSplit = TAG_WITH_ATTRIBUTES.test(line) && !beginsHtml(line, true);
    return canBeSplit ? line.replace(" ", "\n").split("\n") : `<u></u>${line}`;
  });
}
