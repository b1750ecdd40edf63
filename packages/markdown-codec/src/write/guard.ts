import { beginsHtml } from "../syntax/html.ts";

const DEFINITION = /\[(?:\\[\s\S]|[^\\\]])*\]:/y;

const canBeTaken = (line: string): boolean => line.startsWith("[") || line.startsWith("<");

/**
 * The lines of a paragraph with an empty pair of tags before each that would begin another block: "[`x]: y`](url)" would
 * be read as the definition of a link, and a tag as a block of HTML.
 */
export function guardLines(lines: string[]): string[] {
  if (!lines.some(canBeTaken)) return lines;
  const text = lines.join("\n");
  let start = 0;
  return lines.map((line, index) => {
    DEFINITION.lastIndex = start;
    start += line.length + 1;
    const isTaken = line.startsWith("[") ? DEFINITION.test(text) : beginsHtml(line, index > 0);
    return isTaken ? `<u></u>${line}` : line;
  });
}
