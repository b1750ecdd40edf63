import { renderers } from "@kb/testing/renderers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMarkdown, serializeMarkdown, toHtml } from "../src/index.ts";
import { holdsForText } from "./laws.ts";
import { report, runs } from "./runs.ts";

/** The addresses of the links of a page, in its order. */
function linksOf(html: string): string[] {
  return [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address = ""]) =>
    decodeURI(address.replace(/&(?:amp|#x26);/g, "&").replace(/&#(?:39|x27);/g, "'")),
  );
}

const ORDINARY = /^https?:\/\/(?:[a-z0-9]+\.)+[a-z]+(?:[/?#]|$)/;

const befores = '|see |(|**|*|~~|> |- |# |"|a: |[x](/y) |1.'.split("|");
const hosts =
  "localhost localhost:4321 e.org www.e.org a-b.co.uk:80 127.0.0.1:3000 a_b.e.org e.o_g wiki wiki:8080 e..org e.org. -e.org e-.org e.org:x E.Org e";
const parts =
  "/ /a /_a_ /a_b /a__b__ ?a=b&c=d ?a==b&c==d #x /~u /~u~ /:id: /(a) /a,b /a;b /a&amp;b /&copy; /%20 /$a$ /++a++ /a^b^ /*a* /'a' // /@u /é /a|b";
const ends = " . , ! ) ** * ~~ _ __ == ; : ' \" ] \\ \\_ <br> `a`";
const afters = ["", " ", "\n", " a", "\na", "\u00a0a", "\u3000a", "< a", "<a", "\\\na", " *b*"];

const words = fc
  .tuple(
    fc.constantFrom(...befores),
    fc.constantFrom("http://", "https://", "HTTP://"),
    fc.constantFrom(...hosts.split(" ")),
    fc.array(fc.constantFrom(...parts.split(" ")), { maxLength: 3 }),
    fc.constantFrom(...ends.split(" ")),
    fc.constantFrom(...afters),
  )
  .map((all) => all.flat().join(""));

describe("an address in a text", () => {
  test("is a link to the same page for three other readers, as it is written", { timeout: 600_000 }, () => {
    const chosen = runs(3_000);
    const isAlike = (text: string): void => {
      const doc = parseMarkdown(text);
      const markdown = serializeMarkdown(doc);
      const own = linksOf(toHtml(doc));
      for (const { name, render } of renderers) {
        // A host that GFM makes no link of is one to some readers, however it is escaped.
        const links = linksOf(render(markdown)).filter((address) => own.includes(address) || ORDINARY.test(address));
        expect(links, `${name}: ${markdown}`).toEqual(own);
      }
    };
    fc.assert(fc.property(words, isAlike), chosen);
    report("addresses for three readers", chosen);
  });

  test("holds the laws, whatever stands beside it", { timeout: 600_000 }, () => {
    const chosen = runs(3_000);
    fc.assert(
      fc.property(words, (text) => void holdsForText(text)),
      chosen,
    );
    report("addresses in texts", chosen);
  });

  test.for([
    "?a==b&c==d",
    "a^b^c",
    "$a$",
    "++a++b",
    ":id:/x",
    "_a_/b",
    "~a/x~y",
    "a&amp;b==c==",
    "#:tada:-a",
    "a?b=c%%20",
  ])("keeps its signs: %s", (rest) => {
    const address = `https://example.org/${rest.replace("&amp;", "&")}`;
    const { doc, markdown } = holdsForText(`see https://example.org/${rest} now\n`);
    expect(doc.content[0]?.content?.[1]).toMatchObject({ text: address, marks: [{ attrs: { href: address } }] });
    expect(markdown).toMatch(/^see <?https:\S+ now\n$/);
  });

  test("within marks ends where the marks do", () => {
    for (const sign of ["==", "~~", "++", "**", "_"]) {
      const { doc } = holdsForText(`${sign}https://e.org/a${sign} b ${sign}www.e.org${sign}`);
      expect(doc.content[0]?.content?.map((node) => node.text)).toEqual(["https://e.org/a", " b ", "www.e.org"]);
    }
  });

  test("that a reader of CommonMark knows only in brackets has brackets", () => {
    const markdown = "http://localhost:4321/ and https://e.org/a, http://E.Org. See https://e.org/~a: b\n";
    expect(serializeMarkdown(parseMarkdown(markdown))).toBe(
      "<http://localhost:4321/> and https://e.org/a, http://E.Org. See <https://e.org/~a>: b\n",
    );
  });
});
