import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { admin } from "@kb/core";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { type Home, makeHome } from "./process.ts";
import { roundTrip, sourceTarget } from "./round-trip.ts";
import { pathOf, shownHtml, shownMarkdown, wordsAndTargets } from "./shown-page.ts";

let test: TestDatabase;
let home: Home;

beforeAll(async () => {
  test = await testDatabase();
  home = await makeHome({ DATABASE_URL: test.url });
  await admin.createTeam(serviceOf(test.database, home.settings), { name: "Ours", adminEmail: "ada@example.com" });
});

afterAll(async () => {
  await home?.remove();
  await test?.drop();
});

const samples = fileURLToPath(new URL("./sample", import.meta.url));

type Sample = {
  readonly folder: string;
  readonly summary: object;
  /** The syntax of the product, written as ordinary Markdown by hand. */
  readonly plain?: (text: string, path: string) => string;
  /** Targets of addresses that are not relative to their file. */
  readonly targets?: Readonly<Record<string, string>>;
};

/** The target of each `[[name]]` of the vault. */
const obsidianPages: Readonly<Record<string, string>> = {
  home: "Home.md",
  "the entrance": "Home.md",
  "projects/garden": "Projects/Garden.md",
  garden: "Projects/Garden.md",
  kitchen: "Kitchen.md",
  "seeds list": "Projects/Seeds list.md",
  "manual.pdf": "Media/manual.pdf",
  "plan.png": "Media/2024/plan.png",
};

function plainObsidian(text: string): string {
  return text.replaceAll(
    /(!?)\[\[([^\]#|\\]*)(?:#([^\]|\\]*))?(?:\\?\|([^\]]*))?\]\]/g,
    (whole, bang, name, heading, alias) => {
      const path = name === "" ? "" : obsidianPages[name.toLowerCase()];
      if (path === undefined) return whole;
      const fragment = heading === undefined ? "" : `#${heading.toLowerCase().replaceAll(" ", "-")}`;
      const address = `${path === "" ? "" : `/${encodeURI(path)}`}${fragment}`;
      if (bang === "!" && path.endsWith(".png")) return `![${name}](${address})`;
      return `[${alias ?? [name, heading].filter(Boolean).join(" > ")}](${address})`;
    },
  );
}

const database = [
  ["Name", "Status", "Owner", "Notes"],
  [
    "[Paint the door](</Team wiki 0123456789abcdef0123456789abcde1/Tasks 0123456789abcdef0123456789abcde3/Paint the door 0123456789abcdef0123456789abcde4.md>)",
    "Done",
    "Ada",
    "two coats, blue",
  ],
  ["Fix \\| window", "Open", "Bo", 'line one<br>line "two"'],
];

const plainNotion = (text: string, path: string): string =>
  path.endsWith(".csv")
    ? [database[0], ["---", "---", "---", "---"], ...database.slice(1)]
        .map((row) => `| ${row?.join(" | ")} |`)
        .join("\n")
    : text.replaceAll(
        /<aside>\n([\s\S]*?)\n*<\/aside>/g,
        (_, inner: string) => `> [!NOTE]\n> ${inner.replaceAll("\n", "\n> ")}`,
      );

/** Containers with blank lines around their text, as they are exported. */
const plainContainers = (text: string): string =>
  text
    .replaceAll(/^::: ?(\w+)\n+([\s\S]*?)\n+:::$/gm, ":::$1\n\n$2\n\n:::")
    .replaceAll(/ " =\d+x\d+"\)/g, ")")
    .replaceAll(/ width="120" \/>/g, ">");

const sources: Readonly<Record<string, Sample>> = {
  "an Obsidian vault": {
    folder: "obsidian",
    summary: { product: "obsidian", imported: 5, attached: 2, unusedKeys: { cssclasses: 1 } },
    plain: plainObsidian,
    targets: { "Daily/plan.png": "Media/2024/plan.png" },
  },
  "a Notion export": { folder: "notion", summary: { product: "notion", imported: 4, attached: 1 }, plain: plainNotion },
  "an Outline export in Markdown": {
    folder: "outline-markdown",
    summary: { imported: 2, folders: 1, attached: 1, report: { counts: {} } },
    plain: plainContainers,
    targets: { "Handbook/uploads/u1/a1/map.png": "uploads/u1/a1/map.png" },
  },
  "a Docusaurus site": {
    folder: "docusaurus",
    summary: { imported: 4, attached: 1, report: { counts: { raw_construct: 2, unresolved_link: 1, unused_key: 2 } } },
    plain: plainContainers,
    targets: {
      "docs/guides/install": "docs/guides/install.md",
      "docs/tutorial/first": "docs/tutorial/01-first.md",
      "docs/": "docs/01-intro.md",
      "img/logo.png": "static/img/logo.png",
    },
  },
  "a VitePress site": {
    folder: "vitepress",
    summary: { imported: 3, attached: 1, unusedKeys: { layout: 1 } },
    plain: plainContainers,
    targets: {
      "": "index.md",
      "guide/start.html": "guide/start.md",
      "guide/start": "guide/start.md",
      "guide/api": "guide/api.md",
      "guide/api.html": "guide/api.md",
      "logo.png": "public/logo.png",
    },
  },
  "an mdBook": {
    folder: "mdbook",
    summary: { imported: 4 },
    targets: {
      "src/zebra.html": "src/zebra.md",
      "src/part/index.html": "src/part/README.md",
      "src/part/apple.html": "src/part/apple.md",
    },
  },
};

describe("kb import of products, and kb export of it", { timeout: 240_000 }, () => {
  it.each(Object.entries(sources))("%s is shown alike afterwards, links included", async (name, sample) => {
    const source = join(samples, sample.folder);
    const { summary, pages } = await roundTrip(home, source, sample.folder);
    expect(summary).toMatchObject({ ...sample.summary, skipped: [] });
    const different: { path: string; before: string; after: string }[] = [];
    const files = [...pages].filter(([path]) => /\.\w+$/.test(path));
    for (const [path, { text, targetOf }] of files) {
      const written = readFileSync(join(source, path), "utf8");
      const before = shownMarkdown(sample.plain?.(written, path) ?? written, (address) => {
        const target = pathOf(address, path);
        if (target === undefined) return undefined;
        const meant = sample.targets?.[target.path] ?? target.path;
        return sourceTarget(source, meant, target.fragment);
      });
      const after = shownMarkdown(text, (address) => targetOf(address) ?? missing(source, address, path));
      if (before !== after) different.push({ path, before, after });
    }
    console.log(`${name}: ${files.length - different.length} of ${files.length} pages are shown alike`);
    expect(different).toEqual([]);
  });

  it("the pages of a Confluence export have the words, links and pictures of its HTML", async () => {
    const source = join(samples, "confluence/SPACE");
    const { summary, pages } = await roundTrip(home, source, "confluence");
    expect(summary).toMatchObject({
      product: "confluence",
      imported: 2,
      folders: 0,
      attached: 2,
      report: { counts: {} },
    });
    const [plan, top] = ["Release-plan_1002.html", "Our-space_1001.html"].map((path) => pages.get(path));
    const found = plan?.text.replace(/\/Our space\//g, "");
    expect(found).toContain("| Step | Who |\n| --- | --- |\n| Build | Ada \\| Bo |");
    expect(found).toContain("```java\nint a = 1 < 2;\nreturn a;\n```");
    expect(found).toContain("- [ ] open\n- [x] done");
    expect(found).toContain("Smile 🙂");
    expect(found).toMatch(/## Attachments\n\n- \[plan\.pdf\]\(\S+uploads\/2002\.pdf\)/);
    expect(top?.text).toContain("> [!WARNING] Mind\n> No \\*stars\\* and no \\<script>.");
    for (const [path, page] of pages) {
      const html = readFileSync(join(source, path), "utf8");
      const main = /<div id="main-content"[^>]*>([\s\S]*?)\n<\/div>(?=\n|<\/div>)/.exec(html)?.[1] ?? "";
      const written = main
        .replace(/<div class="toc-macro[\s\S]*?<\/div>/, "")
        .replace(/<img class="emoticon[^>]*>/, "🙂")
        .replace('<p class="title">', "<p>[!warning] ");
      const before = shownHtml(written, (address) => sourceTarget(source, address));
      const after = shownMarkdown(page.text.replace(/## Attachments[\s\S]*$/, ""), page.targetOf);
      expect(words(after), path).toBe(words(before));
    }
  });

  it("the documents of an Outline JSON export keep order, place, date, text, links and pictures", async () => {
    const source = join(samples, "outline-json");
    const { summary, pages } = await roundTrip(home, source, "outline-json");
    expect(summary).toMatchObject({
      product: "outline",
      imported: 2,
      attached: 1,
      report: { counts: { left_out: 1 }, findings: [{ detail: "Outline's strange_thing" }] },
    });
    const rules = "Welcome abcdefghij/Rules klmnopqrst.md";
    const welcome = pages.get("Welcome abcdefghij.md");
    const expected = [
      "## Start",
      `Read [**the rules**](/rules) or [Rules](/rules) with \`signs\` & &lt;b>.<br>![map](/map)`,
      ":::tip\n\nBe kind\n\n:::",
      "- [x] done",
      "| A |\n| :-: |\n| 1 \\| 2 |",
    ].join("\n\n");
    const picture = sourceTarget(source, "uploads/u/a/map.png");
    const before = shownMarkdown(expected.replace("`signs`", "\\`signs\\`"), (address) =>
      address === "/rules" ? rules : picture,
    );
    expect(shownMarkdown(welcome?.text ?? "", welcome?.targetOf ?? (() => undefined))).toBe(before);
    expect(welcome?.text).toMatch(/^---\ntitle: Welcome\nemoji: 👋\n---/);
    expect(pages.get(rules)?.text).toMatch(
      /^---\ntitle: Rules\ndraft: true\n---\n\n3\. ==third==\n\n```javascript\na < b\n```\n\nkept\n$/,
    );
    const { id: teamId } = await admin.findTeam(serviceOf(test.database, home.settings), undefined);
    const created = await test.database.client.document.findFirst({ where: { teamId, title: "Welcome", emoji: "👋" } });
    expect(created?.createdAt.toISOString()).toBe("2020-02-03T04:05:06.000Z");
  });
});

const words = (shown: string): string =>
  wordsAndTargets(shown)
    .replaceAll("[!warning]", "")
    .replaceAll(/\s|\[[ x]\]/g, "");

/** An address that the source does not have either stays as it was. */
function missing(source: string, address: string, path: string): string | undefined {
  const target = pathOf(address, path);
  return target === undefined ? undefined : sourceTarget(source, target.path, target.fragment);
}
