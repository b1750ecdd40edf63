/** Keys whose values are names of the schema. */
const names: ReadonlySet<string> = new Set(["stepType", "type", "attr"]);
const changesMarks = /Mark$/;

/** The parts of an accepted step that tell its size: its range, or its ranges. */
type Range = { readonly from?: number; readonly to?: number; readonly gapFrom?: number; readonly gapTo?: number };
type AcceptedStep = Range & { readonly stepType: string; readonly ranges?: readonly Range[] };

/** Returns about the bytes by which accepted steps, as JSON text, grow a document; negative where they shrink it. */
export function growthOfSteps(json: string): number {
  return readAccepted(json).reduce((sum, step) => sum + growthOfStep(step), 0);
}

/** Accepted steps were written from steps of the schema. */
const readAccepted = (json: string): readonly AcceptedStep[] => JSON.parse(json);

function growthOfStep(step: AcceptedStep): number {
  if (step.stepType.startsWith("remove")) return 0;
  const inserted = bytesOfTexts(step);
  if (changesMarks.test(step.stepType)) return inserted;
  return (step.ranges ?? [step]).reduce((growth, range) => growth - removedSize(range), inserted);
}

/** Returns the size of a range that a step replaces; one around a gap keeps what is in the gap. */
function removedSize({ from, to, gapFrom = 0, gapTo = 0 }: Range): number {
  return from === undefined || to === undefined ? 0 : to - from - (gapTo - gapFrom);
}

/** The steps were accepted, so that they are nested no deeper than a document. */
function bytesOfTexts(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  for (const [key, inner] of Object.entries(value)) if (!names.has(key)) bytes += bytesOfTexts(inner);
  return bytes;
}
