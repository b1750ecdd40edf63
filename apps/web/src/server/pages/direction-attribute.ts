import { directionOfHtml } from "../../client/reading/text-direction.ts";
import { type Html, html } from "./html.ts";

/** Returns the attribute `dir` of an article that shows HTML of the codec; nothing where no letter decides. */
export function directionAttribute(body: string): Html | "" {
  const direction = directionOfHtml(body);
  return direction === undefined ? "" : html` dir="${direction}"`;
}
