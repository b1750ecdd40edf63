import { schema as codecSchema } from "markdown-codec/schema";
import type { MarkSpec } from "prosemirror-model";
import { allowedAttributes } from "./attributes.ts";

const linkAttributes = codecSchema.marks.link.spec.attrs;

const simple = (tag: string, ...others: readonly string[]): Pick<MarkSpec, "toDOM" | "parseDOM"> => ({
  toDOM: () => [tag, 0],
  parseDOM: [tag, ...others].map((each) => ({ tag: each })),
});

/** Returns whether a document may link to an address. */
export const isSafeAddress = (href: string): boolean => allowedAttributes(linkAttributes, { href }) !== false;

/** The elements of each mark. */
export const marks: { readonly [name: string]: Pick<MarkSpec, "toDOM" | "parseDOM"> } = {
  link: {
    toDOM: ({ attrs }) => ["a", { href: attrs.href, ...(attrs.title !== null && { title: attrs.title }) }, 0],
    parseDOM: [
      {
        tag: "a[href]",
        getAttrs: (element) =>
          allowedAttributes(linkAttributes, {
            href: element.getAttribute("href"),
            title: element.getAttribute("title"),
          }),
      },
    ],
  },
  bold: simple("strong", "b"),
  italic: simple("em", "i"),
  strike: simple("del", "s", "strike"),
  underline: simple("u", "ins"),
  highlight: simple("mark"),
  subscript: simple("sub"),
  superscript: simple("sup"),
  code: simple("code"),
};
