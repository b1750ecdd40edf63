import { calloutOfDirective } from "../callout.ts";
import type { NodeJSON } from "../types.ts";

/** True for a raw block whose source is a callout where it stands by itself. */
export function isCalloutSource({ attrs }: NodeJSON): boolean {
  const [line = ""] = String(attrs?.source).split("\n");
  return attrs?.kind === "directive" && calloutOfDirective(line, true) !== undefined;
}
