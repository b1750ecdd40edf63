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

/** What the log may show of refused steps: their types, positions and sizes, and nothing that a person wrote. */
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
  const { stepType, from, to, gapFrom, gapTo, insert, pos } = step;
  const type = typeof stepType === "string" && stepTypes.has(stepType) ? stepType : "(unknown)";
  const positions = [from, to, gapFrom, gapTo, insert, pos].filter(Number.isFinite);
  return `${[type, ...positions].join(" ")} of ${lengthOf(step)} characters`;
}

/** What is nested too deeply for JSON has no length. */
function lengthOf(step: unknown): number | string {
  try {
    return JSON.stringify(step).length;
  } catch {
    return "too many";
  }
}
