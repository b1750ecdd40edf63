import type { Token } from "markdown-it";
import type { Attrs } from "../types.ts";

/** The nodes that the tags of containers are. */
export const CONTAINERS: { readonly [tag: string]: string } = {
  blockquote: "blockquote",
  ul: "bulletList",
  ol: "orderedList",
  li: "listItem",
  footnote: "footnoteDefinition",
  callout: "callout",
  table: "table",
  tr: "tableRow",
  th: "tableHeader",
  td: "tableCell",
};

/** The containers that may hold no block: nothing but they themselves says how deep they are. */
export const CAN_BE_EMPTY: ReadonlySet<string> = new Set(["blockquote", "li", "footnote", "callout"]);

/** The attributes that a container has by its opening token. */
export function attrsOf(token: Token): Attrs | undefined {
  switch (token.tag) {
    case "ol":
      return { start: Number(token.attrGet("start") ?? 1), type: null };
    case "callout":
      return token.meta;
    case "footnote":
      return { label: token.info };
    case "th":
    case "td": {
      const align = token.attrGet("style")?.slice("text-align:".length) ?? null;
      return { colspan: 1, rowspan: 1, colwidth: null, align };
    }
  }
  return undefined;
}
