import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileName } from "../attachments/attachment.ts";
import { Email, Name } from "./names.ts";
import { CollectionName, normalizeTagName, TagName, TagNames, Title } from "./text.ts";
import { withoutInvisible } from "./visible-text.ts";

describe("a name without invisible characters", () => {
  it.each([
    ["plain", "plain"],
    ["pay\u200broll", "payroll"],
    ["soft\u00adhyphen", "softhyphen"],
    ["\u202eevil\u202c", "evil"],
    ["\u2066isolated\u2069 \u200emark\u200f\u061c", "isolated mark"],
    ["filler\u3164\u115f\u1160\uffa0", "filler"],
    ["joiner\u200d \u200cnon-joiner\u034f\ufeff", "joiner non-joiner"],
    ["variation\ufe0f\u{e0100} tag\u{e0061}", "variation tag"],
  ])("%j becomes %j", { meta: { proves: ["decision.names.visible"] } }, (given, shown) => {
    expect(withoutInvisible(given)).toBe(shown);
  });

  it.each(["👩‍💻", "❤️", "1️⃣", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇪🇺"])(
    "the emoji %s stays whole",
    { meta: { proves: ["decision.names.visible"] } },
    (emoji) => {
      expect(withoutInvisible(`a ${emoji} b`)).toBe(`a ${emoji} b`);
    },
  );

  it("is the same when it is cleaned again, and has none of these characters outside an emoji", {
    meta: { proves: ["decision.names.visible"] },
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (given) => {
        const shown = withoutInvisible(given);
        expect(withoutInvisible(shown)).toBe(shown);
        expect(shown.replaceAll(/\p{RGI_Emoji}/gv, "")).not.toMatch(
          /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("is what tags, people, groups, keys, channels, collections and files are stored under; a title stays as it was sent", {
    meta: { proves: ["decision.names.visible"] },
  }, () => {
    const given = "Pay\u200broll\u202e";
    expect(TagName.parse(given)).toBe("payroll");
    expect(normalizeTagName(given)).toBe("payroll");
    expect(Name.parse(given)).toBe("Payroll");
    expect(CollectionName.parse(given)).toBe("Payroll");
    expect(FileName.parse(`${given}.pdf`)).toBe("Payroll.pdf");
    expect(Title.parse(given)).toBe(given);
  });

  it("of which nothing remains is rejected as empty", { meta: { proves: ["decision.names.visible"] } }, () => {
    for (const schema of [TagName, Name, CollectionName]) {
      expect(schema.safeParse("\u200b\u202e\u3164").error?.issues[0]?.message).toBe("Must not be empty");
    }
  });

  it("is limited before it is cleaned, so that a long one costs nothing", {
    meta: { proves: ["decision.names.visible"] },
  }, () => {
    for (const schema of [TagName, Name]) expect(schema.safeParse("\u200b".repeat(100_000)).success).toBe(false);
  });
});

describe("a value that is longer than its limit before it is brought into its normal form is rejected:", () => {
  it.each([
    ["an e-mail address in many spaces", Email, `${" ".repeat(100_000)}ada@example.com`],
    ["the name of a file in a long path", FileName, `${"folder/".repeat(20_000)}plan.pdf`],
    ["a list of one tag many times", TagNames, Array.from({ length: 100_000 }, () => "a")],
  ])("%s", (_kind, schema, given) => {
    expect(schema.safeParse(given).error?.issues[0]?.message).toMatch(/^At most /);
  });

  it.each([
    ["an e-mail address in some spaces", Email, "  Ada@Example.com ", "ada@example.com"],
    ["the name of a file in a path", FileName, "C:\\folder\\plan.pdf", "plan.pdf"],
    ["a list with some tags twice", TagNames, ["b", "A", "a"], ["a", "b"]],
  ])("but not %s", (_kind, schema, given, normal) => {
    expect(schema.parse(given)).toEqual(normal);
  });
});
