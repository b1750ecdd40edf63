import { ServiceError } from "@kb/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldsOf, jsonSchema } from "./fields.ts";
import { queryReader } from "./query-string.ts";

const input = z.strictObject({
  limit: z.int().min(1).max(100).default(25),
  ratio: z.number().optional(),
  deleted: z.boolean().optional(),
  status: z.array(z.enum(["draft", "published"])).optional(),
  tags: z
    .string()
    .transform((names) => names.split(","))
    .optional(),
  parent: z.uuid().nullable().optional(),
  count: z.int().nullable().optional(),
  numbers: z.array(z.int()).optional(),
});

const read = (query: string, schema: z.ZodType = input): Record<string, unknown> =>
  queryReader(fieldsOf(jsonSchema(schema, "input")))(new URLSearchParams(query));

function problems(query: string): unknown {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, details: error.details };
  }
  return "accepted";
}

it("an error names at most 100 unknown parameters", () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `unknown${index}`);
  const details = names.slice(0, 100).map((path) => ({ path, message: "Unknown query parameter" }));
  expect(problems(names.join("&"))).toEqual({ code: "validation_error", details });
});

describe("a query string is decoded by the declared types", () => {
  it("a boolean is true or false", () => {
    expect(read("deleted=true")).toEqual({ deleted: true });
    expect(read("deleted=false")).toEqual({ deleted: false });
  });

  it.each(["1", "0", "yes", "TRUE", ""])("a boolean written as %j remains text, which the schema rejects", (text) => {
    expect(input.safeParse(read(`deleted=${text}`)).success).toBe(false);
  });

  it("an integer is a number", () => {
    expect(read("limit=10&count=-3")).toEqual({ limit: 10, count: -3 });
  });

  it.each(["1e2", "0x10", "+5", "1.0", "05", " 5", "", "١", "99999999999999999999"])(
    "an integer written as %j is rejected",
    (text) => {
      expect(input.safeParse(read(new URLSearchParams({ limit: text }).toString())).success).toBe(false);
    },
  );

  it("a number may have a fraction", () => {
    expect(read("ratio=1.5")).toEqual({ ratio: 1.5 });
    expect(input.safeParse(read("ratio=Infinity")).success).toBe(false);
  });

  it("a repeatable parameter is a list, even with one value", () => {
    expect(read("status=draft")).toEqual({ status: ["draft"] });
    expect(read("status=draft&status=published")).toEqual({ status: ["draft", "published"] });
    expect(read("numbers=1&numbers=2")).toEqual({ numbers: [1, 2] });
  });

  it("text is passed to the operation unchanged", () => {
    expect(read("tags=a,b")).toEqual({ tags: "a,b" });
    expect(read("parent=null")).toEqual({ parent: "null" });
  });

  it("unknown query parameters are a validation error that names them", {
    meta: { proves: ["decision.api.unknown-query-parameter"] },
  }, () => {
    expect(problems("foo=1&limit=3&bar=2")).toEqual({
      code: "validation_error",
      details: [
        { path: "foo", message: "Unknown query parameter" },
        { path: "bar", message: "Unknown query parameter" },
      ],
    });
    expect(problems("__proto__=1")).toMatchObject({ details: [{ path: "__proto__" }] });
  });

  it("a repeated parameter that is not a list is a validation error that names it", () => {
    expect(problems("limit=1&limit=2")).toEqual({
      code: "validation_error",
      details: [{ path: "limit", message: "May be given only once" }],
    });
  });

  it("a union of objects accepts the parameters of all of them", () => {
    const union = z.union([
      z.strictObject({ kind: z.literal("a"), limit: z.int() }),
      z.strictObject({ kind: z.literal("b"), flag: z.boolean() }),
    ]);
    expect(read("kind=b&flag=true", union)).toEqual({ kind: "b", flag: true });
    expect(read("kind=a&limit=2", union)).toEqual({ kind: "a", limit: 2 });
  });
});
