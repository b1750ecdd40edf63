/** A view of a part of a JSON document by its keys. */
export type Part = Readonly<Record<string, unknown>>;

/** Returns a view of any value by its keys. A value that is not an object has none. */
export function part(value: unknown): Part {
  return typeof value === "object" && value !== null ? (value as Part) : {};
}

/** Returns the parts of a list; none for another value. */
export const listOf = (value: unknown): Part[] => (Array.isArray(value) ? value.map(part) : []);

/** Returns the value at a place of the document. */
export function at(document: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>((value, step) => part(value)[step], document);
}

/** Splits a reference within the document (`#/components/…`) into its steps. */
export function placeOf(reference: string): string[] {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The part itself, or what it refers to. */
export function resolve(document: unknown, given: unknown): Part {
  const { $ref } = part(given);
  return typeof $ref === "string" ? resolve(document, at(document, placeOf($ref))) : part(given);
}
