import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Field, fieldsOf, jsonSchema, textTypeOf } from "./fields.ts";

const named = (schema: z.ZodType): Record<string, Field> =>
  Object.fromEntries(fieldsOf(jsonSchema(schema, "input")).map((field) => [field.name, field]));

describe("the fields of an input", () => {
  it("of an object are its keys; a field with a default is not required", () => {
    const fields = named(z.strictObject({ a: z.string(), b: z.int().default(1), c: z.boolean().optional() }));
    expect(Object.values(fields).map(({ name, required }) => [name, required])).toEqual([
      ["a", true],
      ["b", false],
      ["c", false],
    ]);
  });

  it("of a union are the fields of all its objects: required if each of them requires it, with the types of all", () => {
    const fields = named(
      z.discriminatedUnion("op", [
        z.strictObject({ op: z.literal("append"), markdown: z.string() }),
        z.strictObject({ op: z.literal("replace"), newText: z.string() }),
      ]),
    );
    expect(fields.op).toMatchObject({ required: true, schema: { anyOf: [{ const: "append" }, { const: "replace" }] } });
    expect(fields.markdown).toMatchObject({ required: false, schema: { type: "string" } });
    expect(fields.newText).toMatchObject({ required: false });
  });

  it("of a named schema are found through its reference", () => {
    const Color = z.string().meta({ id: "FieldsTestColor", maxLength: 7 });
    expect(named(z.object({ a: Color, b: Color })).b?.schema).toMatchObject({ type: "string", maxLength: 7 });
  });

  it("are read by their type, without null and other types", () => {
    const reading = (schema: z.ZodType) => textTypeOf(jsonSchema(schema, "input"));
    expect(reading(z.int().nullable())).toEqual({ type: "integer", repeatable: false });
    expect(reading(z.string().nullable())).toEqual({ type: "string", repeatable: false });
    expect(reading(z.array(z.boolean()))).toEqual({ type: "boolean", repeatable: true });
    expect(reading(z.union([z.string(), z.array(z.string())]))).toEqual({ type: "string", repeatable: true });
    expect(reading(z.enum(["a", "b"]))).toEqual({ type: "string", repeatable: false });
  });
});
