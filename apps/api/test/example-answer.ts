/** A recorded answer of an example, as the documentation shows it. */
export type ExampleAnswer = { readonly status: number; readonly body: unknown };

const longestText = 160;
const shownTime = "2026-01-15T09:30:00.000Z";
const secret = /\b(kbc?_|whsec_|kbo_)[\w+/=-]{8,}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** The random part of the names of a test world, and tokens of links. */
const worldName = /[ -][0-9a-f]{12}\b/g;
const token = /[\w-]{40,}/g;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Returns an answer as the documentation shows it: lists with their first row, long texts cut, and the same ids, times and secrets
 * in each recording.
 */
export function presentable(answer: ExampleAnswer): ExampleAnswer {
  const ids = new Map<string, string>();
  const shownId = (id: string): string => {
    const known = ids.get(id) ?? `0199c0de-0000-7000-8000-${String(ids.size + 1).padStart(12, "0")}`;
    ids.set(id, known);
    return known;
  };
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 1).map(shown);
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.replace(uuid, shownId), shown(each)]));
    }
    if (typeof value !== "string") return value;
    const text = value
      .replace(secret, "$1…")
      .replace(time, shownTime)
      .replace(uuid, shownId)
      .replace(worldName, "")
      .replace(token, (long) => `${long.slice(0, 6)}…`);
    return text.length <= longestText ? text : `${text.slice(0, longestText).toWellFormed()}…`;
  };
  return { status: answer.status, body: shown(answer.body) };
}

/**
 * Returns the fields of an answer, of its `data` and of the first row of its lists that the shown answer lacks. What others do beside
 * the test, such as the record of a view, may leave a list empty: then its rows are not compared.
 */
export function unknownFields(shown: unknown, body: unknown, depth = 3): string[] {
  if (Array.isArray(shown) && Array.isArray(body)) {
    return shown.length === 0 || body.length === 0 ? [] : unknownFields(shown[0], body[0], depth);
  }
  if (!isObject(shown) || !isObject(body) || depth === 0) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    name in shown ? unknownFields(Reflect.get(shown, name), value, depth - 1).map((each) => `${name}.${each}`) : [name],
  );
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
