import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { admin } from "@kb/core";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { splitFrontMatter } from "@kb/importer/testing";
import { type NameOfTarget, pageOf, type Renderer, renderers } from "@kb/testing/renderers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { type Home, makeHome } from "./process.ts";
import { type RoundTrip, roundTrip } from "./round-trip.ts";

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

const sample = fileURLToPath(new URL("../../../packages/markdown-codec/test/sample", import.meta.url));
const corpus = process.env.KB_CORPUS;
const name =
  corpus === undefined ? "the sample in the repository (KB_CORPUS may name another folder)" : "the folder KB_CORPUS";
const leastShare = 0.97;
const leastFiles = 300;
/** How many files are compared, evenly spread; all of them are imported and exported. */
const mostCompared = Number(process.env.KB_EXPORT_DOCUMENTS ?? 500);

const markdownFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .sort();

/** Copies the sample, whose files name hardly any other, with links from each to the next. */
function linkedSample(folder: string): string {
  cpSync(sample, folder, { recursive: true });
  const paths = markdownFiles(folder);
  for (const [index, path] of paths.entries()) {
    const next = paths[(index + 1) % paths.length] ?? path;
    const links = `Go [on](${posix.relative(posix.dirname(path), next)}#part) or <a href="/${next}">there</a>.`;
    writeFileSync(join(folder, path), `${readFileSync(join(folder, path), "utf8")}\n\n${links}\n`);
  }
  return folder;
}

/** The path of a page or folder in the source, by each address that a reader of the source takes for it. */
function pagesByAddress(paths: readonly string[]): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  for (const path of paths) {
    const bare = path.replace(/\.md$/, "");
    for (const address of [path, bare, bare.replace(/(?:^|\/)index$/, "")]) pages.set(address.toLowerCase(), path);
  }
  for (const path of paths) {
    for (let above = posix.dirname(path); above !== "."; above = posix.dirname(above)) {
      if (!pages.has(above.toLowerCase())) pages.set(above.toLowerCase(), above);
    }
  }
  return pages;
}

/** Names the pages that the addresses of a source file mean; other addresses stay. */
function sourceNames(pages: ReadonlyMap<string, string>, from: string): NameOfTarget {
  return (address) => {
    const [, path = "", fragment = ""] =
      /^(?![a-z][a-z0-9+.-]*:|\/\/|#)([^?#]+)(?:\?[^#]*)?(#.*)?$/i.exec(address) ?? [];
    const absolute = path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(from), path);
    const page = path === "" ? undefined : pages.get(decoded(absolute).replace(/\/$/, "").toLowerCase());
    return page === undefined ? decoded(address) : `page ${page}${decoded(fragment)}`;
  };
}

/** Names the pages that the addresses of an exported file mean; other addresses stay. */
const exportedNames =
  (targetOf: (address: string) => string | undefined): NameOfTarget =>
  (address) => {
    const target = targetOf(address);
    return decoded(target === undefined ? address : `page ${target}`);
  };

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** The page that a renderer shows. A line of pictures is shown alike whether it is HTML or a paragraph. */
const shown = (renderer: Renderer, markdown: string, nameOf: NameOfTarget): string =>
  pageOf(renderer, markdown, nameOf).replaceAll(/<p>((?:<img [^<>]*>)+)<\/p>/g, "$1");

/** The files whose page a renderer shows otherwise after the round trip, and the number of links to pages. */
function compare(renderer: Renderer, folder: string, pages: RoundTrip["pages"], paths: readonly string[]) {
  const byAddress = pagesByAddress(markdownFiles(folder));
  let links = 0;
  let leftOut = 0;
  const different = paths.filter((path) => {
    const page = pages.get(path);
    if (page === undefined) return true;
    const source = splitFrontMatter(readFileSync(join(folder, path), "utf8")).body;
    const exported = splitFrontMatter(page.text).body.replace(/^\n/, "");
    if (renderer.mistakes(source) || renderer.mistakes(exported)) {
      leftOut += 1;
      return false;
    }
    const before = shown(renderer, source, sourceNames(byAddress, path));
    const after = shown(renderer, exported, exportedNames(page.targetOf));
    links += before.split('"page ').length - 1;
    return before !== after;
  });
  return { different, links, compared: paths.length - leftOut };
}

describe("kb import and kb export of a folder", { timeout: 3_600_000 }, () => {
  it("return files that independent readers show as before, links included", async () => {
    const folder = corpus ?? linkedSample(join(home.folder, "sample"));
    const paths = markdownFiles(folder);
    expect(paths.length).toBeGreaterThanOrEqual(leastFiles);
    const { summary, pages } = await roundTrip(home, folder, "Everything");
    expect(summary).toMatchObject({ imported: paths.length, skipped: [] });
    const step = Math.ceil(paths.length / mostCompared);
    const chosen = paths.filter((_, index) => index % step === 0);
    const counts = renderers.map((renderer) => ({ renderer, ...compare(renderer, folder, pages, chosen) }));
    for (const { renderer, different, links, compared } of counts) {
      const share = (100 * (1 - different.length / compared)).toFixed(1);
      process.stdout.write(`${name}: ${renderer.name} ${share} % of ${compared} files, ${links} links to pages\n`);
    }
    for (const { different, compared } of counts) {
      expect(different.length, different.join("\n")).toBeLessThanOrEqual((1 - leastShare) * compared);
    }
  });
});
