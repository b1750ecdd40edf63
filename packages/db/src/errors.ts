/** PostgreSQL is unreachable, starting, stopping, saturated or too slow. A retry may succeed. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  constructor(cause: unknown) {
    super("the database is not available", { cause });
  }
}

// Beside classes 08 (connection exceptions) and 53 (insufficient resources): query cancelled by statement_timeout, the
// three shutdown states, idle-in-transaction timeout, unrecoverable session.
const unavailableStates = new Set(["57014", "57P01", "57P02", "57P03", "57P05", "25P03", "25P04"]);

const socketCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_STREAM_DESTROYED",
]);

// P1001/P1002 unreachable, P1008 timed out, P1017 closed, P2024 pool checkout, P2028 interactive transaction timed out,
// P2037 too many connections.
const prismaCodes = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"]);

// Messages of the driver that come without a code.
const driverMessages =
  /timeout exceeded when trying to connect|^Connection terminated|^timeout expired|encountered a connection error|Query read timeout|Cannot use a pool after calling end|Client was closed and is not queryable|^Driver has already been closed/;

/** Unwraps an error from Prisma and its adapter, at most eight layers. */
function* layers(error: unknown): Generator<object> {
  let layer = error;
  for (let depth = 0; depth < 8 && typeof layer === "object" && layer !== null; depth += 1) {
    yield layer;
    const meta = property(layer, "meta");
    layer = property(layer, "cause") ?? property(meta, "driverAdapterError");
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the SQLSTATE of an error of Prisma or the driver; null if PostgreSQL did not raise it. */
export function sqlState(error: unknown): string | null {
  for (const layer of layers(error)) {
    for (const name of ["originalCode", "code"]) {
      const code = property(layer, name);
      if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !/^[PE]\d{4}$|^EPIPE$/.test(code)) return code;
    }
  }
  return null;
}

function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith("08") || state.startsWith("53") || unavailableStates.has(state);
  for (const layer of layers(error)) {
    const code = property(layer, "code") ?? property(layer, "errorCode");
    if (typeof code === "string" && (socketCodes.has(code) || prismaCodes.has(code))) return true;
    const message = property(layer, "message");
    if (typeof message === "string" && driverMessages.test(message)) return true;
  }
  return false;
}

/** Converts an error to a `DatabaseUnavailableError` if a retry may succeed; returns any other error unchanged. */
export function toUnavailableError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  return isUnavailable(error) ? new DatabaseUnavailableError(error) : error;
}

function hasPrismaCode(error: unknown, wanted: string): boolean {
  for (const layer of layers(error)) if (property(layer, "code") === wanted) return true;
  return false;
}

/** Returns whether a unique index refused the write (SQLSTATE 23505, Prisma P2002). */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === "23505" || hasPrismaCode(error, "P2002");
}

/** Returns whether a foreign key refused the write (SQLSTATE 23503, Prisma P2003). */
export function isForeignKeyViolation(error: unknown): boolean {
  return sqlState(error) === "23503" || hasPrismaCode(error, "P2003");
}

/** Returns whether a deadlock or serialization failure rolled the transaction back, so that a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01" || hasPrismaCode(error, "P2034");
}

/** Returns whether the role of the connection may not run a statement (SQLSTATE 42501). */
export const isPermissionDenied = (error: unknown): boolean => sqlState(error) === "42501";

/** Returns whether a statement gave up because a lock was not free within its `lock_timeout` (SQLSTATE 55P03). */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === "55P03";
}
