import { expect, it } from "vitest";
import { plural } from "../src/messages/plural.ts";

const rules = { zero: "zero #", one: "one #", two: "two #", few: "few #", many: "many #", other: "other #" };

it.each(["en", "ar"] as const)("counts follow the rules and the digits of the language: %s", (locale) => {
  const count = plural(locale);
  const ruleOf = new Intl.PluralRules(locale);
  const digits = new Intl.NumberFormat(`${locale}-u-nu-latn`);
  const numbers = [...Array(1_250).keys(), 9_999, 10_000, 99_999, 100_003, 123_456_789, Number.MAX_SAFE_INTEGER];
  for (const number of numbers) {
    expect(count(number, rules)).toBe(`${ruleOf.select(number)} ${digits.format(number)}`);
  }
});

it("a form that is not there is the general one", () => {
  expect(plural("ar")(0, { one: "one", other: "# others" })).toBe("0 others");
});
