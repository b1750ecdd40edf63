import { expect, it } from "vitest";
import { z } from "zod";
import { inputError, wording } from "./input-error.ts";
import * as operations from "./operations.ts";

const values: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e300,
  "",
  "x",
  "\u0000\ud800",
  "a".repeat(20_000),
  "https://example.com/\n",
  [],
  [null, "x", "x", 1],
  Array.from({ length: 2_000 }, () => "x"),
  {},
  { "": 1, unknown: null },
];

/** Returns wrong values for a schema: those of every kind, and for what it contains, objects and lists with a wrong value each. */
function faultsOf(schema: z.core.$ZodType, depth = 0): unknown[] {
  if (depth > 6) return [];
  const inner = (child: z.core.$ZodType): unknown[] => faultsOf(child, depth + 1);
  if (schema instanceof z.ZodObject) {
    const nested = Object.entries(schema.shape).flatMap(([key, child]) =>
      inner(child).map((fault) => ({ [key]: fault })),
    );
    return [...values, ...nested];
  }
  if (schema instanceof z.ZodArray) return [...values, ...inner(schema.element).map((fault) => [fault])];
  if (schema instanceof z.ZodRecord) return [...values, ...inner(schema.valueType).map((fault) => ({ key: fault }))];
  if (schema instanceof z.ZodDiscriminatedUnion || schema instanceof z.ZodUnion) {
    return [...values, ...schema.options.flatMap((option: z.core.$ZodType) => inner(option))];
  }
  if (schema instanceof z.ZodPipe) return inner(schema.in);
  const wraps = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return wraps ? inner(schema.unwrap()) : [...values];
}

/** The beginnings of the messages that zod has for issues which nobody worded. */
const rawMessage =
  /^(Invalid (input|string|discriminator|element|key|value|option|UUID|GUID|URL|email)|Too (big|small)|Unrecognized)/;

it("every wrong value of every input is answered in a sentence of our own, never in one of zod", () => {
  const raw = new Set<string>();
  let count = 0;
  for (const { name, input } of Object.values(operations)) {
    for (const fault of faultsOf(input)) {
      const parsed = input.safeParse(fault, { error: wording });
      if (parsed.success) continue;
      for (const { path, message } of inputError(parsed.error).details ?? []) {
        count += 1;
        if (rawMessage.test(String(message))) raw.add(`${name} ${path}: ${message}`);
      }
    }
  }
  expect(count).toBeGreaterThan(10_000);
  expect([...raw]).toEqual([]);
});

it("the messages of zod would be noticed", () => {
  const schema = z.strictObject({
    text: z.string().startsWith("a").max(3),
    list: z.array(z.int()),
    kind: z.enum(["a"]),
  });
  const messages = [
    { text: "b" },
    { text: "aaaa", list: [1.5], kind: "a" },
    { text: "a", list: [], kind: "b", more: 1 },
  ]
    .flatMap((given) => schema.safeParse(given).error?.issues ?? [])
    .map(({ message }) => message);
  expect(messages.length).toBeGreaterThan(4);
  expect(messages.filter((message) => !rawMessage.test(message))).toEqual([]);
});
