import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deploy } from "./read.ts";

const promtool = (...args: string[]): string =>
  execFileSync("promtool", args, { cwd: join(deploy, "monitoring"), encoding: "utf8" });

it("the alerts are raised by the series that should raise them, and by no other", () => {
  expect(promtool("check", "rules", "alerts.yaml")).toContain("11 rules found");
  expect(promtool("test", "rules", "alerts.test.yaml")).toContain("SUCCESS");
});
