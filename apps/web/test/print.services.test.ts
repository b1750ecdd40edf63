import { invoke, operations } from "@kb/core";
import { fillCollection } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOfPdfPages } from "./pdf-pages.ts";
import { widePicture } from "./screens.ts";
import { openSite, type Site, started } from "./site.ts";
import { openCollection } from "./tree-world.ts";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
/** Paragraphs of different lengths, so that headings come to stand everywhere on a page. */
const sections = numbers(40).map(
  (n) => `## Heading${n}.\n\n${`Start${n}. ${"Words that fill the lines of a paragraph. ".repeat((n * 7) % 23)}`}`,
);
const rows = numbers(50).map(
  (n) => `| First${n}. ${"A cell of several lines. ".repeat((n % 5) + 1)} Last${n}. | ${n} |`,
);
const longLine = numbers(60)
  .map((n) => `part${String(n).padStart(3, "0")}`)
  .join("_");
const markdown = `Read [the manual](https://example.com/a/manual/of/many/words?with=query) or [the guide](/documents/018f0000-0000-7000-8000-000000000000)[^1].

\`\`\`typescript
const text = "${longLine}";
${numbers(90)
  .map((n) => `line(${n});`)
  .join("\n")}
\`\`\`

${sections.join("\n\n")}

See <https://example.com/printed/once> too.

| Column of texts | Number |
| --- | --- |
${rows.join("\n")}

[^1]: The note at the end.
`;

describe("printing a document in Chromium", () => {
  let site: Site;
  let path: string;
  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    const input = {
      collectionId: world.collections.open,
      title: "A document on paper",
      text: markdown,
      tags: ["paper"],
    };
    path = `/documents/${(await invoke(world.service, operations.createDocument, world.people.editor.actor, input)).id}`;
  });
  afterAll(() => site?.close(), timeout);

  const open = async (page: Page): Promise<void> => {
    await page.goto(`${site.origin}${path}`);
    await started(page);
    await page.locator(".copy-code").first().waitFor();
  };
  const pageOf = (pages: readonly string[], text: string): number => pages.findIndex((page) => page.includes(text));

  it("the pages have the whole text with the addresses of its links, and nothing of the app around it", {
    meta: { proves: ["web.print"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, { colorScheme: "dark" }, async (page) => {
      await open(page);
      const pages = textOfPdfPages(await page.pdf({ format: "A4" }));
      const text = pages.join("");
      expect(pages.length).toBeGreaterThan(5);
      expect(text).toContain("Adocumentonpaper");
      expect(text).toContain("themanual(https://example.com/a/manual/of/many/words?with=query)");
      expect(text.split("https://example.com/printed/once")).toHaveLength(2);
      expect(text).toContain("Thenoteattheend.");
      expect(text).toContain(longLine);
      for (const n of numbers(90)) expect(text).toContain(`line(${n});`);
      for (const n of numbers(50)) expect(text).toContain(`Last${n}.`);
      expect(text).not.toMatch(/018f0000|Copy|Actions|Publish|Search|Skipto|Trash|Onthispage|Properties|Revision/);
    });
  });

  it("a page ends neither after a heading nor within a row, and each page of a table has its head", {
    meta: { proves: ["web.print"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await open(page);
      for (const format of ["A4", "Letter", "A5"]) {
        const pages = textOfPdfPages(await page.pdf({ format }));
        for (const n of numbers(40)) {
          expect(pageOf(pages, `Heading${n}.`), `${format}, heading ${n}`).toBe(pageOf(pages, `Start${n}.`));
        }
        for (const n of numbers(50)) {
          expect(pageOf(pages, `First${n}.`), `${format}, row ${n}`).toBe(pageOf(pages, `Last${n}.`));
        }
        const ofTable = pages.filter((text) => /Last\d+\./.test(text));
        expect(ofTable.length).toBeGreaterThan(1);
        for (const text of ofTable) expect(text, format).toContain("Columnoftexts");
      }
    });
  });

  it("code, a quote and a picture that fit on a page are on one page, and a picture is no wider than it", {
    meta: { proves: ["web.print"] },
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    const { actor } = world.people.editor;
    const place = { collectionId: world.collections.open, publish: true };
    const { id } = await invoke(world.service, operations.createDocument, actor, { ...place, title: "Blocks" });
    const file = { documentId: id, name: "wide.gif", bytes: widePicture };
    const { url } = await invoke(world.service, operations.attachBytes, actor, file);
    const line = (word: string, n: number): string => `${word}${n}.`;
    const blocks = numbers(14).flatMap((n) => [
      "Words between two blocks. ".repeat((n * 5) % 17),
      `\`\`\`\n${line("Codestart", n)}\n${"a line of code\n".repeat(14)}${line("Codeend", n)}\n\`\`\``,
      `> ${line("Quotestart", n)} ${"Words of a quote. ".repeat(50)} ${line("Quoteend", n)}`,
      `![${line("Picture", n)}](${new URL(url, site.origin).pathname})`,
    ]);
    await invoke(world.service, operations.updateDocument, actor, { id, text: blocks.join("\n\n") });
    await site.withPage(world.people.viewer, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      for (const image of await page.locator("article img").all()) await image.scrollIntoViewIfNeeded();
      await page.waitForFunction(() => [...document.images].every((image) => image.naturalWidth === 3_000));
      const pages = textOfPdfPages(await page.pdf({ format: "A4" }));
      expect(pages.length).toBeGreaterThan(4);
      for (const n of numbers(14)) {
        for (const word of ["Code", "Quote"]) {
          const begin = pageOf(pages, line(`${word}start`, n));
          expect(begin, `${word} ${n}`).toBeGreaterThanOrEqual(0);
          expect(pageOf(pages, line(`${word}end`, n)), `${word} ${n}`).toBe(begin);
        }
      }
      await page.emulateMedia({ media: "print" });
      const images = await page.locator("article img").evaluateAll((all) =>
        all.map((image) => ({
          isWithin: image.getBoundingClientRect().right <= document.documentElement.clientWidth,
          isWhole: getComputedStyle(image).breakInside === "avoid",
        })),
      );
      expect(images).toEqual(numbers(14).map(() => ({ isWithin: true, isWhole: true })));
    });
  });

  it("a list has all of its rows on paper, of which the page has those in the window", {
    meta: { proves: ["web.print.list"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    const shelf = await openCollection(world, "Shelf");
    await fillCollection(world, shelf, 45);
    await site.withPage(world.people.viewer, {}, async (page) => {
      await page.goto(`${site.origin}/collections/${shelf}`);
      await started(page);
      await page.getByRole("main").getByRole("link", { name: "Page 00001" }).waitFor();
      expect(await page.getByRole("main").getByRole("listitem").count()).toBeLessThan(45);
      const text = textOfPdfPages(await page.pdf({ format: "A4" })).join("");
      for (const n of numbers(45)) expect(text.split(`Page${String(n).padStart(5, "0")}`)).toHaveLength(2);
    });
  });

  it("a link in a text to the list of a collection for paper leads there", {
    meta: { proves: ["web.print.list"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    const address = `/collections/${world.collections.open}/print`;
    const input = {
      collectionId: world.collections.open,
      title: "With a link",
      text: `[For paper](${address})`,
      publish: true,
    };
    const { id } = await invoke(world.service, operations.createDocument, world.people.editor.actor, input);
    await site.withPage(world.people.viewer, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await page.getByRole("article").getByRole("link", { name: "For paper" }).click();
      await page.waitForURL(`**${address}`);
      await page.getByRole("heading", { level: 1, name: "Open" }).waitFor();
    });
  });

  it("nothing is wider than the paper, and a dark app prints on white, with and without script", {
    meta: { proves: ["web.print"] },
    timeout,
  }, async () => {
    for (const javaScriptEnabled of [true, false]) {
      const options = { javaScriptEnabled, colorScheme: "dark", viewport: { width: 640, height: 900 } } as const;
      await site.withPage(site.setting.world.people.editor, options, async (page) => {
        await page.goto(`${site.origin}${path}`);
        await page.emulateMedia({ media: "print" });
        const { wide, background, ink } = await page.evaluate(() => {
          const { clientWidth } = document.documentElement;
          const all = [...document.querySelectorAll("main, main *")];
          const style = getComputedStyle(document.body);
          const isWide = (element: Element): boolean =>
            element.scrollWidth > clientWidth || element.getBoundingClientRect().right > clientWidth + 1;
          return {
            wide: all.filter(isWide).map((element) => element.outerHTML.slice(0, 100)),
            background: style.backgroundColor,
            ink: style.color,
          };
        });
        expect(wide).toEqual([]);
        expect([background, ink]).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
        const pictures = process.env.KB_TEST_PICTURES;
        if (pictures !== undefined) await page.screenshot({ path: `${pictures}/print-${javaScriptEnabled}.png` });
      });
    }
  });
});
