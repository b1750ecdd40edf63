import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import spec from "commonmark-spec";
import fc from "fast-check";

/** Signs and words of which every one has a meaning in Markdown, to an editor, or to Unicode. */
export const alphabet: readonly string[] = [
  ..."a b Z 0 1 9 é ß Ж 字 ﷺ 😀 👩‍👩‍👧 🇩🇪 𝒳 e\u0301 word two_words C++ snake_case 10:30:45 a:b:c".split(" "),
  ..."* ** *** **** _ __ ___ ~ ~~ ~~~ ^ ^^ = == === + ++ ` `` ``` ! ? . , ; : ( ) [ ] { } < > | & # / ' \" % @ $ -".split(
    " ",
  ),
  ..."\\ \\\\ \\* \\_ \\` \\[ \\] \\< \\| \\~ \\= \\: \\& \\{ \\^ \\! \\( \\) \\# \\- \\+ \\.".split(" "),
  ..."&amp; &lt; &nbsp; &copy; &ouml; &#35; &#x20; &#0; &#160; &#8232; &#12; &x; &#99999999; &ngE;".split(" "),
  ..."<u> </u> <ins> </ins> <strong> </strong> <em> </em> <s> </s> <del> </del> <mark> </mark> <sub> </sub>".split(" "),
  ..."<sup> </sup> <br> <br/> <b> </b> <i> <U> <div> </div> <!-- --> <?a?> <![CDATA[x]]> <a@b.c> <http://a.b> <x:y>".split(
    " ",
  ),
  ...'[^1] [^a] [^1]: [^a]: ]: ](u) ][ [] [a] [a]: [a](u) [a](<u v>) ![a](u) ![](u) (u "t") [x] [ ]'.split(" "),
  ..."{#x} {#a-b} {# } {.c} :b: :smile: :+1: :-) :tada :nope: 1. 2) 10. 0. 999999999. 1234567890. - -- --- :- :-: -: =- ".split(
    " ",
  ),
  ..."> >> # ## ###### ####### |- |-| |:-| a|b \\| http://a.b/c_d_e www.a.b https://a.b/ http://localhost/== :// me@a.b javascript:alert(1) data:image".split(
    " ",
  ),
  " ",
  " ",
  " ",
  "  ",
  "    ",
  "\t",
  "\n",
  "\n",
  "\n",
  "\n\n",
  "\n    ",
  "\n  ",
  "\n> ",
  "\n- ",
  "\n1. ",
  "\n   ",
  "\\\n",
  "  \n",
  "\r\n",
  "\r",
  "\u00a0",
  "\u3000",
  "\u200b",
  "\u200d",
  "\ufeff",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u000b",
  "\u000c",
  "\u0000",
  "\u0001",
  "\u007f",
  "\ud800",
  "\udc00",
  "\u202e",
  "\u00ad",
  "\ufffd",
  "\ue000",
  "\ue02a",
  "\n```\n",
  "\n~~~\n",
  "\n---\n",
  "\n===\n",
  "\n|a|b|\n|-|-|\n|c|d|\n",
  "|\n---\na|b",
  "|\n-|-\n",
  "\n\n\u3000$",
  "\n[a]: u\n",
  "\n[^1]: n\n",
  "\n- [ ] t\n",
  "\n# h {#x}\n",
];

const piece = fc.constantFrom(...alphabet);

/** Texts of fragments in any order: mostly not sensible, always Markdown. */
export const fragmentTexts: fc.Arbitrary<string> = fc
  .array(piece, { minLength: 1, maxLength: 24, size: "max" })
  .map((pieces) => pieces.join(""));

const examples = spec.tests.map((example) => example.markdown.replaceAll("→", "\t"));

/** Pieces of the specification's examples, cut anywhere and put together, with fragments between. */
export const splicedExamples: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...examples), fc.nat(40), fc.nat(40)).map(cut) },
      { weight: 1, arbitrary: piece },
    ),
    { minLength: 1, maxLength: 4, size: "max" },
  )
  .map((pieces) => pieces.join(""));

function cut([text, start, length]: [string, number, number]): string {
  return start >= text.length ? text : text.slice(start, start + length + 1);
}

const prefixes = ["> ", "- ", "  ", "    ", "1. ", "   ", "\t", "- [ ] ", "[^1]: ", "# ", "| "];

/** Texts set into a quote, an item, an indentation: every line with the same prefix, or the first with another. */
export const indentedTexts: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(fragmentTexts, splicedExamples), fc.constantFrom(...prefixes), fc.constantFrom("", ...prefixes))
  .map(([text, first, others]) => first + text.replaceAll("\n", `\n${others}`));

const sample = join(import.meta.dirname, "sample");
const realLines = globSync("*/*.md", { cwd: sample })
  .sort()
  .flatMap((path) => readFileSync(join(sample, path), "utf8").split("\n"))
  .filter((line) => line.length < 200);
const realLine = fc
  .tuple(fc.constantFrom("", "", "", "", ...prefixes), fc.constantFrom(...realLines))
  .map(([prefix, line]) => prefix + line);

/** Lines that people wrote, in an order that nobody did: fences open and never close, items belong to other lists. */
export const shuffledLines: fc.Arbitrary<string> = fc
  .array(realLine, { minLength: 1, maxLength: 12, size: "max" })
  .map((lines) => lines.join("\n"));

/** Any characters at all, lone surrogates and unassigned ones too, with fragments between. */
export const anyCharacters: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.string({ unit: "binary", maxLength: 3 }), piece), { minLength: 1, maxLength: 10, size: "max" })
  .map((pieces) => pieces.join(""));

/** All hostile texts. */
export const hostileTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fragmentTexts },
  { weight: 4, arbitrary: splicedExamples },
  { weight: 2, arbitrary: indentedTexts },
  { weight: 1, arbitrary: shuffledLines },
  { weight: 1, arbitrary: anyCharacters },
);
