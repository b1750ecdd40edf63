import { HtmlValidate } from "html-validate";
import { expect } from "vitest";
import type { Setting } from "./setting.ts";

const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: { "no-inline-style": "error", "tel-non-breaking": "off", "long-title": "off" },
});

/** Returns the main part of a page as the server renders it for a person. The page has to be there and to be valid HTML. */
export async function mainOfPage(
  setting: Setting,
  path: string,
  person = setting.world.people.editor,
): Promise<string> {
  const answer = await setting.get(path, person);
  expect(answer.status, path).toBe(200);
  const text = await answer.text();
  const { results } = await validator.validateString(text);
  expect(results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([]);
  return text.slice(text.indexOf("<main"), text.indexOf("</main>"));
}
