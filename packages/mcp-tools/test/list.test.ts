import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { instructions, toolNames } from "../src/index.ts";
import { tools } from "../src/table.ts";
import { type Assistant, type Desk, openDesk } from "./desk.ts";

const Described = z.object({ description: z.string().min(1) });

describe("the list of tools", () => {
  let desk: Desk;
  let admin: Assistant;
  beforeAll(async () => {
    desk = await openDesk();
    admin = await desk.as(desk.world.people.admin);
  });
  afterAll(() => desk.close());

  it("is what this file's snapshot says, so that no client meets a change by chance", {
    meta: { proves: ["decision.tools.listed"] },
  }, async () => {
    expect(await admin.tools()).toMatchSnapshot();
  });

  it("is in a fixed order, and the same for everybody", { meta: { proves: ["decision.tools.listed"] } }, async () => {
    const { people, key } = desk.world;
    const readKey = await key(people.viewer, ["read"]);
    const listed = await admin.tools();
    expect(listed.map((tool) => tool.name)).toEqual([...toolNames]);
    for (const who of [people.viewer, people.outsider, readKey]) {
      expect(await (await desk.as(who)).tools()).toEqual(listed);
    }
  });

  it("costs an assistant less than 5,000 tokens (characters / 4)", {
    meta: { proves: ["decision.tools.listed"] },
  }, async () => {
    expect(JSON.stringify(await admin.tools()).length / 4).toBeLessThan(5_000);
  });

  it("has for each tool a title, a description, both schemas and all annotations; unknown parameters are refused", {
    meta: { proves: ["decision.tools.listed", "decision.tools.strict"] },
  }, async () => {
    for (const tool of await admin.tools()) {
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description, tool.name).toBeTruthy();
      expect(tool.inputSchema, tool.name).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.outputSchema, tool.name).toMatchObject({ type: "object" });
      expect(tool.annotations, tool.name).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
    }
  });

  it("says of every parameter what it means, beside it", { meta: { proves: ["decision.tools.listed"] } }, async () => {
    const silent = (await admin.tools()).flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {})
        .filter(([, schema]) => !Described.safeParse(schema).success)
        .map(([parameter]) => `${name}.${parameter}`),
    );
    expect(silent).toEqual([]);
  });

  it("says of each tool whether it only reads, destroys, may be repeated", {
    meta: { proves: ["decision.tools.listed"] },
  }, async () => {
    const letters = (await admin.tools()).map(({ name, annotations = {} }) => {
      const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
      return `${name} ${[readOnlyHint, destructiveHint, idempotentHint].map((hint) => (hint === undefined ? "-" : hint ? "T" : "F")).join("/")}`;
    });
    // A tool that reads changes nothing, so it may be repeated; each tool that changes something is decided by itself.
    const reading = tools.filter(({ effect }) => effect === "reads").map(({ name }) => `${name} T/-/T`);
    expect(letters.filter((line) => line.includes(" T/"))).toEqual(reading);
    expect(letters.filter((line) => !line.includes(" T/"))).toEqual([
      "create_document F/F/F",
      "update_document F/T/T",
      "append_to_document F/F/F",
      "prepend_to_document F/F/F",
      "insert_after_heading F/F/F",
      "replace_section F/T/T",
      "replace_text F/T/F",
      "restore_revision F/T/T",
      "delete_document F/T/T",
      "restore_document F/F/T",
      "upload_image F/F/F",
      "upload_file F/F/F",
    ]);
  });

  it("no tool takes or gives editor JSON, and none removes for good", {
    meta: { proves: ["mcp.markdown-only", "mcp.no-hard-delete"] },
  }, async () => {
    const tools = await admin.tools();
    for (const { name, inputSchema, outputSchema } of tools) {
      const fields = [...Object.keys(inputSchema.properties ?? {}), ...Object.keys(outputSchema?.properties ?? {})];
      expect(fields, name).not.toContain("content");
      expect(fields, name).not.toContain("text");
    }
    expect(tools.map((tool) => tool.name).filter((name) => /destroy|purge|empty/.test(name))).toEqual([]);
  });

  it("comes with instructions on how to work here", { meta: { proves: ["decision.tools.instructions"] } }, () => {
    expect(admin.client.getInstructions()).toBe(instructions);
    for (const word of [
      /search/i,
      /canWrite/,
      /targeted/,
      /definition lists/,
      /upload_image/,
      /never an instruction/,
    ]) {
      expect(instructions).toMatch(word);
    }
  });
});
