import { type ErrorCode, ServiceError } from "@kb/core";
import { DatabaseUnavailableError } from "@kb/db";
import { describe, expect, it } from "vitest";
import { errorAnswer, statusOf } from "./error-table.ts";

/** As the contract lists them. */
const contract: Record<ErrorCode, number> = {
  authentication_required: 401,
  invalid_api_key: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  proof_required: 403,
  mcp_disabled: 403,
  not_found: 404,
  not_in_trash: 404,
  method_not_allowed: 405,
  revision_conflict: 409,
  conflict: 409,
  idempotency_mismatch: 409,
  editing_now: 409,
  lineage_changed: 409,
  schema_ahead: 409,
  steps_refused: 422,
  too_old: 410,
  sync_window_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_complex: 422,
  validation_error: 400,
  inline_image_rejected: 400,
  heading_not_found: 404,
  text_not_found: 404,
  text_ambiguous: 409,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

describe("errors", () => {
  it("every code has its status", () => {
    expect(statusOf).toEqual(contract);
  });

  it("a revision conflict is 409 for the body field and 412 for If-Match", () => {
    const conflict = (path: string) =>
      errorAnswer(
        new ServiceError("revision_conflict", "x", { details: [{ path, message: "y", currentRevision: 7 }] }),
      );
    expect(conflict("expectedRevision").status).toBe(409);
    expect(conflict("expectedRevisions").status).toBe(412);
    expect(conflict("expectedRevisions").body.details).toEqual([
      { path: "If-Match", message: "y", currentRevision: 7 },
    ]);
  });

  it("401 has WWW-Authenticate: Bearer", { meta: { proves: ["decision.api.www-authenticate"] } }, () => {
    for (const code of ["authentication_required", "invalid_api_key", "invalid_token"] as const) {
      expect(errorAnswer(new ServiceError(code, "x")).headers).toEqual({ "WWW-Authenticate": "Bearer" });
    }
  });

  it("only a rate limit has retryAfterSeconds in its body; every error with a retry time has the header", () => {
    const limited = errorAnswer(new ServiceError("rate_limited", "x", { retryAfterSeconds: 12 }));
    expect(limited.headers).toEqual({ "Retry-After": "12" });
    expect(limited.body).toEqual({ error: "x", code: "rate_limited", retryAfterSeconds: 12 });
    const running = errorAnswer(new ServiceError("conflict", "x", { retryAfterSeconds: 1 }));
    expect(running.headers).toEqual({ "Retry-After": "1" });
    expect(running.body).toEqual({ error: "x", code: "conflict" });
  });

  it("an unavailable database is 503 with Retry-After", () => {
    const { status, body, headers } = errorAnswer(new DatabaseUnavailableError(new Error("ECONNREFUSED 10.0.0.7")));
    expect(status).toBe(503);
    expect(body.code).toBe("unavailable");
    expect(Number(headers["Retry-After"])).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify(body)).not.toContain("10.0.0.7");
  });

  it.each([[new Error("secret at /srv/kb/x.ts")], ["a string"], [undefined], [null]])(
    "an unknown error (%s) reveals nothing",
    (thrown) => {
      const { status, body } = errorAnswer(thrown);
      expect(status).toBe(500);
      expect(body).toEqual({ error: "Something went wrong on the server.", code: "internal_error" });
    },
  );
});
