import type { Row } from "@kb/http";
import { json, longestJson, type WorstInput } from "./worst-input.ts";

/** The maximum length of a query string: Node accepts 16 KB of headers. */
const longestQuery = 12_000;
const unknownId = "00000000-0000-7000-8000-000000000000";

type Field = Row["fields"][number];

const bodies: Readonly<Record<string, (fields: readonly Field[]) => () => string>> = {
  "every field as long as the body allows": (fields) =>
    json(() => {
      const share = Math.floor(longestJson / Math.max(1, fields.length)) - 50;
      const longest = ({ schema }: Field): unknown =>
        schema.type === "array" ? Array.from({ length: Math.floor(share / 4) }, () => "a") : "a".repeat(share);
      return Object.fromEntries(fields.map((field) => [field.name, longest(field)]));
    }),
  // Written as text, because an object of as many keys takes ten times as long, for each operation.
  "400,000 unknown keys": () => () => `{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":0`).join(",")}}`,
  "2,400,000 nested lists": ([field]) => {
    const depth = 2_400_000;
    return () => `{"${field?.name ?? "a"}":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  },
};

/** Returns the worst requests for operations of any kind: the longest body of each kind, or the longest query string. */
export function worstOfAny(row: Row): WorstInput[] {
  const own = row.fields.filter((field) => !row.pathParameters.includes(field.name));
  const path = Object.fromEntries(row.pathParameters.map((parameter) => [parameter, unknownId]));
  const common = { operation: row.name, path };
  if (row.method === "get") {
    const title = "every parameter as often as a query allows";
    return [{ ...common, title, query: longQuery(own.map((field) => field.name)) }];
  }
  return Object.entries(bodies).map(([title, body]) => ({ ...common, title, body: body(own) }));
}

function longQuery(names: readonly string[]): string {
  const share = longestQuery / Math.max(1, names.length);
  const repeated = (name: string): string => `${name}=a&`.repeat(Math.floor(share / (name.length + 3)));
  return (names.length === 0 ? ["a"] : names).map(repeated).join("");
}
