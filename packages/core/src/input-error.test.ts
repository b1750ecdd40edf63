import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inputError, wording } from "./input-error.ts";

const schema = z.strictObject({
  name: z.string(),
  limit: z.int().min(1).max(100).optional(),
  deleted: z.boolean().optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  status: z.enum(["draft", "published"]).optional(),
  tags: z.array(z.string()).optional(),
  id: z.guid().optional(),
  page: z.int().optional(),
  names: z.array(z.string()).max(2).optional(),
  note: z.string().min(1).max(3).optional(),
  edit: z.discriminatedUnion("op", [z.object({ op: z.literal("a") }), z.object({ op: z.literal("b") })]).optional(),
  either: z.union([z.string(), z.int()]).optional(),
});

const detailsOf = (input: unknown) => {
  const parsed = schema.safeParse(input, { error: wording });
  return parsed.success ? [] : (inputError(parsed.error).details ?? []);
};

describe("the error of an invalid input", () => {
  it.each([
    [{}, "name", "Required"],
    [{ name: 1 }, "name", "Must be text"],
    [{ name: "", limit: "x" }, "limit", "Must be a number, such as 25"],
    [{ name: "", limit: 1.5 }, "limit", "Must be a whole number"],
    [{ name: "", limit: 0 }, "limit", "Must be at least 1"],
    [{ name: "", limit: 101 }, "limit", "Must be at most 100"],
    [{ name: "", deleted: "yes" }, "deleted", "Must be true or false"],
    [{ name: "", status: "x" }, "status", "Must be one of draft, published"],
    [{ name: "", id: "x" }, "id", "Must be a UUID"],
    [{ name: "", tags: [1] }, "tags.0", "Must be text"],
    [{ name: "", page: 1e300 }, "page", "Must be at most 9007199254740991"],
    [{ name: "", page: -1e300 }, "page", "Must be at least -9007199254740991"],
    [{ name: "", names: ["a", "b", "c"] }, "names", "At most 2 entries"],
    [{ name: "", note: "" }, "note", "Must not be empty"],
    [{ name: "", note: "long" }, "note", "At most 3 characters"],
    [{ name: "", edit: { op: "c" } }, "edit.op", "Must be one of a, b"],
    [{ name: "", either: true }, "either", "None of the accepted forms"],
  ])("says of %j what is wanted at its place", (input, path, message) => {
    expect(detailsOf(input)).toEqual([{ path, message }]);
  });

  it("shows what a time looks like, and that + has to be encoded", () => {
    expect(detailsOf({ name: "", since: "2026-01-01T00:00:00 02:00" })[0]?.message).toMatch(/Z \(.*%2B/);
  });

  it("lists at most 100 places, and cuts a key that is longer than 200 characters", () => {
    expect(detailsOf({ name: "", tags: Array.from({ length: 500 }, () => 1) })).toHaveLength(100);
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, 1]));
    expect(detailsOf({ name: "", ...unknown })).toHaveLength(100);
    expect(detailsOf({ name: "", ["k".repeat(5_000)]: 1 })[0]?.path).toBe(`${"k".repeat(200)}…`);
  });
});
