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

  test("replaces the addresses in raw constructs, but not in their code", () => {
    const raw = [
      'See <a class="x" href="a?b&amp;c">a</a> and <img src=\'b.png\' width="2">.',
      ':::card{x}\n[c](c) ![d](<d> "t") `[e](e)`\n\n```md\n[f](f)\n```\n\n[`g`](g)\n:::',
      '<div>\n<video poster="h"></video> [i](i)\n</div>',
      '<pre>\n<a href="j">j</a>\n</pre>',
      '<!-- <a href="k"> -->',
      "Term\n: [l](l)",
      "| [m](m) |\n| --- |\n| n | o |",
    ].join("\n\n");
    const seen: string[] = [];
    const doc = mapAddresses(parseMarkdown(raw), (address) => {
      seen.push(address);
      return `/x${address}&`;
    });
    expect(seen).toEqual(["a?b&c", "b.png", "c", "d", "g", "h", "i", "l", "m"]);
    const written = serializeMarkdown(doc);
    expect(written).toContain('<a class="x" href="/xa?b&amp;c&amp;">a</a>');
    expect(written).toContain('[c](/xc&) ![d](</xd&> "t") `[e](e)`\n\n```md\n[f](f)\n```\n\n[`g`](/xg&)');
    expect(parseMarkdown(written)).toEqual(doc);
  });

  test.for([
    [`<a href="what's-new.md">a</a>`, ["what's-new.md"]],
    ["<div>\n[a](<b c.md>) [d](Guide_(v2).md) [e](f g\n</div>", ["b c.md", "Guide_(v2).md", "f"]],
    ["<div>\n<pre>\n[a](b)\n</pre> <code>[c](d)</code> [e](f)\n</div>", ["f"]],
  ])("takes addresses in raw constructs whole, and none from elements of code: %j", ([source, addresses]) => {
    const seen: string[] = [];
    const doc = parseMarkdown(String(source));
    const changed = mapAddresses(doc, (address) => {
      seen.push(address);
      return address;
    });
    expect(seen).toEqual(addresses);
    expect(serializeMarkdown(changed)).toBe(serializeMarkdown(doc));
  });
});
