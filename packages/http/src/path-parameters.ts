import { notFound, type ServiceError } from "@kb/core";
import { type Field, parseText, textTypeOf, typesOf } from "./fields.ts";

type Resource = Parameters<typeof notFound>[0];

/** The resource in a segment of a path, for the 404 of an id that cannot exist. */
const resources: Readonly<Record<string, Resource>> = {
  documents: "Document",
  collections: "Collection",
  tags: "Tag",
  revisions: "Revision",
};

/** A `{name}` in a path. */
type Parameter = { readonly name: string; readonly field: Field; readonly missing: ServiceError };

/** Parses the parameters of a path. Throws the 404 of an unknown resource for a value that no resource can have. */
export type PathReader = (texts: Readonly<Record<string, string>>) => Record<string, unknown>;

/** Lists the names between braces in order. */
export function pathParameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Creates the reader of a path, by the declared types of the fields with the names of its parameters. */
export function pathReader(path: string, fields: readonly Field[]): PathReader {
  const parameters = pathParameterNames(path).map((name): Parameter => {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new Error(`${path}: the operation's input has no ${name}`);
    const segment = path.split("/").at(path.split("/").indexOf(`{${name}}`) - 1) ?? "";
    return { name, field, missing: notFound(resources[segment] ?? "Route") };
  });
  return (texts) => {
    const input: Record<string, unknown> = {};
    for (const { name, field, missing } of parameters) {
      const value = parseText(texts[name] ?? "", textTypeOf(field.schema).type);
      if (!canExist(value, field)) throw missing;
      input[name] = value;
    }
    return input;
  };
}

function canExist(value: unknown, { schema }: Field): boolean {
  const { pattern, minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (typesOf(schema).includes("integer")) {
    return typeof value === "number" && Number.isSafeInteger(value) && value >= minimum && value <= maximum;
  }
  return typeof value === "string" && (pattern === undefined || new RegExp(pattern).test(value));
}
