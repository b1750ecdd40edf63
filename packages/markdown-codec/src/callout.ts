import { extension } from "./syntax/extension.ts";
import type { Attrs } from "./types.ts";

const KIND = /^[a-z][a-z0-9_-]*$/;

/** True for the kind of a callout: a word in lower case. */
export function isCalloutKind(kind: string): boolean {
  return KIND.test(kind);
}

/** The directives that are callouts, as Docusaurus and Outline read them. */
const DIRECTIVES: ReadonlySet<string> = new Set("info tip note warning danger caution success".split(" "));

const isDirective = (kind: string): boolean => DIRECTIVES.has(kind) || extension()?.directives.has(kind) === true;

const QUOTE = /^\[!([A-Za-z][\w-]*)\]([+-]?)(?:[ \t]+([^\n]*))?(?:\n|$)/;

/** The first line of a callout in a quote, `[!NOTE]- title`. */
export interface CalloutHead {
  readonly attrs: Attrs;
  /** The characters that it takes. */
  readonly length: number;
}

/** Reads the head of a callout at the beginning of the text of a quote; undefined where there is none. */
export function readCalloutHead(text: string): CalloutHead | undefined {
  const [whole, kind = "", fold = "", title = ""] = QUOTE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const folded = fold === "" ? null : fold === "-";
  return {
    attrs: { kind: kind.toLowerCase(), title: trimmed(title) || null, folded, fence: null },
    length: whole.length,
  };
}

/** The first line of a callout in a quote. */
export function writeCalloutHead({ kind, title, folded }: Attrs): string {
  const fold = folded === null ? "" : folded === true ? "-" : "+";
  return `[!${String(kind).toUpperCase()}]${fold}${typeof title === "string" ? ` ${title}` : ""}`;
}

const OPENING = /^:{3,}([a-z]+)(?:\[([^[\]{}\n]+)\])?[ \t]*$/;

/**
 * The attributes of the callout that the first line of a directive begins; undefined where it is another directive. Where a
 * rule below it makes it the head of a table, the table comes first and nothing asks.
 */
export function calloutOfDirective(line: string, isTight: boolean): Attrs | undefined {
  const [whole, kind = "", title = ""] = OPENING.exec(line) ?? [];
  if (whole === undefined || !isDirective(kind)) return undefined;
  if (title !== trimmed(title)) return undefined;
  return { kind, title: title || null, folded: null, fence: isTight && !title.includes("|") ? "tight" : "loose" };
}

/**
 * The attributes with a fence only where a directive can say all of them. A blank line follows a title with "|": a rule
 * below it would make it the head of a table.
 */
export function settleCallout(attrs: Attrs): Attrs {
  const { kind, folded, fence } = attrs;
  const title = typeof attrs.title === "string" ? trimmed(attrs.title) || null : null;
  const canBeDirective = isDirective(String(kind)) && folded === null && (title === null || !/[[\]{}]/.test(title));
  const settled = !canBeDirective ? null : fence === "tight" && title?.includes("|") ? "loose" : (fence ?? null);
  if (title === attrs.title && fence === settled) return attrs;
  return { kind: kind ?? "note", title, folded: folded ?? null, fence: settled };
}

const trimmed = (text: string): string => text.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "");
