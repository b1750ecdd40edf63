import { invoke, operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { widePicture } from "./screens.ts";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const editor = callerOf(world, world.people.editor);
const fence = "```";

const create = async (text: string): Promise<string> =>
  (await editor.create({ title: "Shown", text, publish: true, collectionId: world.collections.open })).id;

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`${site.origin}/documents/${id}`);
  await started(page);
  await settled(page);
}

/** Returns the coloured texts of the page, by what they are. */
const colouredTexts = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(() =>
    Object.fromEntries([...CSS.highlights].map(([name, ranges]) => [name, [...ranges].map((range) => String(range))])),
  );

describe("code in a document that is read", () => {
  const code = `${fence}typescript\nconst answer = "two"; // why\nreturn 42;\n${fence}`;

  it("is coloured by the language of its block, and no element is added to it", { timeout }, async () => {
    const id = await create(
      `${code}\n\n${fence}unheardof\nconst one = 1;\n${fence}\n\n${fence}\nconst two = 2;\n${fence}`,
    );
    await site.withPage(world.people.viewer, {}, async (page) => {
      await open(page, id);
      await page.waitForFunction(() => (CSS.highlights.get("code-word")?.size ?? 0) > 0);
      const texts = await colouredTexts(page);
      expect(texts["code-word"]).toEqual(["const", "return"]);
      expect(texts["code-string"]).toEqual(['"two"']);
      expect(texts["code-comment"]).toEqual(["// why"]);
      expect(texts["code-number"]).toEqual(["42"]);
      expect(await page.locator("pre > code *").count()).toBe(0);
      const colours = await page.evaluate(() =>
        ["word", "string", "number", "comment"].map((kind) =>
          getComputedStyle(document.documentElement).getPropertyValue(`--code-${kind}`),
        ),
      );
      expect(new Set(colours).size).toBe(4);
      const colourOf = (selector: string, part?: string): Promise<string> =>
        page
          .locator(selector)
          .first()
          .evaluate((element, name) => getComputedStyle(element, name).color, part);
      // Each element that may be colored has a style for each color: only code does.
      expect(await colourOf("pre > code", "::highlight(code-word)")).not.toBe(await colourOf("pre > code"));
      expect(await colourOf("h1", "::highlight(code-word)")).toBe(await colourOf("h1"));
    });
  });

  it("is coloured once it comes near, loses its colours with its block, and has none with forced colors", {
    timeout: 2 * timeout,
  }, async () => {
    const id = await create(`${"A paragraph before it.\n\n".repeat(120)}${code}`);
    await site.withPage(world.people.viewer, {}, async (page) => {
      await open(page, id);
      expect(await colouredTexts(page)).toEqual({});
      await page.locator("pre").scrollIntoViewIfNeeded();
      await page.waitForFunction(() => (CSS.highlights.get("code-word")?.size ?? 0) === 2);
      await editor.update(id, { text: "Without code." });
      await page.getByText("Without code.").waitFor();
      await page.waitForFunction(() => (CSS.highlights.get("code-word")?.size ?? 0) === 0);
    });
    const short = await create(code);
    await site.withPage(world.people.viewer, { forcedColors: "active" }, async (page) => {
      await open(page, short);
      await page.locator(".copy-code").waitFor();
      expect(await colouredTexts(page)).toEqual({});
    });
  });

  it("whose reading takes too long is shown without colours, holds nothing up, and the block after it has its own", {
    timeout: 2 * timeout,
  }, async () => {
    const id = await create(`${fence}ruby\nslow\n${fence}\n\n${code}`);
    // Answers as the worker of the app does, but that a text takes forever.
    const worker = `addEventListener("message", ({ data: { text } }) => {
      postMessage("reading");
      while (text.startsWith("slow"));
      postMessage([{ group: "code-word", from: 0, to: 5 }]);
    });`;
    await site.withPage(world.people.viewer, {}, async (page) => {
      site.intercept((path) =>
        path.includes("/tokens-worker-")
          ? new Response(worker, { headers: { "Content-Type": "text/javascript" } })
          : undefined,
      );
      const workers: string[] = [];
      page.on("worker", (each) => workers.push(each.url()));
      await open(page, id);
      await expect.poll(() => workers.length, { timeout }).toBe(1);
      await page.getByRole("button", { name: /^Copy/ }).first().click();
      expect(await colouredTexts(page)).toEqual({});
      await expect.poll(() => colouredTexts(page), { timeout }).toEqual({ "code-word": ["const"] });
      expect(workers).toHaveLength(2);
      // After three of them the page reads no further code.
      await open(page, await create(`${`${fence}ruby\nslow\n${fence}\n\n`.repeat(4)}${code}`));
      await expect.poll(() => workers.length, { timeout }).toBe(5);
      await page.waitForTimeout(2_500);
      expect(workers).toHaveLength(5);
      expect(await colouredTexts(page)).toEqual({});
    });
    site.intercept(undefined);
  });

  it("has its colours once its language comes, where it did not at first", { timeout: 2 * timeout }, async () => {
    const id = await create(`${fence}go\nreturn 1\n${fence}\n\n${code}`);
    await site.withPage(world.people.viewer, {}, async (page) => {
      site.intercept((path) => (/\/go-[\w-]+\.js$/.test(path) ? new Response("Busy.", { status: 503 }) : undefined));
      await open(page, id);
      await expect.poll(async () => (await colouredTexts(page))["code-word"], { timeout }).toEqual(["const", "return"]);
      site.intercept(undefined);
      await open(page, id);
      await expect.poll(async () => (await colouredTexts(page))["code-word"]?.length, { timeout }).toBe(3);
    });
  });
});

describe("a picture in a document that is read", () => {
  it("keeps its proportions within the column, is loaded when it comes near, and has its words where it is missing", {
    timeout,
  }, async () => {
    const id = await create("Soon.");
    const file = { documentId: id, name: "wide.gif", bytes: widePicture };
    const { url } = await invoke(world.service, operations.attachBytes, world.people.editor.actor, file);
    const path = new URL(url, site.origin).pathname;
    const far = "A paragraph between.\n\n".repeat(200);
    await editor.update(id, {
      text: `![A long wall](${path})\n\n${far}\n\n![Its end](${path}?far)\n\n![Gone](/files/none/gone.png)`,
    });
    await site.withPage(
      world.people.viewer,
      { viewport: { width: 320, height: 700 }, possible: [/404/] },
      async (page) => {
        const asked: string[] = [];
        page.on("request", (request) => asked.push(new URL(request.url()).search));
        await open(page, id);
        const wall = page.getByRole("img", { name: "A long wall" });
        await expect.poll(() => wall.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3_000);
        const { width, height } = (await wall.boundingBox()) ?? { width: 0, height: 0 };
        expect(width).toBeGreaterThan(200);
        expect(width).toBeLessThanOrEqual(320);
        expect(Math.abs(width / height - 150)).toBeLessThan(20);
        expect(asked).not.toContain("?far");
        await page.getByRole("img", { name: "Its end" }).scrollIntoViewIfNeeded();
        await expect.poll(() => asked).toContain("?far");
        expect(await page.getByRole("img", { name: "Gone" }).isVisible()).toBe(true);
      },
    );
  });
});

describe("the links of a document that is read", () => {
  it("lead by keyboard to a heading's own address, and from a footnote's number to its note and back", {
    timeout,
  }, async () => {
    const between = "A line between.\n\n".repeat(60);
    const id = await create(`## The plan\n\nA claim.[^1]\n\n${between}\n\n[^1]: Its source.\n`);
    await site.withPage(world.people.viewer, { viewport: { width: 1280, height: 700 } }, async (page) => {
      await open(page, id);
      const heading = page.getByRole("heading", { name: "The plan" });
      await heading.locator("a.heading-link").press("Enter");
      await page.waitForURL("**#the-plan");
      const article = page.getByRole("article");
      const number = article.locator("sup a").first();
      const inSight = (text: string) =>
        expect.poll(() =>
          article.getByText(text).evaluate((node) => {
            const { top } = node.getBoundingClientRect();
            return top > 0 && top < innerHeight;
          }),
        );
      await number.press("Enter");
      await inSight("Its source.").toBe(true);
      await inSight("A claim.").toBe(false);
      await article.locator(".footnote a").press("Enter");
      await inSight("A claim.").toBe(true);
    });
  });
});

describe("the outline beside a text", () => {
  it("marks the heading that is read: by scrolling, by its own links, and by an address that names a heading", {
    timeout: 2 * timeout,
  }, async () => {
    const far = Array.from({ length: 12 }, (_, index) => `## Part ${index + 1}\n\n${"A line between.\n\n".repeat(20)}`);
    const id = await create(`${far.join("")}## Almost\n\nNearly.\n\n## Über das Ende\n\nThe end.`);
    await site.withPage(world.people.viewer, { viewport: { width: 1280, height: 900 } }, async (page) => {
      const outline = page.getByRole("navigation", { name: "On this page" });
      const marks = (name: string): Promise<void> =>
        outline.locator("[aria-current=location]", { hasText: new RegExp(`^${name}$`) }).waitFor();
      await open(page, id);
      await marks("Part 1");
      await page.getByRole("heading", { name: "Part 5" }).evaluate((heading) => heading.scrollIntoView());
      await marks("Part 5");
      for (const name of ["Part 9", "Part 2", "Über das Ende", "Almost"]) {
        await outline.getByRole("link", { name, exact: true }).click();
        await marks(name);
        expect(await outline.locator("[aria-current]").count()).toBe(1);
      }
      const address = await outline.getByRole("link", { name: "Über das Ende" }).getAttribute("href");
      for (const [hash, name] of [
        ["#part-7", "Part 7"],
        [address, "Über das Ende"],
      ] as const) {
        await page.goto("about:blank");
        await page.goto(`${site.origin}/documents/${id}${hash}`);
        await marks(name);
      }
    });
  });
});
