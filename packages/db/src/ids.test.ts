import { describe, expect, it } from "vitest";
import { isUuid, newId } from "./ids.ts";

describe("newId", () => {
  it("is a UUID of version 7 with the time in its first 48 bits", () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now() + 1);
  });

  it("increases strictly, even within one millisecond and beyond its counter", () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("isUuid", () => {
  it("accepts any version in either case, and nothing else", () => {
    expect(isUuid(newId())).toBe(true);
    expect(isUuid("F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")).toBe(true);
    for (const text of ["", "x", `${newId()} `, newId().slice(1), newId().replaceAll("-", ""), `{${newId()}}`]) {
      expect(isUuid(text)).toBe(false);
    }
  });
});
