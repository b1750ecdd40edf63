import { parseMarkdown } from "markdown-codec";
import { describe, expect, it } from "vitest";
import { charactersToRender, isLarge } from "./offload.ts";
import { tasks } from "./tasks.ts";

const content = JSON.stringify(
  parseMarkdown("Half is $\\frac{1}{2}$.\n\n$$\n\\sum_{i=1}^n i\n$$\n\nNo formula: $\\foo$.\n"),
);
const facts = { title: "Sums", emoji: null, tags: [], updatedAt: new Date(0), draft: false };

describe("formulas of documents", () => {
  it.each([
    ["the page of a document", () => tasks.articleHtml({ content })],
    ["the HTML of a channel", () => tasks.html({ content })],
    [
      "an exported page",
      () =>
        tasks.documentPage({
          content,
          facts,
          path: "sums.html",
          above: [],
          places: { documents: new Map(), uploads: new Map(), appUrl: "https://kb.example" },
        }),
    ],
  ])("are MathML in %s, and their source with the reason where they cannot be shown", (_where, html) => {
    const page = html();
    expect(page).toContain("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>");
    expect(page).toMatch(/<div class="math"[^>]*><math display="block"/);
    expect(page).toContain(
      '<code class="math">\\foo</code> <small class="math-fault" dir="auto" data-fault="unknown_command" data-values="{&quot;position&quot;:1,&quot;command&quot;:&quot;\\\\foo&quot;}">(Unsupported function name: \\foo at position 1)</small>',
    );
    expect(page.match(/<math[ >]/g)).toHaveLength(2);
  });

  it("a body with formulas is rendered in a thread at a twentieth of the size of other text", () => {
    const paragraph = JSON.stringify(parseMarkdown("x ".repeat(5_000)));
    const formulas = JSON.stringify(parseMarkdown("$x$ ".repeat(100)));
    expect(isLarge(charactersToRender(paragraph))).toBe(false);
    expect(isLarge(charactersToRender(formulas))).toBe(true);
  });
});
