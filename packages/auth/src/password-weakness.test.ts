import { describe, expect, it } from "vitest";
import { findPasswordWeakness } from "./password-weakness.ts";

const person = ["Ada Lovelace", "ada.lovelace@example.com"];

describe("the weakness of a password", () => {
  it.each([
    ["password", "common"],
    ["passw0rd", "common"],
    ["iloveyou1", "common"],
    ["lovelace1", "personal"],
    ["aaaaaaaaaaaa", "pattern"],
    ["abcdefgh", "pattern"],
    ["x".repeat(1024), "pattern"],
  ])("%j is %s", { meta: { proves: ["onboarding.password.weak"] } }, async (password, weakness) => {
    expect(await findPasswordWeakness(password, person)).toBe(weakness);
  });

  it.each([
    "a password of a length",
    "kzqp-8xw2-mnbv",
    "correct horse battery staple",
    "ümläut-größe",
    "كلمة مرور طويلة",
  ])("%j is accepted", { meta: { proves: ["onboarding.password.weak"] } }, async (password) => {
    expect(await findPasswordWeakness(password, person)).toBeNull();
  });

  it("an empty name and address add nothing", async () => {
    expect(await findPasswordWeakness("kzqp-8xw2-mnbv", ["", "a@b"])).toBeNull();
  });
});
