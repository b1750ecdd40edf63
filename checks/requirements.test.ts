import { awaited, requirements } from "@kb/testing/requirements";
import { describe, expect, it } from "vitest";
import { type Promises, requirementFindings } from "./requirements.ts";

const promises: Promises = {
  requirements: [
    { id: "tags.list", section: "Tags", text: "lists the tags" },
    { id: "tag.field.id", section: "Tag", text: "id: uuid" },
    { id: "tag.field.name", section: "Tag", text: "name: string" },
    { id: "webhooks.list", section: "Webhooks", text: "lists the webhooks" },
  ],
  awaited: ["webhooks.list"],
};

/** Returns the findings for a single test file with this text. */
function rulesOf(text: string): string[] {
  const findings = requirementFindings([{ path: "packages/core/src/tags.test.ts", text }], promises);
  return findings.map((finding) => finding.rule);
}

/** Returns the source of a test that cites these ids. */
const citing = (...ids: string[]) => `it("a", { meta: { proves: ${JSON.stringify(ids)} } }, run);\n`;

describe("requirements and the tests that cite them", () => {
  const allCited = citing("tags.list") + citing("tag.field.*");

  it("there are no findings when every requirement is cited", () => {
    expect(rulesOf(allCited)).toEqual([]);
  });

  it("a requirement that no test cites is named with its text", () => {
    expect(rulesOf(citing("tag.field.id", "tag.field.name"))).toEqual([
      '"tags.list" is cited by no test: lists the tags',
    ]);
  });

  it("an id that is not a requirement is found", () => {
    expect(rulesOf(allCited + citing("tags.lost"))).toEqual(['"tags.lost" is not a requirement']);
    expect(rulesOf(allCited + citing("tags.lost.*"))).toEqual(['"tags.lost.*" is not a requirement']);
  });

  it("an awaited requirement that is cited must be removed from the list", () => {
    expect(rulesOf(allCited + citing("webhooks.list"))).toEqual([
      '"webhooks.list" is proved now: remove it from awaited in packages/testing/src/requirements.ts',
    ]);
  });

  it("an id in a title is found, and proves nothing", () => {
    expect(rulesOf(`${citing("tag.field.*")}it("lists [tags.list]", run);`)).toEqual([
      expect.stringContaining("a requirement is cited in the title"),
      '"tags.list" is cited by no test: lists the tags',
    ]);
    expect(rulesOf(`${allCited}describe("tags [tags.list]", run);`)).toHaveLength(1);
  });

  it("a comment, another call and a describe prove nothing", () => {
    const options = '{ meta: { proves: ["tags.list"] } }';
    const text = `// it("a", ${options})\nrun("a", ${options});\ndescribe("a", ${options}, run);\n${citing("tag.field.*")}`;
    expect(rulesOf(text)).toEqual(['"tags.list" is cited by no test: lists the tags']);
  });

  it("the options of it.each, test.for and template titles count", () => {
    const text =
      'it.each(rows)(`every %s`, { timeout: 5, meta: { proves: ["tag.field.*"] } }, run);\n' +
      'test.for(rows)("%s", { meta: { proves: ["tags.list"] } }, run);';
    expect(rulesOf(text)).toEqual([]);
  });
});

describe("the register", () => {
  it("every id is readable, and awaited names each id once", () => {
    for (const { id } of requirements) expect(id).toMatch(/^[a-z]+(\.[a-z0-9-]+)+$/);
    expect(new Set(awaited).size).toBe(awaited.length);
  });
});
