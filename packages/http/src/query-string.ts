import { type ErrorDetail, ServiceError } from "@kb/core";
import { type Field, parseText, type TextType, textTypeOf } from "./fields.ts";

/** The maximum number of problems in an answer. */
const maxProblems = 100;

/** Parses a query string by the declared types of the fields. */
export type QueryReader = (query: URLSearchParams) => Record<string, unknown>;

/**
 * Creates the reader of a row's query string.
 * The reader throws a `validation_error` that names the parameters, at most 100, that are unknown, or repeated although they are
 * no list.
 */
export function queryReader(fields: readonly Field[]): QueryReader {
  const types = new Map<string, TextType>(fields.map((field) => [field.name, textTypeOf(field.schema)]));
  return (query) => {
    const input: Record<string, unknown> = {};
    const problems: ErrorDetail[] = [];
    for (const name of new Set(query.keys())) {
      if (problems.length === maxProblems) break;
      const declared = types.get(name);
      const values = query.getAll(name);
      const [first = ""] = values;
      if (declared === undefined) problems.push({ path: name, message: "Unknown query parameter" });
      else if (declared.repeatable) input[name] = values.map((value) => parseText(value, declared.type));
      else if (values.length > 1) problems.push({ path: name, message: "May be given only once" });
      else input[name] = parseText(first, declared.type);
    }
    const [problem] = problems;
    if (problem === undefined) return input;
    throw new ServiceError("validation_error", `${problem.path}: ${problem.message}`, { details: problems });
  };
}
