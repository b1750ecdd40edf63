import { statusOf } from "@kb/http";
import { expect, it } from "vitest";
import { failureText } from "../src/client/actions/failure-text.ts";
import { Failure } from "../src/client/api/failure.ts";
import { ar } from "../src/messages/ar.ts";
import { en } from "../src/messages/en.ts";

const refused = (code: string): Failure => new Failure(409, { error: "A document cannot be below itself.", code });

it("a refusal is told in the reader's language, whatever its code", () => {
  const general = ar.refusal("", "a code of a later release");
  for (const code of Object.keys(statusOf)) {
    const text = failureText(refused(code), ar);
    expect(text, code).toMatch(/^[^a-z]*\p{Script=Arabic}[^a-z]*$/iu);
    expect(ar.refusal("", code), code).not.toBe(general);
  }
  expect(general).toMatch(/\p{Script=Arabic}/u);
  expect(failureText(refused("conflict"), en)).toBe("A document cannot be below itself.");
});
