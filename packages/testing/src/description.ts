/** A view of a part of a JSON document by its keys. */
export type Part = Readonly<Record<string, unknown>>;

/** A view of any value by its keys: what is not an object has none. */
export function part(value: unknown): Part {
  return typeof value === "object" && value !== null ? (value as Part) : {};
}

/** The parts of a list; none for what is no list. */
export const listOf = (value: unknown): Part[] => (Array.isArray(value) ? value.map(part) : []);

/** What stands at a place of the document. */
export function at(document: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>((value, step) => part(value)[step], document);
}

/** The steps of a reference within the document (`#/components/…`). */
export function placeOf(reference: string): string[] {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The part itself, or what it refers to. */
export function resolve(document: unknown, given: unknown): Part {
  const { $ref } = part(given);
  return typeof $ref === "string" ? resolve(document, at(document, placeOf($ref))) : part(given);
}
