import { describe, expect, test } from "vitest";
import type { MathNode } from "../src/html.ts";
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
        '<p>A <code class="math">x&lt;1</code> <small class="math-fault">(Not &lt;read&gt;.)</small> here.</p>\n',
        '<pre><code class="math">y&amp;z\n</code></pre>\n<p class="math-fault"><small>Not &lt;read&gt;.</small></p>\n',
      ].join(""),
    );
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
