import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";

/** What somebody who is logged in asks about that very log-in, and about their others. */
export function sessionRoutes(): Row[] {
  const section = "Log-ins";
  return [
    route("post", "/api/auth.me", operations.getSession, { section, csrfToken: false, idempotencyKey: false }),
    route("post", "/api/auth.changePassword", operations.changePassword, {
      section,
      idempotencyKey: false,
      errors: ["rate_limited"],
      notes: { currentPassword: "the present one", newPassword: "8 to 1,024 characters" },
    }),
    route("post", "/api/auth.sessions.list", operations.listLogIns, { section }),
    route("post", "/api/auth.sessions.revoke", operations.revokeLogIn, {
      section,
      errors: ["not_found"],
      notes: { id: "the `id` of a log-in, from the list; one's own logs out" },
    }),
  ];
}
