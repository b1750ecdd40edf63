import { expect, it } from "vitest";
import { createTypedCode, hashTypedCode } from "./typed-code.ts";

it("a code of the first start is four groups that are read the same in any case, with and without hyphens", {
  meta: { proves: ["onboarding.setup.code"] },
}, () => {
  const code = createTypedCode();
  expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(createTypedCode()).not.toBe(code);
  const hash = hashTypedCode("setup", code);
  expect(hash).toHaveLength(32);
  for (const typed of [code.toLowerCase(), code.replaceAll("-", ""), ` ${code.replaceAll("-", " ")}\t`]) {
    expect(hashTypedCode("setup", typed)).toEqual(hash);
  }
  expect(hashTypedCode("setup", "OoIi-LlAB-CDEF-GHJK")).toEqual(hashTypedCode("setup", "0011-11AB-CDEF-GHJK"));
});

it.each(["", "ABCD", "ABCD-EFGH-JKMN-PQR", "ABCD-EFGH-JKMN-PQRU", "é".repeat(16), "A".repeat(1_000_000)])(
  "a text that cannot be a code has no hash (%#)",
  (text) => expect(hashTypedCode("setup", text)).toBeNull(),
);
