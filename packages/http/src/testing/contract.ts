import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { at, type Part, part, placeOf } from "./description.ts";

/** A response that the API's description does not allow. */
export class ContractError extends Error {
  override readonly name = "ContractError";
}

/** One response to check; `body` is undefined where there was none. */
export type Exchange = {
  readonly method: string;
  /** Requested path, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
};

/** Checks responses against an OpenAPI document. */
export type Contract = {
  /** @throws {ContractError} for an undocumented status or header, or another body than the documented one. */
  check(exchange: Exchange): void;
};

/** Headers that every HTTP response may have without being described. */
const transportHeaders = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
  "cache-control",
  "vary",
  "content-security-policy",
  "cross-origin-resource-policy",
  "referrer-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-frame-options",
]);

/** Statuses that a path or a method outside of the description may have, all with the error body. */
const refusals = new Set([400, 401, 403, 404, 405, 413, 429, 503]);

/** Reads the document once; its schemas are compiled as they are needed. */
export function contractOf(document: unknown): Contract {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateSchema: false }));
  ajv.addSchema(part(document), "openapi");
  const validators = new Map<string, ValidateFunction>();
  const validator = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const compiled = ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, compiled);
    return compiled;
  };
  const templates = Object.keys(part(part(document).paths)).map((template) => ({
    template,
    matches: matcher(template),
  }));

  const check = (exchange: Exchange): void => {
    const { method, path, status } = exchange;
    const say = (problem: string): never => {
      const shown = JSON.stringify(exchange.body)?.slice(0, 600) ?? "no body";
      throw new ContractError(`${method} ${path} answered ${status}: ${problem}\n${shown}`);
    };
    // The most literal template wins, as it does in OpenAPI.
    const found = templates.filter(({ matches }) => matches.test(path)).sort(byParameters)[0];
    const operation = found === undefined ? {} : part(at(document, ["paths", found.template, method.toLowerCase()]));
    if (found === undefined || Object.keys(operation).length === 0) {
      if (!refusals.has(status)) say("is not described");
      expectValid(validator("/components/schemas/Error"), exchange.body, say);
      return;
    }
    const response = placeOfThing(document, [
      "paths",
      found.template,
      method.toLowerCase(),
      "responses",
      String(status),
    ]);
    if (response === undefined) say("the description has no such status");
    else {
      checkHeaders(part(at(document, response)), exchange.headers, say);
      checkBody({ document, response, exchange, validator, say });
    }
  };
  return { check };
}

/** The schemas of an OpenAPI document that are no JSON Schema (draft 2020-12), as text. */
export function invalidSchemas(document: unknown): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return schemasIn(document)
    .filter((schema) => ajv.validateSchema(schema) !== true)
    .map((schema) => JSON.stringify(schema));
}

function schemasIn(value: unknown, key = ""): object[] {
  if (typeof value !== "object" || value === null) return [];
  if (key === "schema") return [value];
  if (key === "schemas") return Object.values(value);
  return Object.entries(value).flatMap(([name, inner]) => schemasIn(inner, name));
}

function checkHeaders(response: Part, headers: Headers, say: (problem: string) => never): void {
  const documented = new Map(
    Object.entries(part(response.headers)).map(([name, entry]) => [name.toLowerCase(), entry]),
  );
  for (const name of headers.keys()) {
    if (!documented.has(name) && !transportHeaders.has(name)) say(`the header ${name} is not described`);
  }
  for (const [name, entry] of documented) {
    if (part(entry).required === true && !headers.has(name)) say(`the header ${name} is missing`);
  }
}

function checkBody(options: {
  document: unknown;
  response: readonly string[];
  exchange: Exchange;
  validator: (pointer: string) => ValidateFunction;
  say: (problem: string) => never;
}): void {
  const { document, response, exchange, validator, say } = options;
  const content = part(at(document, [...response, "content"]));
  const described = Object.keys(content);
  if (described.length === 0) {
    if (exchange.body !== undefined) say("a body where none is described");
    return;
  }
  const type = (exchange.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  if (!described.includes(type)) say(`the content type ${type} is not described`);
  if (type !== "application/json") return;
  expectValid(validator(pointerOf([...response, "content", type, "schema"])), exchange.body, say);
}

function expectValid(validate: ValidateFunction, body: unknown, say: (problem: string) => never): void {
  if (validate(body)) return;
  const problems = (validate.errors ?? []).slice(0, 8).map((error) => `${error.instancePath || "/"} ${error.message}`);
  say(`the body is not the described one: ${problems.join("; ")}`);
}

function matcher(template: string): RegExp {
  const literal = template.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
}

const parameters = (template: string): number => template.split("{").length;
const byParameters = (a: { template: string }, b: { template: string }): number =>
  parameters(a.template) - parameters(b.template);

/** Resolves references; returns undefined if the target does not exist. */
function placeOfThing(document: unknown, place: readonly string[]): readonly string[] | undefined {
  const found = at(document, place);
  if (found === undefined) return undefined;
  const { $ref } = part(found);
  return typeof $ref === "string" ? placeOfThing(document, placeOf($ref)) : place;
}

function pointerOf(place: readonly string[]): string {
  const steps = place.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")));
  return `/${steps.join("/")}`;
}
