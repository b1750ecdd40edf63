import type { Parameters } from "../parameters.ts";

/** The prompts of OpenID Connect Core §3.1.2.1. Consent is always requested; unknown words are ignored. */
export type Prompt = "none" | "login" | "select_account" | "consent";

const prompts: readonly Prompt[] = ["none", "login", "select_account", "consent"];

/** Reads the words of the parameter `prompt`. */
export function readPrompt(parameters: Parameters): ReadonlySet<Prompt> {
  const words = new Set((parameters.get("prompt") ?? "").split(" "));
  return new Set(prompts.filter((word) => words.has(word)));
}
