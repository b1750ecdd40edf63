import { expect, it } from "vitest";
import { isTooOld } from "./server-facts.ts";

it("PostgreSQL is too old before version 15, and without a version", () => {
  const versions = ["", "9.6.24", "14.23 (Debian 14.23-1)", "15.0", "18.4", "19beta1"];
  expect(versions.filter(isTooOld)).toEqual(["", "9.6.24", "14.23 (Debian 14.23-1)"]);
});
