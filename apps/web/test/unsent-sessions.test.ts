import { expect, it } from "vitest";
import { asksBeforeClosing } from "../src/client/editor/unsent-sessions.ts";

type Left = Parameters<typeof asksBeforeClosing>[0];

const left = (kind: "saved" | "saving", failure: unknown, unsentTexts: readonly string[]): Left =>
  ({ session: { status: { kind } }, keeper: { failure, unsentTexts } }) as unknown as Left;

it("asks before it closes a page with text that neither the document nor the device has", () => {
  expect(asksBeforeClosing(left("saved", new Error("No room"), ["Mine"]))).toBe(true);
  expect(asksBeforeClosing(left("saving", null, ["Mine"]))).toBe(true);
});

it("asks nothing where the service or the device has all text", () => {
  expect(asksBeforeClosing(left("saved", null, ["Mine"]))).toBe(false);
  expect(asksBeforeClosing(left("saved", new Error("No room"), []))).toBe(false);
});
