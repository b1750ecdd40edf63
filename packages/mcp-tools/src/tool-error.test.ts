import { asServiceError, invalid, ServiceError } from "@kb/core";
import { DatabaseUnavailableError } from "@kb/db";
import { describe, expect, it } from "vitest";
import { toolError } from "./tool-error.ts";

const readError = (error: ServiceError): { text: string; meta: Record<string, unknown> | undefined } => {
  const { content, isError, _meta } = toolError(error);
  const [block] = content;
  expect(isError).toBe(true);
  return { text: block?.type === "text" ? block.text : "", meta: _meta };
};

describe("an error as a tool tells it", () => {
  it("is CODE: what happened. What to do., with the code in _meta", {
    meta: { proves: ["decision.tools.errors"] },
  }, () => {
    const codes = ["not_found", "forbidden", "insufficient_scope", "mcp_disabled", "conflict", "unavailable"] as const;
    for (const code of codes) {
      const { text, meta } = readError(new ServiceError(code, "It happened"));
      expect(text).toMatch(/^[A-Z_]+: It happened\. [A-Z].+\.$/);
      expect(meta).toEqual({ code: text.split(":")[0] });
    }
  });

  it("a used-up quota asks to tell the user, not to send less", () => {
    const used = new ServiceError("payload_too_large", "The team uses 9 of 10 bytes.", {
      details: [{ path: "quota", message: "x" }],
    });
    expect(readError(used).text).toBe(
      "TOO_LARGE: The team uses 9 of 10 bytes. Tell the user: another call fails in the same way.",
    );
  });

  it("RATE_LIMITED has the seconds, REVISION_CONFLICT the current revision, TEXT_NOT_FOUND how often", () => {
    const limited = readError(new ServiceError("rate_limited", "Too many requests.", { retryAfterSeconds: 12 }));
    expect(limited).toEqual({
      text: "RATE_LIMITED: Too many requests. Wait 12 seconds, then repeat the call.",
      meta: { code: "RATE_LIMITED", retryAfterSeconds: 12 },
    });
    const conflict = new ServiceError("revision_conflict", "It is at revision 7. Read it again.", {
      details: [{ path: "expectedRevision", message: "It is at revision 7.", currentRevision: 7, diff: "secret?" }],
    });
    expect(readError(conflict)).toEqual({
      text: "REVISION_CONFLICT: It is at revision 7. Read the document again with get_document, then repeat the change against its current revision.",
      meta: { code: "REVISION_CONFLICT", currentRevision: 7 },
    });
    const twice = new ServiceError("text_ambiguous", "It occurs 2 times.", {
      details: [{ path: "oldText", message: "x", count: 2 }],
    });
    expect(readError(twice)).toMatchObject({
      meta: { code: "TEXT_NOT_FOUND", count: 2 },
      text: expect.stringMatching(/longer/),
    });
  });

  it("a title that is too long, Markdown that cannot be read, and other parameters have codes of their own", () => {
    expect(readError(invalid("title", "At most 255 characters")).meta).toEqual({ code: "TITLE_TOO_LONG" });
    expect(readError(invalid("title", "Control characters are not allowed")).meta).toEqual({
      code: "INVALID_PARAMETERS",
    });
    const unread = new ServiceError("validation_error", "markdown: nested too deep", {
      details: [{ path: "markdown", message: "nested too deep" }],
      cause: new Error("of the codec"),
    });
    expect(readError(unread).meta).toEqual({ code: "INVALID_MARKDOWN" });
    expect(readError(invalid("markdown", "Required")).meta).toEqual({ code: "INVALID_PARAMETERS" });
  });

  it("of an outage it says to wait, and of a defect nothing", () => {
    expect(readError(asServiceError(new DatabaseUnavailableError(new Error("10.0.0.5 refused")))).text).toMatch(
      /^UNAVAILABLE: .*Wait/,
    );
    const { text } = readError(asServiceError(new Error("password=hunter2")));
    expect(text).toBe(
      "INTERNAL_ERROR: Something went wrong on the server. Try again. If the error persists, tell the user.",
    );
  });
});
