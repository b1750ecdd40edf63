import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeHtml } from "../src/html.ts";
import { isSafeUrl, normalize, parseMarkdown, toHtml, toPlainText, toReadingHtml } from "../src/index.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { runs } from "./runs.ts";

const timeout = 600_000;
const known = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code hr br table thead tbody tr th td strong em u del mark sub sup a img input div span bdi details summary".split(
    " ",
  ),
);
const empty = new Set(["hr", "br", "img", "input"]);
const attributes =
  /^(?:href|src|alt|title|id|class|start|type|checked|disabled|open|style|align|colspan|rowspan|width|height|role|aria-[a-z]+|rel|dir|loading|decoding|data-[a-z-]+)$/;

/** Reads HTML strictly, as no browser does: throws at anything that is not a known tag, an attribute, or escaped text. */
function strictlyRead(html: string): void {
  const open: string[] = [];
  const token = /<(\/?)([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*(?:\/)?>|[^<>]+/gy;
  for (let end = 0; end < html.length; end = token.lastIndex) {
    token.lastIndex = end;
    const match = token.exec(html);
    if (!match) throw new Error(`not HTML at ${end}: ${html.slice(end, end + 80)}`);
    const [whole, slash, name, rest] = match;
    if (name === undefined) {
      if (/&(?!(?:amp|lt|gt|quot|#39|nbsp);)/.test(whole)) throw new Error(`a bare & in ${whole}`);
      continue;
    }
    if (!known.has(name)) throw new Error(`unknown tag ${whole}`);
    for (const [, key = "", value = ""] of (rest ?? "").matchAll(/([a-z-]+)(?:="([^"]*)")?/g))
      checkAttribute(key, value);
    if (slash && open.pop() !== name) throw new Error(`${whole} closes something else in ${html}`);
    if (!slash && !empty.has(name)) open.push(name);
  }
  if (open.length > 0) throw new Error(`left open: ${open.join(" ")}`);
}

function checkAttribute(key: string, value: string): void {
  if (!attributes.test(key)) throw new Error(`unknown attribute ${key}`);
  if (key !== "href" && key !== "src") return;
  const address = value.replaceAll("&amp;", "&").replace(/[\s\p{Cc}]/gu, "");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme && /^(?:javascript|vbscript|data|file|blob|about)$/.test(scheme)) throw new Error(`address ${value}`);
}

describe("toHtml", () => {
  test("of any text is well-formed, of known tags and attributes, with no address that runs", { timeout }, () => {
    fc.assert(
      fc.property(hostileTexts, (text) => strictlyRead(toHtml(parseMarkdown(text)))),
      runs(10_000),
    );
  });

  test("of details without a summary begins with their text", () => {
    expect(toHtml(parseMarkdown("<details open>\n\na\n\n</details>"))).toBe(
      '<details open="">\n<p>a</p>\n</details>\n',
    );
  });

  test("of any document too, in normal form or not", { timeout }, () => {
    fc.assert(
      fc.property(hostileDocuments, (doc) => {
        strictlyRead(toHtml(normalize(doc).doc));
        strictlyRead(toHtml(doc));
        strictlyRead(toReadingHtml(doc));
      }),
      runs(2_000),
    );
  });

  test.for([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "&#106;avascript:alert(1)",
  ])("an address such as %j is not linked, though the document claims it", (href) => {
    const doc = {
      type: "doc" as const,
      content: [
        {
          type: "paragraph",
          content: [{ type: "text", text: "a", marks: [{ type: "link", attrs: { href, title: null } }] }],
        },
      ],
    };
    expect(toHtml(doc)).not.toMatch(/href="(?!&amp;#106;)/);
  });

  test("tables keep their alignment, tasks their state, lists their start, footnotes their way there and back", () => {
    const html = toHtml(
      parseMarkdown("| a | b |\n| -: | - |\n| c | d |\n\n- [x] e\n- [ ] f\n\n5. g\n\nh[^1]\n\n[^1]: i"),
    );
    expect(html).toMatch(/<th[^>]*right[^>]*>a<\/th>/);
    expect(html.match(/<input[^>]*checked/g)).toHaveLength(1);
    expect(html).toContain('<ol start="5">');
    expect(html).toMatch(/href="#fn-1"/);
    expect(html).toMatch(/id="fn-1"/);
  });
});

describe("toReadingHtml", () => {
  const html = (markdown: string) => toReadingHtml(parseMarkdown(markdown));

  test("each block follows the direction of its own text, and within a container the container's", () => {
    expect(html("# A\n\nb\n\n```\nc\n```")).toBe(
      '<h1 id="a" dir="auto">A</h1>\n<p dir="auto">b</p>\n<pre dir="auto"><code>c\n</code></pre>\n',
    );
    expect(html("> a\n>\n> - b\n>   1. c")).toBe(
      '<blockquote dir="auto">\n<p>a</p>\n<ul dir="auto">\n<li>b\n<ol dir="auto">\n<li>c</li>\n</ol>\n</li>\n</ul>\n</blockquote>\n',
    );
    expect(html("a[^1]\n\n[^1]: b")).toMatch(/role="doc-footnote" dir="auto">\n.*\n<p>b<\/p>/);
  });

  test("images are loaded late, and a table can scroll", () => {
    expect(html("![a](/b)")).toBe('<p dir="auto"><img src="/b" alt="a" loading="lazy" /></p>\n');
    expect(html("| a |\n| - |\n| b |")).toMatch(/^<div class="table">\n<table dir="auto">[\s\S]*<\/table>\n<\/div>\n$/);
  });

  test("each task has its place among all tasks, and is labelled by its text under an id of its own", () => {
    const tasks = html("# T {#task-1}\n\n- [ ] a\n  - [x] **b**\n\n> - [ ] c");
    expect(
      [...tasks.matchAll(/data-task="(\d+)" aria-labelledby="([^"]+)"/g)].map(([, place, id]) => [place, id]),
    ).toEqual([
      ["0", "task-0"],
      ["1", "task-1-"],
      ["2", "task-2"],
    ]);
    expect(tasks).toContain('<span id="task-1-"> <strong>b</strong></span>');
    expect(html("- [ ] a\n\n  <details>\n\n  b\n\n  </details>")).toContain('<span id="task-0"> a\n</span><details>');
    expect(tasks).toMatch(/<input type="checkbox" disabled="" checked="" data-task="1"/);
  });

  test("links with an origin tell it nothing of the page, and links within the service are as they are", () => {
    expect(html("[a](https://x.example) [b](/c) [d](//e.example) [f](#g)").match(/<a [^>]*>/g)).toEqual([
      '<a href="https://x.example" rel="noreferrer">',
      '<a href="/c">',
      '<a href="//e.example" rel="noreferrer">',
      '<a href="#g">',
    ]);
  });

  test("isSafeUrl tells whether a document may hold the address", () => {
    expect(["https://a.example", "/b", "#c", "mailto:d@e.example"].every(isSafeUrl)).toBe(true);
    expect(["javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "file:///etc"].some(isSafeUrl)).toBe(
      false,
    );
  });
});

test("escapeHtml makes text safe as content and within quotes of either kind", () => {
  expect(escapeHtml(`a & b <i title="c" id='d'>`)).toBe("a &amp; b &lt;i title=&quot;c&quot; id=&#39;d&#39;&gt;");
});

describe("toPlainText", () => {
  test("is the words and nothing else", () => {
    const doc = parseMarkdown(
      "# A **b** {#c}\n\n- d\\\ne\n\n| f | g |\n| - | - |\n| h | ![i](/j) |\n\n```k\nl\n```\n\n[m](/n)[^1]\n\n[^1]: o",
    );
    expect(toPlainText(doc)).toBe("A b\nd\ne\nf\ng\nh\ni\nl\nm\no");
    expect(toPlainText(doc, { separator: " | " })).toBe("A b | d\ne | f | g | h | i | l | m | o");
  });
});
