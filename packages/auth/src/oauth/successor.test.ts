import { describe, expect, it } from "vitest";
import { openSuccessor, sealSuccessor } from "./successor.ts";
import { createOauthToken } from "./tokens.ts";

describe("the successor of a refresh token", () => {
  const presented = createOauthToken("kbrt_");
  const other = createOauthToken("kbrt_");
  const next = createOauthToken("kbrt_");

  it("can be opened only with the token that was presented", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, () => {
    const sealed = sealSuccessor(presented, next);
    expect(openSuccessor(presented, sealed)).toBe(next);
    expect(() => openSuccessor(other, sealed)).toThrow();
    expect(() => openSuccessor(next, sealed)).toThrow();
    expect(Buffer.from(sealed).includes(next)).toBe(false);
    expect(Buffer.from(sealed).includes(Buffer.from(next.slice(5), "base64url"))).toBe(false);
  });

  it("cannot be opened after one bit of the stored value was changed", () => {
    const sealed = sealSuccessor(presented, next);
    for (const place of [0, 12, 28, sealed.length - 1]) {
      const changed = sealed.map((byte, index) => (index === place ? byte ^ 1 : byte));
      expect(() => openSuccessor(presented, changed)).toThrow();
    }
  });

  it("is different each time the same token is sealed", () => {
    expect(Buffer.from(sealSuccessor(presented, next))).not.toEqual(Buffer.from(sealSuccessor(presented, next)));
  });
});
