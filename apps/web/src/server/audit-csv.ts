import type { Actor } from "@kb/auth";
import { invoke, operations, type Service } from "@kb/core";
import type { EdgeContext, Sessions } from "@kb/http";
import type { z } from "zod";
import { auditFilter } from "../client/screens/settings/audit-filter.ts";
import { settingsParameters } from "../client/screens/settings/settings-parameters.ts";
import { setPageHeaders } from "./policy.ts";

type Page = z.output<typeof operations.listAudit.output>;
type Entry = Page["data"][number];

/** The entries that are read at a time. */
const pageSize = 100;

const columns: readonly (readonly [name: string, value: (entry: Entry) => string | null | undefined])[] = [
  ["at", ({ at }) => at],
  ["user", ({ user }) => user?.name],
  ["userId", ({ user }) => user?.id],
  ["credential", ({ credential }) => credential.kind],
  ["credentialId", ({ credential }) => credential.id],
  ["action", ({ action }) => action],
  ["outcome", ({ outcome }) => outcome],
  ["targetType", ({ target }) => target?.type],
  ["targetId", ({ target }) => target?.id],
  ["address", ({ address }) => address],
  ["requestId", ({ requestId }) => requestId],
  ["details", ({ details }) => (Object.keys(details).length === 0 ? "" : JSON.stringify(details))],
];

/**
 * Answers with the entries of the audit log that the filters of the address name, as CSV (RFC 4180), newest first. It is read
 * page by page as the browser takes it, and fails when the session ends: a part must not look like the whole.
 * @throws {ServiceError} `forbidden` for a user who may not read the audit log
 */
export async function auditCsv(
  context: EdgeContext,
  { service, sessions, actor }: { service: Service; sessions: Sessions; actor: Actor },
): Promise<Response> {
  const filter = auditFilter(settingsParameters(context.req.query()));
  const read = (by: Actor, cursor?: string): Promise<Page> =>
    invoke(service, operations.listAudit, by, { ...filter, limit: pageSize, cursor });
  const readNext = async (cursor: string): Promise<Page> => {
    const session = await sessions.find(context);
    if (session === null) throw new Error("the session ended before the whole audit log was read");
    return await read(session.actor, cursor);
  };
  // Read before the answer begins, so that a refusal is an error page.
  let page: Page | undefined = await read(actor);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // The mark tells spreadsheets that the text is UTF-8.
      controller.enqueue(encoder.encode(`\uFEFF${rowOf(columns.map(([name]) => name))}`));
    },
    async pull(controller) {
      if (page === undefined) return controller.close();
      const { data, nextCursor } = page;
      controller.enqueue(encoder.encode(data.map(lineOf).join("")));
      page = nextCursor === null ? undefined : await readNext(nextCursor);
    },
  });
  setPageHeaders(context);
  context.header("Cache-Control", "no-store");
  context.header("Content-Type", "text/csv; charset=utf-8");
  context.header("Content-Disposition", 'attachment; filename="audit-log.csv"');
  return context.body(body);
}

const lineOf = (entry: Entry): string => rowOf(columns.map(([, value]) => value(entry) ?? ""));

const rowOf = (cells: readonly string[]): string => `${cells.map(cellOf).join(",")}\r\n`;

/** Returns a quoted cell. A spreadsheet would run a text that begins like a formula, so an apostrophe stands before it. */
export function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
