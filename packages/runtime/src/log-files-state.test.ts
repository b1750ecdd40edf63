import { expect, it } from "vitest";
import { logFilesState } from "./log-files-state.ts";
import { createLogger } from "./logger.ts";

it("a bucket that stops working is one warning with the reason, without what a message quotes", () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const tell = logFilesState(createLogger({ app: "api", level: "info", destination }));
  tell(Object.assign(new Error('no access with the key "AKIA1234"'), { name: "AccessDenied" }));
  tell(undefined);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 40,
      message: "the bucket of attachments does not work",
      reason: { type: "AccessDenied", message: "no access with the key …" },
    },
    { level: 30, message: "the bucket of attachments works again" },
  ]);
  expect(lines.join()).not.toContain("AKIA1234");
});
