import { isCalloutKind } from "./callout.ts";
import { isFootnoteLabel } from "./label.ts";
import { isBlockMath, isInlineMath } from "./math.ts";
import { isMentionId } from "./mention.ts";
import { holdsDataImage, RAW_BLOCKS, RAW_INLINES } from "./raw.ts";
import { extension } from "./syntax/extension.ts";
import type { AttrValue } from "./types.ts";
import { isDataUrl, isSafeAddress } from "./url.ts";
import { isWikiLink } from "./wiki-link.ts";

/** The allowed values of an attribute. Without a default it is required. */
export interface AttributeRule {
  readonly default?: AttrValue;
  readonly test: (value: unknown) => boolean;
  readonly expected: string;
}

const isString = (value: unknown): value is string => typeof value === "string";

const count = (least: number, most: number): AttributeRule => ({
  default: 1,
  test: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  expected: `${least} to ${most}`,
});

const orNull = ({ test, expected }: AttributeRule): AttributeRule => ({
  default: null,
  test: (value) => value === null || test(value),
  expected: `${expected} or null`,
});

const text = orNull({ test: isString, expected: "a string" });
const label: AttributeRule = {
  test: (value) => isString(value) && isFootnoteLabel(value),
  expected: "a footnote label",
};

const oneOf = (values: readonly string[]): AttributeRule => ({
  test: (value) => isString(value) && values.includes(value),
  expected: values.join(", "),
});
const kindOf = (values: readonly string[]): AttributeRule => {
  const { test, expected } = oneOf(values);
  return { test: (value) => test(value) || (isString(value) && extension()?.kinds.has(value) === true), expected };
};
const source: AttributeRule = {
  test: (value) => isString(value) && value !== "" && !holdsDataImage(value),
  expected: "a source without an image as a data: URL",
};

const flag: AttributeRule = {
  default: false,
  test: (value) => typeof value === "boolean",
  expected: "true or false",
};

const cell: { readonly [name: string]: AttributeRule } = {
  colspan: count(1, 1000),
  rowspan: count(1, 65534),
  colwidth: orNull({
    test: (value) => Array.isArray(value) && value.every((width) => typeof width === "number"),
    expected: "a list of widths",
  }),
  align: orNull(oneOf(["left", "center", "right"])),
};

/** The attributes of every node and mark that has some. */
export const ATTRIBUTES: { readonly [type: string]: { readonly [name: string]: AttributeRule } } = {
  heading: {
    level: count(1, 6),
    id: orNull({
      test: (value) => isString(value) && /^[^\s{}]+$/.test(value),
      expected: "an id without spaces and braces",
    }),
  },
  orderedList: { start: count(0, 999_999_999), type: text },
  taskItem: { checked: flag },
  codeBlock: { language: text },
  tableHeader: cell,
  tableCell: cell,
  footnoteDefinition: { label },
  footnoteReference: { label },
  callout: {
    kind: { test: (value) => isString(value) && isCalloutKind(value), expected: "a word in lower case" },
    title: text,
    folded: orNull(flag),
    fence: orNull(oneOf(["tight", "loose"])),
  },
  details: { summary: text, open: flag },
  blockMath: { latex: { test: (value) => isString(value) && isBlockMath(value), expected: "LaTeX without $$" } },
  inlineMath: {
    latex: { test: (value) => isString(value) && isInlineMath(value), expected: "LaTeX of one line without $" },
    display: flag,
  },
  mention: {
    id: { test: (value) => isString(value) && isMentionId(value), expected: "the id of a user" },
    label: { test: (value) => isString(value) && value.trim() !== "", expected: "a name" },
  },
  wikiLink: { source: { test: (value) => isString(value) && isWikiLink(value), expected: "[[page]] or ![[file]]" } },
  rawBlock: {
    kind: kindOf(RAW_BLOCKS),
    source,
    tight: flag,
  },
  rawInline: { kind: kindOf(RAW_INLINES), source },
  image: {
    src: {
      test: (value) => isString(value) && isSafeAddress(value) && !isDataUrl(value),
      expected: "an external address",
    },
    alt: text,
    title: text,
  },
  link: { href: { test: (value) => isString(value) && isSafeAddress(value), expected: "a safe address" }, title: text },
};
