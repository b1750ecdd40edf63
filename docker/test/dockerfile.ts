import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DockerfileParser, type Instruction } from "dockerfile-ast";

/** The build context of the images. */
export const repository = join(import.meta.dirname, "../..");

/** The text of the Dockerfile. */
export const dockerfileText = readFileSync(join(repository, "docker/Dockerfile"), "utf8");

/** One instruction of a stage, such as `RUN`, and its text without flags. */
export type Step = {
  readonly keyword: string;
  /** `--from=build`: `from` to `build`. */
  readonly flags: ReadonlyMap<string, string>;
  readonly text: string;
};

/** A stage and its base image. */
export type Stage = { readonly name: string; readonly base: string; readonly steps: readonly Step[] };

/** Parses the stages of a Dockerfile in order, and the arguments before the first. */
export function stagesOf(text: string): { readonly stages: readonly Stage[]; readonly defaults: Map<string, string> } {
  const stages: (Omit<Stage, "steps"> & { steps: Step[] })[] = [];
  const defaults = new Map<string, string>();
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const step = stepOf(instruction);
    const from = /^(\S+) AS (\S+)$/i.exec(step.text);
    if (step.keyword === "FROM") stages.push({ name: from?.[2] ?? "", base: from?.[1] ?? step.text, steps: [] });
    else if (stages.length > 0) stages.at(-1)?.steps.push(step);
    else for (const [name, value] of assignmentsOf(step.text)) defaults.set(name, value);
  }
  return { stages, defaults };
}

function stepOf(instruction: Instruction): Step {
  const keyword = instruction.getKeyword();
  const flags = new Map<string, string>();
  let text = instruction.toString().slice(keyword.length).trim();
  for (let flag = leadingFlag(text); flag !== null; flag = leadingFlag(text)) {
    flags.set(flag[1] ?? "", flag[2] ?? "");
    text = text.slice(flag[0].length);
  }
  return { keyword, flags, text };
}

const leadingFlag = (text: string): RegExpExecArray | null => /^--([a-z-]+)(?:=(\S+))?\s+/.exec(text);

/** Parses assignments of `ENV`, `ARG` and `LABEL`, such as `A=1 B="two words"`. */
export function assignmentsOf(text: string): [string, string][] {
  return [...text.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)].map(([, name = "", value = ""]) => [
    name,
    value.replace(/^"(.*)"$/, "$1"),
  ]);
}

/** Parses a command in JSON form, which runs without a shell. */
export function commandOf(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words)) throw new Error(`${text} is no command in JSON form`);
  return words.map(String);
}
