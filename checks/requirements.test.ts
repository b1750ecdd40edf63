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

/** What is wrong when one test file has this text. */
function rulesOf(text: string): string[] {
  const findings = requirementFindings([{ path: "packages/core/src/tags.test.ts", text }], promises);
  return findings.map((finding) => finding.rule);
}

describe("requirements and the tests that cite them", () => {
  const allCited = 'it("lists [tags.list]", run);\nit("every field [tag.field.*]", run);\n';

  it("nothing is to mend when every requirement is cited", () => {
    expect(rulesOf(allCited)).toEqual([]);
  });

  it("a requirement that no test cites is named with its text", () => {
    expect(rulesOf('it("a [tag.field.id] b [tag.field.name]", run);')).toEqual([
      "[tags.list] is cited by no test: lists the tags",
    ]);
  });

  it("an id that is no requirement is found", () => {
    expect(rulesOf(`${allCited}it("x [tags.lost]", run);`)).toEqual(["[tags.lost] is no requirement"]);
    expect(rulesOf(`${allCited}it("x [tags.lost.*]", run);`)).toEqual(["[tags.lost.*] is no requirement"]);
  });

  it("an awaited requirement that is cited has to leave the list", () => {
    expect(rulesOf(`${allCited}it("x [webhooks.list]", run);`)).toEqual([
      "[webhooks.list] is proved now: take it out of awaited in packages/testing/src/requirements.ts",
    ]);
  });

  it("a comment, another string and a describe prove nothing", () => {
    const text =
      '// it("[tags.list]")\nconst a = "[tags.list]";\ndescribe("[tags.list]", run);\nit("[tag.field.*]", run);';
    expect(rulesOf(text)).toEqual(["[tags.list] is cited by no test: lists the tags"]);
  });

  it("titles of it.each, it.for and template literals count", () => {
    const text = "it.each(rows)(`every %s [tag.field.*]`, run);\ntest.for(rows)('%s [tags.list]', run);";
    expect(rulesOf(text)).toEqual([]);
  });
});

describe("the register", () => {
  it("every id is readable, and awaited names each id once", () => {
    for (const { id } of requirements) expect(id).toMatch(/^[a-z]+(\.[a-z0-9-]+)+$/);
    expect(new Set(awaited).size).toBe(awaited.length);
  });
});
