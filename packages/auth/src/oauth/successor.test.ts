import { describe, expect, it } from "vitest";
import { openSuccessor, sealSuccessor } from "./successor.ts";
import { makeOauthToken } from "./tokens.ts";

describe("the successor of a refresh token", () => {
  const [presented, other, next] = [makeOauthToken("kbrt_"), makeOauthToken("kbrt_"), makeOauthToken("kbrt_")];

  it("is opened by the token that was presented, and by nothing else [decision.oauth.refresh]", () => {
    const sealed = sealSuccessor(presented, next);
    expect(openSuccessor(presented, sealed)).toBe(next);
    expect(() => openSuccessor(other, sealed)).toThrow();
    expect(() => openSuccessor(next, sealed)).toThrow();
    expect(Buffer.from(sealed).includes(next)).toBe(false);
    expect(Buffer.from(sealed).includes(Buffer.from(next.slice(5), "base64url"))).toBe(false);
  });

  it("is opened no more when one bit of what is stored was changed", () => {
    const sealed = sealSuccessor(presented, next);
    for (const place of [0, 12, 28, sealed.length - 1]) {
      const changed = sealed.map((byte, index) => (index === place ? byte ^ 1 : byte));
      expect(() => openSuccessor(presented, changed)).toThrow();
    }
  });

  it("looks different each time: the same token sealed twice tells nothing", () => {
    expect(Buffer.from(sealSuccessor(presented, next))).not.toEqual(Buffer.from(sealSuccessor(presented, next)));
  });
});
