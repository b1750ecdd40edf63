import { type ErrorDetail, ServiceError } from "@kb/core";
import { type Field, type Reading, readingOf, readText } from "./fields.ts";

/** Turns a query string into input, by the types that the fields declare. */
export type QueryReader = (query: URLSearchParams) => Record<string, unknown>;

/**
 * Makes the reader of a row's query string.
 * The reader throws a `validation_error` that names every parameter that is unknown, or given twice and not a list.
 */
export function queryReader(fields: readonly Field[]): QueryReader {
  const readings = new Map<string, Reading>(fields.map((field) => [field.name, readingOf(field.schema)]));
  return (query) => {
    const input: Record<string, unknown> = {};
    const problems: ErrorDetail[] = [];
    for (const name of new Set(query.keys())) {
      const reading = readings.get(name);
      const values = query.getAll(name);
      const [first = ""] = values;
      if (reading === undefined) problems.push({ path: name, message: "Unknown query parameter" });
      else if (reading.repeatable) input[name] = values.map((value) => readText(value, reading.type));
      else if (values.length > 1) problems.push({ path: name, message: "May be given only once" });
      else input[name] = readText(first, reading.type);
    }
    const [problem] = problems;
    if (problem === undefined) return input;
    throw new ServiceError("validation_error", `${problem.path}: ${problem.message}`, { details: problems });
  };
}
