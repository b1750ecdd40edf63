import fc from "fast-check";
import { listOf, type Part, part, resolve } from "./description.ts";
import { hostileText, idArbitrary, type Known, type Source, valueArbitrary } from "./fuzz-values.ts";

export type { Known } from "./fuzz-values.ts";

/** One route of an OpenAPI document. */
export type Route = { readonly method: string; readonly template: string; readonly operation: Part };

/** Generated request. */
export type GeneratedRequest = {
  readonly method: string;
  readonly path: string;
  readonly raw: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Caller of the test that sends it. */
  readonly caller: number;
};

/** Every route that the document describes. */
export function routesOf(document: unknown): Route[] {
  return Object.entries(part(part(document).paths)).flatMap(([template, item]) =>
    Object.entries(part(item)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      operation: part(operation),
    })),
  );
}

/** Generates `count` requests of a route from a seed: most of them nearly valid, some hostile. */
export function requestsOf(document: unknown, route: Route, known: Known, options: { count: number; seed: number }) {
  const { count: numRuns, seed } = options;
  const request = (clean: boolean) => requestArbitrary({ document, known, clean }, route);
  return fc.sample(fc.oneof(request(true), request(false)), { numRuns, seed });
}

function requestArbitrary(source: Source, route: Route): fc.Arbitrary<GeneratedRequest> {
  const schema = part(part(part(part(route.operation.requestBody).content)["application/json"]).schema);
  const hasBody = Object.keys(schema).length > 0;
  const body = hasBody ? bodyText(source, schema) : fc.option(fc.constant("{}"), { nil: undefined });
  return fc
    .record({
      path: pathArbitrary(source, route),
      query: queryArbitrary(source, route),
      raw: route.method === "GET" ? fc.constant(undefined) : body,
      headers: source.clean ? fc.constant({}) : headerArbitrary,
      caller: fc.nat(1_000),
    })
    .map(({ path, query, raw, headers, caller }) => ({
      method: route.method,
      path: query === "" ? path : `${path}?${query}`,
      raw,
      headers: raw === undefined ? headers : { "Content-Type": "application/json", ...headers },
      caller,
    }));
}

function pathArbitrary({ known, clean }: Source, { template }: Route): fc.Arbitrary<string> {
  const steps = template.split("/").map((step, index, all) => {
    if (!step.startsWith("{")) return fc.constant(step);
    if (step === "{revision}" && clean) return fc.constant("1");
    if (step === "{revision}")
      return fc.oneof(fc.integer({ min: 1, max: 4 }).map(String), fc.constantFrom("0", "-1", "9e9", "x"));
    return fc.oneof(
      { weight: 8, arbitrary: idArbitrary(all[index - 1] === "collections" ? known.collections : known.documents) },
      {
        weight: clean ? 0 : 1,
        arbitrary: fc.webSegment({ size: "small" }).filter((text) => text !== "" && !/^\.{1,2}$/.test(text)),
      },
    );
  });
  return fc.tuple(...steps).map((parts) => parts.join("/"));
}

function queryArbitrary(source: Source, { operation }: Route): fc.Arbitrary<string> {
  const declared = listOf(operation.parameters)
    .map((entry) => resolve(source.document, entry))
    .filter((parameter) => parameter.in === "query");
  const pairs = declared.map((parameter) => {
    const name = String(parameter.name);
    const value = valueArbitrary(source, part(parameter.schema), name).map((one) =>
      (Array.isArray(one) ? one : [one]).map((item): [string, string] => [name, textOf(item)]),
    );
    if (parameter.required === true && source.clean) return value;
    return fc.option(value, { nil: [], freq: parameter.required === true ? 20 : 1 });
  });
  if (source.clean) return fc.tuple(...pairs).map((groups) => new URLSearchParams(groups.flat()).toString());
  const stray = rarely(20, fc.tuple(fc.string({ maxLength: 8 }), hostileText));
  return fc
    .tuple(
      stray.map((pair) => (pair === undefined ? [] : [pair])),
      ...pairs,
    )
    .map((groups) => new URLSearchParams(groups.flat()).toString());
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function bodyText(source: Source, schema: Part): fc.Arbitrary<string | undefined> {
  const right = valueArbitrary(source, schema, "").map((value) => JSON.stringify(value));
  if (source.clean) return right;
  return fc.oneof(
    { weight: 12, arbitrary: right },
    { weight: 2, arbitrary: fc.tuple(right, strayKey).map(([text, stray]) => text.replace(/^\{/, `{${stray},`)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.tuple(right, fc.nat(200)).map(([text, length]) => text.slice(0, length)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const strayKey = fc
  .tuple(fc.oneof(fc.string({ maxLength: 6 }), fc.constant("__proto__")), fc.jsonValue({ maxDepth: 1 }))
  .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);

const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 30,
});
/** Generates the value in one of `of` cases, otherwise undefined. */
function rarely<T>(of: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: of - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

const headerArbitrary: fc.Arbitrary<Record<string, string>> = fc
  .record({
    "If-Match": rarely(8, fc.oneof(fc.constantFrom("*", '"1"', '"2"', '"1", "3"', 'W/"1"', '""'), printable)),
    "If-None-Match": rarely(8, fc.oneof(fc.constantFrom("*", '"1"', '"x"'), printable)),
    "Idempotency-Key": rarely(8, fc.oneof(fc.constantFrom("a", "b", "c"), printable)),
    "X-Request-Id": rarely(8, printable),
    "Content-Type": rarely(15, fc.constantFrom("text/plain", "application/json; charset=utf-8", "application/json; x")),
  })
  .map((headers) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  );
