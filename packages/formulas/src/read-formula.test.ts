import type { DocJSON, NodeJSON } from "markdown-codec";
import { toHtml } from "markdown-codec/html";
import { describe, expect, it } from "vitest";
import { formulaFaultCodes } from "./formula-fault.ts";
import { formulasOfPage } from "./formulas-of-page.ts";
import { readFormula } from "./read-formula.ts";

const shown = (latex: string, display = false): string => {
  const found = readFormula(latex, display);
  if ("fault" in found) return `fault: ${found.fault}`;
  const formula: NodeJSON = { type: "inlineMath", attrs: { latex, display } };
  const doc: DocJSON = { type: "doc", content: [{ type: "paragraph", content: [formula] }] };
  return toHtml(doc, { math: () => found }).slice("<p>".length, -"</p>\n".length);
};

describe("formulas as MathML", () => {
  it("a formula becomes MathML, in a line and on lines of its own", () => {
    expect(shown("x^2")).toBe("<math><msup><mi>x</mi><mn>2</mn></msup></math>");
    expect(shown("\\frac{a}{b}", true)).toMatch(/^<math display="block" class="tml-display">.*<mfrac>/);
  });

  it.each([
    ["\\mathbb{R}", "ℝ"],
    ["\\mathcal{L}", "ℒ"],
    ["\\text{نص}", "نص"],
    ["\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "<mtable"],
    ["\\begin{aligned}a&=b\\end{aligned}", 'class="tml-right math-no-left'],
    ["\\color{red}x", "mathcolor"],
    ["\\boxed{x}", "math-padded math-top"],
    ["\\sqrt[3]{x}", "<mroot>"],
    ["\\ce{H2O}", "<msub>"],
  ])("%s shows %s", (latex, expected) => {
    expect(shown(latex)).toContain(expected);
  });

  it.each([
    ["\\frac{1}{", /^fault: Unexpected end of input/],
    ["\\foo", /^fault: Unsupported function name: \\foo at position 1$/],
    ["a & b", /^fault: Expected 'EOF', got '&' at position 3$/],
    ["{".repeat(4_000), /^fault: The formula cannot be read\.$/],
    ["\\def\\a{\\a\\a}\\a", /^fault: A formula here cannot define commands, as \\def does\.$/],
    [
      `\\def\\b#1{${"#1".repeat(60)}}\\def\\d#1{\\b{${"#1".repeat(30)}}}${"\\d{xxxx}".repeat(60)}`,
      /^fault: A formula here cannot/,
    ],
    ["x \\gdef\\a{x}", /as \\gdef does/],
    ["\\global\\let\\a=b", /as \\global does/],
    ["\\renewcommand{\\frac}{x}", /as \\renewcommand does/],
    ["\\quad".repeat(400), /^fault: Too many expansions/],
    [`\\begin{matrix}${"&".repeat(3_900)}\\end{matrix}`, /^fault: The formula is too large to be shown\.$/],
    ["\\frac{".repeat(200) + "}{1}".repeat(200), /^fault: The formula is too large to be shown\.$/],
    ["x".repeat(4_001), /^fault: The formula is longer than 4000 characters\.$/],
    ["\\href{javascript:alert(1)}{x}", /^fault: /],
    ["\\includegraphics{https://example.com/x.png}", /^fault: .*not trusted/],
    ["\\class{callout}{x}", /^fault: .*not trusted/],
    ["\\style{position:fixed}{x}", /^fault: .*not trusted/],
    ["\\id{content}{x}", /^fault: .*not trusted/],
    ["\\data{a=b}{x}", /^fault: .*not trusted/],
  ])("hostile or wrong LaTeX is refused with a reason: %.40s", (latex, reason) => {
    expect(shown(latex)).toMatch(reason);
  });

  it.each([
    ["\\foo", "unknown_command", { command: "\\foo", position: 1 }],
    ["\\begin{foo}x\\end{foo}", "unknown_environment", { name: "foo", position: 7 }],
    ["a & b", "unexpected", { found: "&", position: 3 }],
    ["\\sqrt{", "unfinished", {}],
    ["\\frac{1}{", "unfinished", {}],
    ["\\begin{matrix}a", "unfinished", {}],
    ["x^2^3", "two_scripts", { position: 4 }],
    ["\\text{\\frac{1}{2}}", "wrong_place", { command: "\\frac", position: 7 }],
    ["\\kern1zz x", "wrong_value", { value: "zz", position: 6 }],
    ["\\id{content}{x}", "not_trusted", { command: "\\id", position: 1 }],
    ["\\left x", "other", { message: "Invalid delimiter 'x' after '\\left' at position 7" }],
    ["\\quad".repeat(400), "too_many_expansions", {}],
    ["\\def\\a{}", "definition", { command: "\\def" }],
    ["x".repeat(4_001), "too_long", { limit: 4_000 }],
    ["\\frac{".repeat(200) + "}{1}".repeat(200), "too_large", {}],
    ["{".repeat(4_000), "unreadable", {}],
  ])("the reason has a code and values, for pages in other languages: %.40s", (latex, code, values) => {
    expect(readFormula(latex, false)).toMatchObject({ code, values });
    expect(formulaFaultCodes).toContain(code);
  });

  it("text of a formula is escaped, and nothing but elements and attributes of MathML comes out", () => {
    const html = shown('\\text{<img src=x onerror="alert(1)">}\\rule{9999em}{9999em}\\ref{a}\\label{"><script>}');
    expect(html).not.toMatch(/<(?:img|script|a|span)\b| (?:style|href|id|on\w+)=/);
    expect(html).toContain("&lt;img");
    expect(html).not.toContain("9999em");
  });

  it("a page stops at a number of characters and elements, and shows the other formulas as before", () => {
    const read = formulasOfPage();
    const kinds = Array.from({ length: 200 }, (_, index) => "fault" in read(`x_{${index}}${"+y".repeat(490)}`, false));
    expect(kinds.slice(0, 10)).toEqual(Array(10).fill(false));
    expect(kinds.at(-1)).toBe(true);
    const many = formulasOfPage();
    const same = Array.from({ length: 100 }, () => "fault" in many("+y".repeat(500), false));
    expect(same[0]).toBe(false);
    expect(same.at(-1)).toBe(true);
  });
});
