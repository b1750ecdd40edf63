import { expect, it } from "vitest";
import { freshnessSeconds } from "./freshness-seconds.ts";

it.each([
  [undefined, 3_600],
  ["public, max-age=300", 300],
  ["max-age=0", 60],
  ["max-age=1", 60],
  ["no-store", 60],
  ["No-Cache, max-age=86400", 60],
  ["max-age=99999999", 86_400],
  ["max-age=nonsense", 3_600],
  ["s-maxage=5", 3_600],
])(
  "a document whose Cache-Control is %j is kept for %i seconds",
  { meta: { proves: ["decision.oauth.document-cache"] } },
  (given, kept) => {
    expect(freshnessSeconds(given === undefined ? {} : { "cache-control": given })).toBe(kept);
  },
);

it("time spent in a cache on the way counts (RFC 9111 §4.2.3)", () => {
  expect(freshnessSeconds({ "cache-control": "max-age=300", age: "100" })).toBe(200);
  expect(freshnessSeconds({ "cache-control": "max-age=300", age: "1000" })).toBe(60);
});
