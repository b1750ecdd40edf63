import { CodecError } from "../error.ts";
import { holdsDataImage } from "../raw.ts";
import type { NodeJSON } from "../types.ts";
import { rebuild } from "./attributes.ts";
import { codeOf, NOTHING } from "./nodes.ts";
import type { Report } from "./report.ts";
import { cleanText } from "./text.ts";
import { canBeTight } from "./tight.ts";

/**
 * A raw block in normal form: its source is read as just this where it stands. Anything else becomes a block of code, so
 * that nothing is lost. `before` is the block before it. Null where there is no source.
 */
export function normalizeRawBlock(given: NodeJSON, before: NodeJSON | undefined, report: Report): NodeJSON | null {
  const kind = String(given.attrs?.kind);
  const written = typeof given.attrs?.source === "string" ? given.attrs.source : "";
  const clean = cleanText(written).replace(/^[ \t\ufeff]+/, "");
  const isIndented = report.depth > 1 && kind !== "html" && kind !== "comment";
  const source = isIndented ? clean.replace(/(?<=^|\n)[ \t]+/g, inSpaces) : clean;
  if (source === "") {
    report.changed("a raw block without a source was left out");
    return null;
  }
  if (holdsDataImage(source)) {
    throw new CodecError("INLINE_IMAGE", "Images as data: URLs are refused.", { path: report.here() });
  }
  const hasPlace = kind !== "frontMatter" || report.isFirst;
  const read = hasPlace ? report.raw.readBlock(source, kind) : undefined;
  const isCallout = kind === "directive" && read?.type === "callout";
  const isTight = given.attrs?.tight === true && canBeTight(kind, before);
  if (isCallout && (!isTight || read.attrs?.fence === null)) {
    report.changed("a directive that is a callout became one");
    return read;
  }
  if (!isCallout && !(read?.type === "rawBlock" && read.attrs?.kind === kind && read.attrs.source === source)) {
    report.changed(`a raw block (${kind}) that would be read otherwise became code`);
    return codeOf(source);
  }
  if (source === written) return rebuild(given, NOTHING, report);
  report.changed("the source of a raw block was cleaned");
  return { type: "rawBlock", attrs: { kind, source, tight: given.attrs?.tight === true } };
}

// In a container a tab is as wide as its place says. A line of white space is empty.
function inSpaces(indent: string, at: number, text: string): string {
  const end = at + indent.length;
  if (end === text.length || text.charAt(end) === "\n") return "";
  let width = 0;
  for (const char of indent) width += char === "\t" ? 4 - (width % 4) : 1;
  return " ".repeat(width);
}
