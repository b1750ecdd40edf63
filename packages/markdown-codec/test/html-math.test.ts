import { describe, expect, test } from "vitest";
import { isMathAttribute, type MathNode } from "../src/html.ts";
import { parseMarkdown, toHtml, toReadingHtml } from "../src/index.ts";

const doc = parseMarkdown("A $x<1$ here.\n\n$$\ny&z\n$$\n");
const formula = (attributes: MathNode["attributes"], ...children: (MathNode | string)[]): MathNode => ({
  name: "math",
  attributes,
  children,
});

describe("formulas in HTML", () => {
  test("without a reader of formulas, the source is shown", () => {
    expect(toHtml(doc)).toBe(
      '<p>A <code class="math">x&lt;1</code> here.</p>\n<pre><code class="math">y&amp;z\n</code></pre>\n',
    );
  });

  test("a reader of formulas gets the source and whether it is on lines of its own, and its text is escaped", () => {
    const html = toHtml(doc, {
      math: (latex, display) =>
        formula(display ? { display: "block" } : {}, { name: "mi", attributes: {}, children: [latex] }),
    });
    expect(html).toBe(
      '<p>A <math><mi>x&lt;1</mi></math> here.</p>\n<div class="math"><math display="block"><mi>y&amp;z</mi></math></div>\n',
    );
  });

  test("a formula that cannot be shown is its source, with the reason", () => {
    expect(toHtml(doc, { math: () => ({ fault: "Not <read>." }) })).toBe(
      [
        '<p>A <code class="math">x&lt;1</code> <small class="math-fault" dir="auto">(Not &lt;read&gt;.)</small> here.</p>\n',
        '<div class="math">\n<pre><code class="math">y&amp;z\n</code></pre>\n<small class="math-fault" dir="auto">Not &lt;read&gt;.</small>\n</div>\n',
      ].join(""),
    );
  });

  test("the reason has its code and its values beside it, for pages in other languages", () => {
    const fault = { fault: "No \\a.", code: "unknown_command", values: { command: '\\a"<', position: 1 } };
    expect(toHtml(parseMarkdown("$\\a$"), { math: () => fault })).toContain(
      '<small class="math-fault" dir="auto" data-fault="unknown_command" data-values="{&quot;command&quot;:&quot;\\\\a\\&quot;&lt;&quot;,&quot;position&quot;:1}">(No \\a.)</small>',
    );
    const bad = { ...fault, code: 'a" onclick="b' };
    expect(toHtml(parseMarkdown("$\\a$"), { math: () => bad })).toContain('dir="auto">(No');
  });

  test.each([
    ["voffset", ["-4em", "4em", "0.5ex", "-40px"], ["-5em", "5em", "-999999px", "99%9", "-100pt"]],
    ["lspace", ["-1width", "-0.5width", "0.2em"], ["-9width", "-41em", "-4000%"]],
    ["width", ["0.1px", "40em", "-1em", ""], ["41em", "-99999em", "9999ex", "999999"]],
    ["height", ["0px", "-3em"], ["-5em", "700px"]],
  ])("%s moves or takes no more room than a formula needs", (name, allowed, refused) => {
    expect(allowed.filter((value) => !isMathAttribute(name, value))).toEqual([]);
    expect(refused.filter((value) => isMathAttribute(name, value))).toEqual([]);
  });

  test("of a hostile reader of formulas nothing comes through but elements and attributes of MathML", () => {
    const script: MathNode = { name: "script", attributes: { src: "https://example.com" }, children: ["alert(1)"] };
    const bad = {
      onclick: "alert(1)",
      href: "javascript:alert(1)",
      style: "position:fixed",
      class: "callout",
      id: "x",
      width: '1em" onload="x',
      mathcolor: "url(x)",
      constructor: "x",
    };
    const html = toReadingHtml(parseMarkdown("$x$"), {
      math: () => formula(bad, script, { name: "maction", attributes: bad, children: ["a"] }),
    });
    expect(html).toBe('<p dir="auto"><math>alert(1)a</math></p>\n');
  });

  test("a page for reading leaves formulas as they are, and gives their block a direction", () => {
    const math = () => formula({}, { name: "mtable", attributes: {}, children: ["1"] });
    expect(toReadingHtml(parseMarkdown("$$\nx\n$$"), { math })).toBe(
      '<div class="math" dir="auto"><math><mtable>1</mtable></math></div>\n',
    );
  });
});
