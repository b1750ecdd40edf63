import { z } from "zod";

const Step = z.looseObject({ stepType: z.string() });
const Range = z.looseObject({ from: z.int(), to: z.int(), gapFrom: z.int().optional(), gapTo: z.int().optional() });
const Ranges = z.looseObject({ ranges: z.array(Range) });

/** Keys whose values are names of the schema. */
const names: ReadonlySet<string> = new Set(["stepType", "type", "attr"]);
const changesMarks = /Mark$/;

/** Returns about the bytes by which accepted steps, as JSON text, grow a document; negative where they shrink it. */
export function growthOfSteps(json: string): number {
  const steps = z.array(Step).parse(JSON.parse(json));
  return steps.reduce((sum, step) => sum + growthOfStep(step), 0);
}

function growthOfStep(step: z.output<typeof Step>): number {
  if (step.stepType.startsWith("remove")) return 0;
  const inserted = bytesOfTexts(step);
  return changesMarks.test(step.stepType) ? inserted : inserted - removedSize(step);
}

/** Returns the size of the ranges that a step replaces; one around a gap keeps what is in the gap. */
function removedSize(step: unknown): number {
  const ranges = Ranges.safeParse(step).data?.ranges ?? [Range.safeParse(step).data];
  return ranges.reduce((sum, range) => {
    if (range === undefined) return sum;
    const { from, to, gapFrom = 0, gapTo = 0 } = range;
    return sum + (to - from) - (gapTo - gapFrom);
  }, 0);
}

/** The steps were accepted, so that they are nested no deeper than a document. */
function bytesOfTexts(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  for (const [key, inner] of Object.entries(value)) if (!names.has(key)) bytes += bytesOfTexts(inner);
  return bytes;
}
