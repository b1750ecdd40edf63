import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";

/** Lists the rows about the current session and the user's other sessions. */
export function sessionRoutes(): Row[] {
  const section = "Log-ins";
  return [
    route("get", "/api/app.events", operations.followChanges, {
      section,
      changes: (stream) => stream,
      notes: { lastEventId: "the `id` of the last event that the client received" },
    }),
    route("post", "/api/auth.me", operations.getSession, {
      section,
      csrfToken: false,
      idempotencyKey: false,
      note: "Send `csrfToken` as `X-CSRF-Token` with every change. This call itself does not need it.",
    }),
    route("post", "/api/auth.changePassword", operations.changePassword, {
      section,
      idempotencyKey: false,
      errors: ["rate_limited"],
      notes: { currentPassword: "the current password", newPassword: "8 to 1,024 characters" },
    }),
    route("post", "/api/auth.updateProfile", operations.updateProfile, {
      section,
      notes: {
        language: "`en` or `ar`; `null` for the language of each browser",
        theme: "`system`, `light` or `dark`; `null` for the theme of each browser",
      },
      example: { name: "Ada", language: "en", theme: "dark" },
    }),
    route("post", "/api/auth.sessions.list", operations.listSessions, { section }),
    route("post", "/api/auth.sessions.revoke", operations.revokeSession, {
      section,
      errors: ["not_found"],
      notes: { id: "the `id` of a session from the list; that of the current session logs out" },
    }),
  ];
}
