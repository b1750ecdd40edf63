import { isFootnoteLabel } from "./label.ts";
import type { AttrValue } from "./types.ts";
import { isDataUrl, isSafeUrl } from "./url.ts";

/** What an attribute may be. Without a default it must be given. */
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

const text: AttributeRule = {
  default: null,
  test: (value) => value === null || isString(value),
  expected: "a string or null",
};
const label: AttributeRule = {
  test: (value) => isString(value) && isFootnoteLabel(value),
  expected: "a footnote label",
};

const cell: { readonly [name: string]: AttributeRule } = {
  colspan: count(1, 1000),
  rowspan: count(1, 65534),
  colwidth: {
    default: null,
    test: (value) => value === null || (Array.isArray(value) && value.every((width) => typeof width === "number")),
    expected: "a list of widths or null",
  },
  align: {
    default: null,
    test: (value) => value === null || value === "left" || value === "center" || value === "right",
    expected: "left, center, right or null",
  },
};

/** The attributes of every node and mark that has some. */
export const ATTRIBUTES: { readonly [type: string]: { readonly [name: string]: AttributeRule } } = {
  heading: {
    level: count(1, 6),
    id: {
      default: null,
      test: (value) => value === null || (isString(value) && /^[^\s{}]+$/.test(value)),
      expected: "an id without spaces and braces, or null",
    },
  },
  orderedList: { start: count(0, 999_999_999), type: text },
  taskItem: { checked: { default: false, test: (value) => typeof value === "boolean", expected: "true or false" } },
  codeBlock: { language: text },
  tableHeader: cell,
  tableCell: cell,
  footnoteDefinition: { label },
  footnoteReference: { label },
  image: {
    src: { test: (value) => isString(value) && isSafeUrl(value) && !isDataUrl(value), expected: "an external address" },
    alt: text,
    title: text,
  },
  link: { href: { test: (value) => isString(value) && isSafeUrl(value), expected: "a safe address" }, title: text },
};
