import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OauthError } from "./oauth-error.ts";
import { parseParameters, requireNoRepetition } from "./parameters.ts";

const parametersIn = (text: string) => parseParameters(new URLSearchParams(text));

describe("the parameters of a request", () => {
  it("RFC 6749 §3.1: a parameter without a value counts as omitted", () => {
    const parameters = parametersIn("scope=&state&client_id=x");
    expect(["scope", "state", "client_id", "other"].map(parameters.get)).toEqual([
      undefined,
      undefined,
      "x",
      undefined,
    ]);
  });

  it("RFC 6749 §3.1: a repeated parameter is rejected by name", {
    meta: { proves: ["decision.oauth.parameters"] },
  }, () => {
    for (const text of ["code=a&code=a", "code=a&code=", "code&code", "code=a&x=1&c%6fde=b"]) {
      const parameters = parametersIn(text);
      expect(parameters.get("code")).toBeUndefined();
      expect(() => requireNoRepetition(parameters)).toThrow(expect.objectContaining({ code: "invalid_request" }));
      expect(() => requireNoRepetition(parameters)).toThrow("'code'");
    }
    expect(() => requireNoRepetition(parametersIn("unknown=1&unknown=2"))).toThrow("'unknown'");
  });

  it("RFC 8707 §2: resource may be repeated", () => {
    const parameters = parametersIn("resource=a&resource=b&resource=");
    requireNoRepetition(parameters);
    expect(parameters.all("resource")).toEqual(["a", "b"]);
  });

  it("a value with a control character is rejected before any look-up", () => {
    for (const text of ["code=%00", "state=a%0d%0ab", "client_id=%7f", "scope=%c2%85"]) {
      expect(() => parametersIn(text)).toThrow(OauthError);
    }
  });

  it("the cost of one name is linear in its repetitions", {
    meta: { proves: ["decision.oauth.parameters"] },
  }, () => {
    const count = 100_000;
    const readingMs = (nameOf: (index: number) => string): number => {
      const sent = new URLSearchParams(Array.from({ length: count }, (_, index) => [nameOf(index), ""]));
      const startedAt = process.threadCpuUsage();
      expect(parseParameters(sent).repeated.length).toBeLessThanOrEqual(1);
      return process.threadCpuUsage(startedAt).user / 1_000;
    };
    readingMs((index) => `a${index}`);
    // A new list for each would be 5,000,000,000 copies: minutes.
    expect(readingMs(() => "a")).toBeLessThan(10 * readingMs((index) => `a${index}`) + 100);
  });

  it("in random requests, a parameter is returned only if it was sent exactly once", {
    meta: { proves: ["decision.oauth.parameters"] },
  }, () => {
    const pair = fc.tuple(fc.constantFrom("code", "client_id", "resource", "x"), fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 8 }), (pairs) => {
        const parameters = parametersIn(new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString());
        for (const name of ["code", "client_id", "x"]) {
          const sent = pairs.filter(([sentName]) => sentName === name);
          const [[, only = ""] = ["", ""]] = sent;
          expect(parameters.get(name)).toBe(sent.length === 1 && only !== "" ? only : undefined);
          expect(parameters.repeated.includes(name)).toBe(sent.length > 1);
        }
      }),
    );
  });
});
