import { describe, expect, it } from "vitest";
import { deriveKey, sealer } from "./secrets.ts";

const secret = "0123456789abcdef0123456789abcdef";
const plain = new TextEncoder().encode("whsec_of_a_webhook");

describe("a value sealed under the secret of the installation", () => {
  it("opens under the same secret and purpose, and differs each time it is sealed", () => {
    const box = sealer(secret, "webhooks");
    const sealed = box.seal(plain);
    expect(sealer(secret, "webhooks").open(sealed)).toEqual(plain);
    expect(box.seal(plain)).not.toEqual(sealed);
    expect(Buffer.from(sealed).includes(Buffer.from(plain))).toBe(false);
  });

  it("does not open under another secret or purpose, or after one bit was changed", () => {
    const sealed = sealer(secret, "webhooks").seal(plain);
    expect(() => sealer(`${secret}x`, "webhooks").open(sealed)).toThrow();
    expect(() => sealer(secret, "other").open(sealed)).toThrow();
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealer(secret, "webhooks").open(changed)).toThrow();
    }
    expect(() => sealer(secret, "webhooks").open(new Uint8Array(4))).toThrow();
  });

  it("still opens under the previous secret after a rotation, which then seals nothing new", {
    meta: { proves: ["decision.running.secret-rotation"] },
  }, () => {
    const sealed = sealer(secret, "webhooks").seal(plain);
    const box = sealer(`${secret}x`, "webhooks", secret);
    expect(box.open(sealed)).toEqual(plain);
    const anew = box.seal(plain);
    expect(sealer(`${secret}x`, "webhooks").open(anew)).toEqual(plain);
    expect(() => sealer(secret, "webhooks").open(anew)).toThrow();
    expect(() => sealer(`${secret}y`, "webhooks", `${secret}z`).open(sealed)).toThrow();
  });

  it("a derived key is the same in every process, and different for each purpose", () => {
    expect(deriveKey(secret, "a")).toEqual(deriveKey(secret, "a"));
    expect(deriveKey(secret, "a")).not.toEqual(deriveKey(secret, "b"));
    expect(deriveKey(secret, "a")).toHaveLength(32);
  });
});
