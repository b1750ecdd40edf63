/** The time for which an entry of the audit log is kept and shown. Its month is dropped when the last of its entries has expired. */
export const auditTtlMs = 365 * 24 * 60 * 60 * 1000;
