import { expect, it } from "vitest";
import type { ImportJob } from "../import-job.ts";
import { emptyResult } from "../result.ts";
import { jobResultOf } from "./job-result.ts";

const job: ImportJob = {
  product: "folder",
  files: 1,
  others: new Map(),
  run: () => Promise.reject(new Error("not called")),
};

it("a result has no text that PostgreSQL refuses in JSON: NUL, or half of a character where it is cut", () => {
  const result = emptyResult();
  const value = `${"x".repeat(499)}\u{1f600}`;
  const explanation = { code: "text_invalid", values: { message: value } } as const;
  result.notes.push({ path: "a\0.md", message: value, explanation });
  const { problems } = jobResultOf(job, { result, urls: new Map() });
  expect(problems).toMatchObject([{ path: "a\ufffd.md", detail: `${"x".repeat(499)}\ufffd` }]);
  expect(JSON.stringify(problems)).not.toMatch(/\\u(?:0000|d83d)/);
  expect(problems[0]?.explanation?.values).toEqual({ message: `${"x".repeat(499)}\ufffd` });
});
