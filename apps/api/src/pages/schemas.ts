import { type JsonSchema, typesOf } from "@kb/http";
import { html } from "hono/html";
import { type Html, inline } from "./page.ts";

/** Renders a named schema with its fields. */
export function schemaSection(name: string, schema: JsonSchema): Html {
  return html`<section id="schema-${name}"><h3>${name}</h3>
${schema.description === undefined ? "" : html`<p>${inline(schema.description)}</p>`}
${fieldTable(propertiesOf(schema))}</section>
`;
}

/** A line of a table of fields. */
export type FieldLine = {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly place?: string;
};

function propertiesOf(schema: JsonSchema): FieldLine[] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: typeof property === "boolean" ? {} : property,
    required: required.includes(name),
  }));
}

/** Renders a table of fields with their types and notes. */
export function fieldTable(lines: readonly FieldLine[]): Html {
  return html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${lines.map(
    (line) => html`<tr><td><code>${line.name}</code></td><td>${typeOf(line.schema)}</td><td>${notesOf(line)}</td></tr>`,
  )}</tbody></table>
`;
}

function notesOf({ schema, required, place }: FieldLine): Html {
  const notes = [
    place,
    required ? "required" : undefined,
    schema.deprecated === true ? "deprecated" : undefined,
    schema.default === undefined ? undefined : `default \`${JSON.stringify(schema.default)}\``,
    bounds(schema),
    schema.description,
  ].filter((note) => note !== undefined);
  return html`${notes.map((note, index) => html`${index === 0 ? "" : "; "}${inline(note)}`)}`;
}

function bounds(schema: JsonSchema): string | undefined {
  const { minimum, maximum, minLength, maxLength } = schema;
  const range = (low: number | undefined, high: number | undefined, unit: string): string | undefined => {
    const least = low === undefined || low <= Number.MIN_SAFE_INTEGER ? undefined : low;
    const most = high === undefined || high >= Number.MAX_SAFE_INTEGER ? undefined : high;
    if (least === undefined) return most === undefined ? undefined : `at most ${most}${unit}`;
    return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
  };
  return range(minimum, maximum, "") ?? range(minLength, maxLength, " characters");
}

/** Renders the type in a word or two. A named type links to its section. */
export function typeOf(schema: JsonSchema): Html {
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((branch) => typeof branch !== "boolean");
  if (branches.length > 0) {
    return html`${branches.map((branch, index) => html`${index === 0 ? "" : " or "}${typeOf(branch)}`)}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return html`${schema.enum.map((value, index) => html`${index === 0 ? "" : ", "}<code>${String(value)}</code>`)}`;
  if (typesOf(schema).includes("array")) {
    const { items } = schema;
    const element = typeof items === "object" && !Array.isArray(items) ? items : {};
    return html`array of ${typeOf(element)}`;
  }
  if (schema.format !== undefined) return html`${schema.format}`;
  return html`${typesOf(schema).join(" or ") || "any"}`;
}
