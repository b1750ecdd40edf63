import { ServiceError } from "../errors.ts";

/** The types of steps that a document has, by their name in JSON. */
const stepTypes = new Set([
  "replace",
  "replaceAround",
  "replaceRanges",
  "addMark",
  "removeMark",
  "addNodeMark",
  "removeNodeMark",
  "attr",
  "docAttr",
]);
/** The steps of a refusal that the log shows. */
const mostShown = 20;

/** Refused steps as the log may show them: their types, positions and sizes, and nothing that a person wrote. */
export class StepShapes {
  readonly steps: readonly string[];
  /** The number of all steps of the batch. */
  readonly count: number;

  constructor(steps: readonly Readonly<Record<string, unknown>>[]) {
    this.steps = steps.slice(0, mostShown).map(shapeOf);
    this.count = steps.length;
  }
}

/** Adds the shapes of steps to the error with which they are refused. */
export async function withShapes<Result>(
  steps: readonly Readonly<Record<string, unknown>>[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "steps_refused") throw error;
    const { code, message, details } = error;
    throw new ServiceError(code, message, { ...(details && { details }), cause: new StepShapes(steps) });
  }
}

/** Returns for example `replace 5 7 of 120 characters`. */
function shapeOf(step: Readonly<Record<string, unknown>>): string {
  const { stepType, from, to, gapFrom, gapTo, insert, pos, ranges } = step;
  const type = typeof stepType === "string" && stepTypes.has(stepType) ? stepType : "(unknown)";
  const positions = [from, to, gapFrom, gapTo, insert, pos, ...edgesOf(ranges)].filter(Number.isFinite);
  return `${[type, ...positions].join(" ")} of ${lengthOf(step)} characters`;
}

/** Returns where the first of several ranges begins, and where the last one ends. */
function edgesOf(ranges: unknown): unknown[] {
  if (!Array.isArray(ranges)) return [];
  const first: unknown = ranges[0];
  const last: unknown = ranges.at(-1);
  return [fieldOf(first, "from"), fieldOf(last, "to")];
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Steps that are nested too deeply for JSON have no length. */
function lengthOf(step: unknown): number | string {
  try {
    return JSON.stringify(step).length;
  } catch {
    return "too many";
  }
}
