import { describe, expect, it } from "vitest";
import { totpCode } from "../testing/index.ts";
import { createTotpSecret, findTotpStep, totpSecretText, totpUri } from "./totp.ts";

/** The key of the test vectors of RFC 6238, appendix B. */
const key = new Uint8Array(Buffer.from("12345678901234567890"));
const at = (seconds: number): Date => new Date(seconds * 1_000);

describe("codes of authenticator apps", () => {
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])(
    "at %i seconds the code of RFC 6238 is %s",
    { meta: { proves: ["onboarding.second-factor.totp"] } },
    (seconds, code) => {
      expect(findTotpStep(key, code, at(seconds))).toBe(Math.floor(seconds / 30));
    },
  );

  it("a code is accepted one step early and one step late, and two steps away no more", {
    meta: { proves: ["onboarding.second-factor.totp"] },
  }, () => {
    const code = totpCode(totpSecretText(key), at(1_000_000_020));
    const step = Math.floor(1_000_000_020 / 30);
    for (const seconds of [-30, 0, 30]) expect(findTotpStep(key, code, at(1_000_000_020 + seconds))).toBe(step);
    for (const seconds of [-60, 60]) expect(findTotpStep(key, code, at(1_000_000_020 + seconds))).toBeNull();
  });

  it("spaces in a typed code do not count, and any other text is no code", {
    meta: { proves: ["onboarding.second-factor.totp"] },
  }, () => {
    expect(findTotpStep(key, " 287 082\t", at(59))).toBe(1);
    for (const text of ["", "28708", "2870820", "28708a", "٢٨٧٠٨٢", "0".repeat(1_000_000), "\0".repeat(6)]) {
      expect(findTotpStep(key, text, at(59))).toBeNull();
    }
  });

  it("the address for the QR code names team and account, whatever characters they have", {
    meta: { proves: ["onboarding.second-factor.totp"] },
  }, () => {
    const secret = createTotpSecret();
    expect(secret).toHaveLength(20);
    const uri = new URL(totpUri(secret, { team: `Ü&:${"長".repeat(300)}`, email: "ada+1@example.com" }));
    expect(uri.protocol).toBe("otpauth:");
    expect(uri.searchParams.get("secret")).toBe(totpSecretText(secret).replaceAll(" ", ""));
    expect(uri.searchParams.get("issuer")).toBe(`Ü&:${"長".repeat(37)}`);
    expect(decodeURIComponent(uri.pathname)).toContain("ada+1@example.com");
    expect(uri.href.length).toBeLessThan(2_900);
  });
});
