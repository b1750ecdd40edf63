import { describe, expect, test } from "vitest";
import { mapAddresses, parseMarkdown, serializeMarkdown } from "../src/index.ts";

const markdown = '# [A](a)\n\n- ![b](b "t") [**c**d](c)\n\n| [e](e) |\n| --- |\n| `f` |\n\n[^1]\n\n[^1]: <ge:h>\n';

describe("mapAddresses", () => {
  test("replaces the addresses of links and images wherever they stand, in the order of the text", () => {
    const seen: string[] = [];
    const doc = mapAddresses(parseMarkdown(markdown), (address) => {
      seen.push(address);
      return `/${address}`;
    });
    expect(seen).toEqual(["a", "b", "c", "c", "e", "ge:h"]);
    expect(serializeMarkdown(doc)).toBe(
      '# [A](/a)\n\n- ![b](/b "t") [**c**d](/c)\n\n| [e](/e) |\n| --- |\n| `f` |\n\n[^1]\n\n[^1]: [ge:h](/ge:h)\n',
    );
  });

  test("keeps an address where there is no replacement, and returns the same document where there is none at all", () => {
    const doc = parseMarkdown(markdown);
    expect(mapAddresses(doc, () => undefined)).toBe(doc);
    const changed = mapAddresses(doc, (address) => (address === "e" ? "x" : undefined));
    expect(serializeMarkdown(changed)).toBe(serializeMarkdown(doc).replace("(e)", "(x)"));
    expect(changed.content[0]).toBe(doc.content[0]);
  });
});
