import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayText } from "./display-text.ts";

describe("a name that an app chose for itself", () => {
  it.each([
    ["Claude", "Claude"],
    ["  Two\r\n\tlines  ", "Two lines"],
    ["\u202eedualC", "edualC"],
    ["Cla\u200bude\u2066", "Claude"],
    ["Wissen für Ärzte 知識", "Wissen für Ärzte 知識"],
    ["<b>bold</b>", "<b>bold</b>"],
    ["Z\u0301\u0301\u0301\u0301\u0301\u0301", "Ź\u0301\u0301\u0301"],
    ["abc\u0000def", "abc def"],
  ])("%j is shown as %j", { meta: { proves: ["decision.oauth.registration"] } }, (given, shown) => {
    expect(displayText(given, 100)).toBe(shown);
  });

  it("is shortened with an ellipsis if it is too long", () => {
    expect(displayText("x".repeat(20), 20)).toBe("x".repeat(20));
    expect(displayText("x".repeat(21), 20)).toBe(`${"x".repeat(19)}…`);
    expect(displayText("🙂".repeat(21), 20)).toBe(`${"🙂".repeat(19)}…`);
  });

  it("is empty if it has only invisible characters", () => {
    for (const empty of ["", " \n", "\u200b\u202e", "\u3164", "\ud800"]) expect(displayText(empty, 100)).toBeNull();
  });

  it("is bounded, and never contains control or bidi characters", {
    meta: { proves: ["decision.oauth.registration"] },
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (given) => {
        const shown = displayText(given, 20) ?? "";
        expect([...shown].length).toBeLessThanOrEqual(20);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(displayText(shown, 20) ?? "").toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });
});
