import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";
import { fieldNotes } from "./field-notes.ts";

/** Lists the rows of the audit log: one for the keys of admins, one for the app. */
export function auditRoutes(): Row[] {
  const options = { section: "Audit log", body: "output", notes: fieldNotes.audit } as const;
  return [
    route("get", "/api/v1/audit-log", operations.listAuditLog, { ...options, exampleQuery: "outcome=denied&limit=10" }),
    route("post", "/api/audit.list", operations.listAudit, options),
  ];
}
