import { afterEach, expect, it, vi } from "vitest";
import { chromiumPath } from "./chromium-path.ts";

const there = import.meta.filename;
const missing = `${there}.missing`;

afterEach(() => vi.unstubAllEnvs());

it("Chromium is where CHROMIUM_PATH says, else at the first place that has one", () => {
  vi.stubEnv("CHROMIUM_PATH", undefined);
  expect(chromiumPath(missing, there)).toBe(there);
  expect(() => chromiumPath(missing)).toThrow("No Chromium");
  vi.stubEnv("CHROMIUM_PATH", process.execPath);
  expect(chromiumPath(there)).toBe(process.execPath);
  vi.stubEnv("CHROMIUM_PATH", missing);
  expect(() => chromiumPath(there)).toThrow(missing);
});
