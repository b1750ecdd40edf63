import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { listOf, type Part, part, resolve } from "./description.ts";

/** Existing ids, by the kind of resource. */
export type Known = { readonly documents: readonly string[]; readonly collections: readonly string[] };

/** Sources of generated values. `clean` values are valid on their own, but perhaps not together. */
export type Source = { readonly document: unknown; readonly known: Known; readonly clean: boolean };

/** Texts that are valid for a field of this name. */
const soundTexts: Readonly<Record<string, readonly string[]>> = {
  emoji: ["🚀", "👩‍🚀"],
  icon: ["🚀", "book-open"],
  color: ["#abc", "#A1B2C3"],
  heading: ["Guide", "guide"],
  oldText: ["steps"],
  text: ["# Guide\n\nsteps", "word *word*", ""],
  markdown: ["more", "- a\n- b"],
  tags: ["guide", "other"],
};

const soundBody = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "from JSON" }] }] };

/** Values of a schema; one in ten of another type altogether. */
export function valueArbitrary(source: Source, given: Part, name: string, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(source.document, given);
  const right = rightValue(source, schema, name, depth);
  if (source.clean) return right;
  return fc.oneof(
    { weight: 10, arbitrary: right },
    { weight: 1, arbitrary: fc.oneof(hostileText, fc.jsonValue({ maxDepth: 2 })) },
  );
}

function rightValue(source: Source, schema: Part, name: string, depth: number): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  const branches = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (branches.length > 0)
    return fc.oneof(...branches.map((branch) => valueArbitrary(source, branch, name, depth + 1)));
  const options = Array.isArray(schema.enum) ? schema.enum : [];
  if (options.length > 0) return fc.constantFrom(...options);
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "integer":
      if (source.clean) return name === "expectedRevision" ? fc.constant(1) : fc.integer({ min: 1, max: 5 });
      return fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, -1, 100, 101, 1000, 2 ** 31, 2 ** 53, 1.5));
    case "number":
      return fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, -0, 1e308, 5e-324));
    case "array":
      return fc.array(valueArbitrary(source, part(schema.items), name, depth + 1), { maxLength: 5 });
    case "object":
      return objectValue(source, schema, name, depth);
    default:
      return stringValue(source, schema, name);
  }
}

function objectValue(source: Source, schema: Part, name: string, depth: number): fc.Arbitrary<unknown> {
  if (schema.properties === undefined)
    return source.clean
      ? fc.constant(soundBody)
      : name === "content"
        ? editorJson
        : fc.dictionary(fc.string(), fc.jsonValue());
  const properties = Object.entries(part(schema.properties)).map(
    ([key, inner]) => [key, valueArbitrary(source, part(inner), key, depth + 1)] as const,
  );
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const named: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(properties);
  return fc.oneof(
    { weight: 9, arbitrary: fc.record(named, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(named, { requiredKeys: [] }) },
  );
}

function stringValue({ known, clean }: Source, schema: Part, name: string): fc.Arbitrary<string> {
  if (schema.format === "uuid") return idArbitrary(/collection/i.test(name) ? known.collections : known.documents);
  if (schema.format === "date-time") {
    if (clean) return fc.constantFrom("1970-01-01T00:00:00Z", new Date().toISOString());
    const moment = fc
      .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString());
    return fc.oneof(
      moment,
      fc.constantFrom(
        "1970-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59Z",
        "2026-02-30T00:00:00Z",
        "0000-01-01T00:00:00Z",
      ),
    );
  }
  if (clean) return fc.constantFrom(...(soundTexts[name] ?? ["guide", "steps", "two words", "guide"]));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("guide", "steps", "two words", "#abc", "rocket", "🚀", "kb") },
    { weight: 2, arbitrary: fc.array(markdownPiece, { maxLength: 12 }).map((pieces) => pieces.join("")) },
    { weight: 2, arbitrary: hostileText },
  );
}

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    "\u0000",
    "\ud800",
    "' OR 1=1 --",
    '"; DROP TABLE users',
    "%00",
    "../../etc",
    "<script>",
    "$1",
    "a".repeat(300),
  ),
  fc.constantFrom(
    "\u202e",
    "\ufeff",
    "e\u0301".repeat(50),
    "&|!:*()<->",
    "\\",
    '"',
    "-",
    "1e999",
    "null",
    "[object Object]",
  ),
);

const markdownPiece = fc.constantFrom(
  "# ",
  "## Steps {#x}\n",
  "\n\n",
  "\n",
  "- ",
  "1. ",
  "> ",
  "**",
  "*",
  "`",
  "```\n",
  "==",
  "~~",
  "| a |\n|---|\n",
  "word",
  " ",
  "[^1]",
  "\n[^1]: x\n",
  "[a](b)",
  "![i](https://example.org/i.png)",
  "![i](data:image/png;base64,AAAA)",
  ":rocket:",
  "<u>",
  "\\",
  "\t",
);

/** Trees that look like editor JSON, most of them wrong somewhere. */
const editorJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.record(
    {
      type: fc.constantFrom(
        "doc",
        "paragraph",
        "heading",
        "text",
        "bullet_list",
        "list_item",
        "table",
        "image",
        "code_block",
        "x",
      ),
      text: fc.oneof(hostileText, fc.constant("")),
      attrs: fc.oneof(
        fc.dictionary(
          fc.constantFrom("level", "id", "src", "href", "start", "__proto__"),
          fc.jsonValue({ maxDepth: 1 }),
        ),
        fc.constant(null),
      ),
      content: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie("node"), { maxLength: 3 })),
      marks: fc.array(
        fc.record({
          type: fc.constantFrom("bold", "strong", "link", "x"),
          attrs: fc.constant({ href: "javascript:1" }),
        }),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ["type"] },
  ),
  doc: fc.record({ type: fc.constant("doc"), content: fc.array(tie("node"), { maxLength: 3 }) }),
})).doc;

/** An id, most often one that exists. */
export function idArbitrary(known: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...known).map((id) => id.toUpperCase()) },
    { weight: 1, arbitrary: fc.uuid() },
  );
}
