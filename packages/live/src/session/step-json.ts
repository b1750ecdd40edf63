import type { Step } from "prosemirror-transform";
import type { KeptChanges } from "./session-store.ts";

const jsonOfSteps = new WeakMap<Step, object>();
const charactersOfJson = new WeakMap<object, number>();

/** Returns a step as JSON, as the same object each time: a pasted text is long, and is written with each key after it. */
export function jsonOf(step: Step): object {
  const json: object = jsonOfSteps.get(step) ?? step.toJSON();
  jsonOfSteps.set(step, json);
  return json;
}

/** Returns the number of characters of a step in its form as JSON, and counts those of an object once. */
export function charactersIn(json: unknown): number {
  if (typeof json !== "object" || json === null) return JSON.stringify(json).length;
  const characters = charactersOfJson.get(json) ?? JSON.stringify(json).length;
  charactersOfJson.set(json, characters);
  return characters;
}

/** Returns the number of characters of some changes as JSON. */
export function charactersOf({ batches, local, sent, ...others }: KeptChanges): number {
  const placeholder = (): number => 0;
  const frame = {
    ...others,
    characters: undefined,
    batches: batches.map((steps) => steps.map(placeholder)),
    local: local.map(({ sentIndex }) => ({ step: placeholder(), sentIndex })),
    sent: sent && { ...sent, steps: sent.steps.map(placeholder) },
  };
  const steps = [...batches.flat(), ...local.map(({ step }) => step), ...(sent?.steps ?? [])];
  return steps.reduce((sum: number, step) => sum + charactersIn(step) - 1, JSON.stringify(frame).length);
}
