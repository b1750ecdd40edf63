import { ENTITY_TABLE } from "./table.ts";

let names: Map<string, string> | undefined;

// An entry has the distance to the code point before (1 if it has none), "_" with a second code point, and its names.
function unpack(): Map<string, string> {
  const table = new Map<string, string>();
  let code = 0;
  for (const [, step, second, list = ""] of ENTITY_TABLE.matchAll(/(\d*)(?:_(\d+))?([^ ]+) ?/g)) {
    code += step ? Number(step) : 1;
    const characters = String.fromCodePoint(code) + (second ? String.fromCodePoint(Number(second)) : "");
    for (const name of list.split(",")) table.set(name, characters);
  }
  return table;
}

/**
 * The characters of a named entity of HTML with its `&` and `;`, or the text itself where there is none of that name:
 * CommonMark's 2,125 names.
 */
export function decodeEntity(entity: string): string {
  names ??= unpack();
  return names.get(entity.slice(1, -1)) ?? entity;
}
