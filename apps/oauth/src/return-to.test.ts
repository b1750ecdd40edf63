import { describe, expect, it } from "vitest";
import { logInPath, safeReturnTo } from "./return-to.ts";

describe("the target after a login", () => {
  it.each(["/", "/documents/0192", "/search?query=a%20b&tag=c", "/documents/x#heading", "/a/b/c?x=https://y.example"])(
    "keeps %s",
    (path) => {
      expect(safeReturnTo(path)).toBe(path);
    },
  );

  it.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\\/evil.example",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/\r\nSet-Cookie: x=y",
    "/a\\b",
    "/../..//evil.example",
    "/..//evil.example",
    "/.//evil.example",
    "/a b",
    "/é",
    "/\0",
    "",
    "//evil.example@localhost:3000",
    "/%0a/../..//evil.example",
    `/${"a".repeat(9_000)}`,
  ])("%j leads to the start page", { meta: { proves: ["decision.access.return-to"] } }, (hostile) => {
    expect(safeReturnTo(hostile)).toBe("/");
  });

  it.each([
    ["/authorize?state=it's", "/authorize?state=it%27s"],
    ["/a/../b", "/b"],
    [`/authorize?state=${"a".repeat(5_000)}`, `/authorize?state=${"a".repeat(5_000)}`],
  ])("%s is normalized as a browser does it", (given, path) => {
    expect(safeReturnTo(given)).toBe(path);
  });

  it("is the start page by default, without a parameter in the login URL", () => {
    expect(safeReturnTo(undefined)).toBe("/");
    expect([logInPath("/"), logInPath("/a?b=c")]).toEqual(["/login", "/login?return_to=%2Fa%3Fb%3Dc"]);
  });

  it("is always a path of this origin for a browser", () => {
    const parts = ["/", "\\", "evil.example", "..", ".", "%2f", "%5c", "@", ":", "\t", "\n", "?", "#", "a", "//"];
    for (let round = 0; round < 20_000; round += 1) {
      const length = 1 + Math.floor(Math.random() * 6);
      const given = Array.from({ length }, () => parts[Math.floor(Math.random() * parts.length)]).join("");
      expect(new URL(safeReturnTo(given), "https://wiki.example.com").origin, given).toBe("https://wiki.example.com");
    }
  });
});
