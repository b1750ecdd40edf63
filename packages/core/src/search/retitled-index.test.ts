import { callerOf, createWorld, type TestCaller, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexDocument } from "./index-document.ts";
import { retitledIndex } from "./retitled-index.ts";

let store: TestDatabase;
let world: World;
let editor: TestCaller;

beforeAll(async () => {
  store = await testDatabase();
  world = await createWorld(store.database);
  editor = callerOf(world, world.people.editor);
});
afterAll(() => store?.drop());

/** Returns a vector as PostgreSQL writes it. */
async function written(vector: string): Promise<string> {
  const [row] = await store.database.rows<{ vector: string }>(sql`SELECT (${vector}::tsvector)::text AS vector`);
  return row?.vector ?? "";
}

type Fields = { tags: string[]; headings: string[]; text: string; addresses: string[] };

/** Returns the index that a stored document gets by a new title, and the one that all of its fields make. */
async function bothWays(fields: Fields, before: string, after: string) {
  const { folded, vector } = indexDocument({ ...fields, title: before });
  const quick = retitledIndex({ folded, vector: await written(vector), text: fields.text }, before, after);
  const whole = indexDocument({ ...fields, title: after });
  const stored = { folded: whole.folded, vector: await written(whole.vector) };
  return { quick: quick && { folded: quick.folded, vector: await written(quick.vector) }, stored, terms: quick?.terms };
}

const words = [
  ..."alpha beta a b c c++ c# a.b b.c a.b.c kb-mcp-stdio mcp-stdio stdio 12 123 été ete Ёлка 依赖 依 赖依赖 ไทย 🚀 O'Brien".split(
    " ",
  ),
  "x".repeat(120),
  `${"y".repeat(60)}.${"z".repeat(60)}`,
  "#",
  "—",
];
const phrase = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((found) => found.join(" "));
const address = fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((found) => found.join("/"));
const fields = fc.record({
  tags: fc.array(phrase, { maxLength: 2 }),
  headings: fc.array(phrase, { maxLength: 2 }),
  text: fc.array(phrase, { maxLength: 5 }).map((lines) => lines.join("\n")),
  addresses: fc.array(address, { maxLength: 2 }),
});

describe("the index under a new title", () => {
  it("equals that of the whole document, or is left to it", async () => {
    let left = 0;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fields, phrase, phrase, async (document, before, after) => {
        const { quick, stored } = await bothWays(document, before, after);
        runs += 1;
        if (quick === undefined) left += 1;
        else expect(quick).toEqual(stored);
      }),
      { numRuns: 400 },
    );
    expect(left).toBeLessThan(runs / 2);
  });

  const plain = {
    tags: ["guide"],
    headings: ["Install"],
    text: "Install node twice: node.",
    addresses: ["example.org/node"],
  };

  it.each([
    ["words that the text has, once and twice", "Before", "Install node twice"],
    ["words that leave for the text, the headings and the tags", "Install node twice, a guide", "After"],
    ["a word of an address that joins the title", "Before", "example.org"],
    ["a title without words", "Before", "—"],
    ["a first word after a title without words", "—", "After"],
  ])("is made without the content for %s", async (_, before, after) => {
    const { quick, stored } = await bothWays(plain, before, after);
    expect(quick).toEqual(stored);
  });

  it("needs the content where a word leaves the title that an address may have", async () => {
    expect((await bothWays(plain, "Example.org", "After")).quick).toBeUndefined();
  });

  it("needs the content where an earlier release indexed the document, or another title", () => {
    const { folded, vector } = indexDocument({ ...plain, title: "Before" });
    const text = plain.text;
    expect(retitledIndex({ folded, vector, text }, "Other", "After")).toBeUndefined();
    expect(retitledIndex({ folded, vector: vector.replace("'#3' ", ""), text }, "Before", "After")).toBeUndefined();
    expect(
      retitledIndex({ folded, vector: vector.replace("'=before':1A", ""), text }, "Before", "After"),
    ).toBeUndefined();
  });

  it("adds only the words of the title to the vocabulary", async () => {
    expect((await bothWays(plain, "Before", "Prefetching nodes")).terms).toEqual(["nodes", "prefetching"]);
  });
});

const body =
  "# Install\n\nSee [the guide](https://example.org/manual-of-node) for `node.js` and 依赖.\n\n- twice\n- twice\n";

it("a changed title leaves the stored index as if the document were written with it", async () => {
  const indexOf = async (id: string): Promise<unknown> => {
    const [row] = await store.database.rows(sql`SELECT b.folded, b.vector::text AS vector FROM document_bodies b
      WHERE b."teamId" = ${world.teamId}::uuid AND b."documentId" = ${id}::uuid`);
    return row;
  };
  const { id } = await editor.create({ title: "First words", text: body, tags: ["node"] });
  for (const title of ["Install node.js twice", "Manual of node", "依赖 guide", "First words"]) {
    await editor.update(id, { title });
    const fresh = await editor.create({ title, text: body, tags: ["node"] });
    expect(await indexOf(id)).toEqual(await indexOf(fresh.id));
  }
});
