import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hashToken, isWellFormedToken, makeToken, storedToken, type TokenPrefix } from "./api-key.ts";

describe.each<TokenPrefix>(["kb_", "kbc_"])("a token with the prefix %s", (prefix) => {
  const token = makeToken(prefix);

  it("is the prefix, 30 random base62 characters and 6 of a checksum", {
    meta: { proves: ["decision.access.key-format"] },
  }, () => {
    expect(token).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{36}$`));
    expect(isWellFormedToken(prefix, token)).toBe(true);
    expect(makeToken(prefix)).not.toBe(token);
  });

  it("uses all 62 characters", () => {
    const drawn = new Set(Array.from({ length: 100 }, () => makeToken(prefix).slice(prefix.length, -6)).join(""));
    expect([...drawn].sort().join("")).toBe("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  });

  it("ends in the CRC32 of the preceding text, in base62", {
    meta: { proves: ["decision.access.key-format"] },
  }, () => {
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const value = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(token.slice(0, -6)));
  });

  it("differs from every text with one changed character", { meta: { proves: ["decision.access.key-format"] } }, () => {
    for (let place = 0; place < token.length; place += 1) {
      const other = token[place] === "x" ? "y" : "x";
      expect(isWellFormedToken(prefix, token.slice(0, place) + other + token.slice(place + 1)), `${place}`).toBe(false);
    }
  });

  it("differs from a text that is shorter, longer, padded, or has the other prefix", () => {
    const others = [token.slice(0, -1), `${token}0`, ` ${token}`, `${token} `, `${token}\n`, "", prefix];
    for (const text of others) expect(isWellFormedToken(prefix, text), JSON.stringify(text)).toBe(false);
    const [one, another]: TokenPrefix[] = prefix === "kb_" ? ["kb_", "kbc_"] : ["kbc_", "kb_"];
    if (one === undefined || another === undefined) throw new Error("two prefixes");
    expect(isWellFormedToken(another, token)).toBe(false);
    expect(isWellFormedToken(one, makeToken(another))).toBe(false);
  });

  it("is rejected if it contains a foreign character, even with a correct checksum", () => {
    const body = `${token.slice(0, -7)}-`;
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let rest = crc32(body);
    let checksum = "";
    for (let place = 0; place < 6; place += 1) {
      checksum = digits.charAt(rest % 62) + checksum;
      rest = Math.floor(rest / 62);
    }
    expect(isWellFormedToken(prefix, body + checksum)).toBe(false);
  });

  it("is stored as its SHA-256, with its first 8 and last 4 characters for display", () => {
    const hash = new Uint8Array(createHash("sha256").update(token).digest());
    expect(hashToken(token)).toEqual(hash);
    expect(storedToken(token)).toEqual({ hash, prefix: token.slice(0, 8), suffix: token.slice(-4) });
  });
});
