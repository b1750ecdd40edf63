import type { Credential } from "@kb/core/testing";
import type { Route } from "@kb/http/testing";

/** A field of a request that takes an id. */
export type IdField = { readonly place: "path" | "query" | "body"; readonly name: string; readonly list: boolean };

type Part = Readonly<Record<string, unknown>>;

/** A view of any value by its keys: what is not an object has none. */
const part = (value: unknown): Part => (typeof value === "object" && value !== null ? (value as Part) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The fields of a route that take an id, as the OpenAPI document describes them. */
export function idFieldsOf(document: unknown, { operation }: Route): IdField[] {
  const parameters = list(operation.parameters)
    .map(part)
    .filter((parameter) => isUuid(document, parameter.schema))
    .map(
      ({ in: place, name }) =>
        ({ place: place === "path" ? "path" : "query", name: String(name), list: false }) as const,
    );
  const content = part(part(part(operation.requestBody).content)["application/json"]);
  const properties = propertiesOf(document, content.schema);
  const inBody = [...properties].flatMap(([name, schema]) => {
    const isList = isUuid(document, part(resolved(document, schema)).items);
    return isList || isUuid(document, schema) ? [{ place: "body", name, list: isList } as const] : [];
  });
  return [...parameters, ...inBody];
}

function resolved(document: unknown, schema: unknown): Part {
  const { $ref } = part(schema);
  if (typeof $ref !== "string") return part(schema);
  return resolved(
    document,
    $ref
      .split("/")
      .slice(1)
      .reduce<unknown>((at, key) => part(at)[key], document),
  );
}

const branches = (schema: Part): unknown[] => ["anyOf", "oneOf", "allOf"].flatMap((key) => [...list(schema[key])]);

function isUuid(document: unknown, schema: unknown): boolean {
  const whole = resolved(document, schema);
  return whole.format === "uuid" || branches(whole).some((branch) => isUuid(document, branch));
}

function propertiesOf(document: unknown, schema: unknown): Map<string, unknown> {
  const whole = resolved(document, schema);
  const own = Object.entries(part(whole.properties));
  return new Map([...branches(whole).flatMap((branch) => [...propertiesOf(document, branch)]), ...own]);
}

const origin = "http://localhost:3000";

/** The request of a route with an input, in which one field names this id. */
export function requestOf(route: Route, credential: Credential, input: object, field: IdField, id: string): Request {
  const given = new Map<string, unknown>(Object.entries(input));
  // Of a user and a group, one is named.
  if (field.name === "groupId") given.delete("userId");
  given.set(field.name, field.list ? [id] : id);
  const path = route.template.replaceAll(/\{(\w+)\}/g, (_whole, key: string) => {
    const value = String(given.get(key));
    given.delete(key);
    return value;
  });
  const reads = route.method === "GET";
  const url = new URL(path, origin);
  if (reads) for (const [name, value] of given) url.searchParams.set(name, String(value));
  const body = reads || given.size === 0 ? undefined : JSON.stringify(Object.fromEntries(given));
  const headers = { ...headersOf(credential), ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  return new Request(url, { method: route.method, headers, ...(body === undefined ? {} : { body }) });
}

function headersOf(credential: Credential): Record<string, string> {
  if (credential === null) return {};
  if (typeof credential === "string") return { Authorization: `Bearer ${credential}` };
  return { Cookie: credential.cookie, Origin: origin, "X-CSRF-Token": credential.csrf };
}
