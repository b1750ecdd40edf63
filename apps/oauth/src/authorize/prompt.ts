import type { Parameters } from "../parameters/read-parameters.ts";

/** What an app wants shown: `none`, `login`, `select_account`, `consent`. Consent is asked every time; unknown words are dropped. */
export type Prompt = "none" | "login" | "select_account" | "consent";

const known: readonly Prompt[] = ["none", "login", "select_account", "consent"];

/** The words of the parameter `prompt`. */
export function promptOf(parameters: Parameters): ReadonlySet<Prompt> {
  const words = new Set((parameters.get("prompt") ?? "").split(" "));
  return new Set(known.filter((word) => words.has(word)));
}
