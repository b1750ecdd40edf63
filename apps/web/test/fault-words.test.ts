import { formulaFaultCodes, formulasOfPage } from "@kb/formulas";
import { parseMarkdown, toReadingHtml } from "markdown-codec";
import { expect, it } from "vitest";
import { withFaultWords } from "../src/client/reading/fault-words.ts";
import { ar } from "../src/messages/ar.ts";
import { en } from "../src/messages/en.ts";

const read = (markdown: string): string => toReadingHtml(parseMarkdown(markdown), { math: formulasOfPage() });
const inArabic = (markdown: string): string => withFaultWords(read(markdown), ar.formulaFaults);

it.each(formulaFaultCodes)(
  "the reason %s is said in Arabic, with its values",
  { meta: { proves: ["web.formulas.explained"] } },
  (code) => {
    expect(ar.formulaFaults[code]).toMatch(/^[^a-z]*[\u0600-\u06ff][^a-z]*(?:\{[a-z]+\}[^a-z]*)?$/);
  },
);

it("a page in Arabic says why a formula is not shown, in lines and on lines of their own; one in English in English", {
  meta: { proves: ["web.formulas.explained"] },
}, () => {
  const markdown = "A $\\foo$ b\n\n$$\n\\sqrt{\n$$";
  expect(inArabic(markdown)).toContain(
    '<small class="math-fault" dir="auto">(الأمر \u2068\\foo\u2069 غير معروف (الموضع \u20681\u2069))</small>',
  );
  expect(inArabic(markdown)).toContain(`<small class="math-fault" dir="auto">${ar.formulaFaults.unfinished}</small>`);
  expect(withFaultWords(read(markdown), en.formulaFaults)).toContain(
    ">(Unsupported function name: \\foo at position 1)<",
  );
});

it("LaTeX in a reason stays text, and a reason that is written as text stays as it is", {
  meta: { proves: ["web.formulas.explained"] },
}, () => {
  const html = inArabic('$a & b$ and $\\begin{<img>"}\\end{x}$');
  expect(html).not.toContain("<img>");
  expect(html).toContain("\u2068&amp;\u2069");
  expect(html).toContain("\u2068&lt;img&gt;&quot;\u2069");
  const text = '`<small class="math-fault" dir="auto" data-fault="too_large" data-values="{}">x</small>`';
  expect(inArabic(text)).toBe(read(text));
});

it("a code of a later release is said as the service says it", { meta: { proves: ["web.formulas.explained"] } }, () => {
  const html = '<small class="math-fault" dir="auto" data-fault="of_tomorrow" data-values="{}">(Said.)</small>';
  expect(withFaultWords(html, ar.formulaFaults)).toBe('<small class="math-fault" dir="auto">(Said.)</small>');
});
