import type pg from "pg";

/**
 * Makes a partition of the audit log for each month from a time on, as a service has them that has run since then. The log has no
 * older entries than those of the present month.
 */
export async function makeAuditMonths(client: pg.ClientBase, from: number): Promise<void> {
  const { rows } = await client.query<{ until: Date }>("SELECT until FROM audit_partitions() ORDER BY since LIMIT 1");
  const [{ until } = { until: new Date() }] = rows;
  const start = new Date(from);
  const monthOf = (index: number): Date => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index));
  await client.query("BEGIN");
  await client.query("ALTER TABLE audit_entries DETACH PARTITION audit_entries_before");
  for (let index = 0; monthOf(index) < until; index += 1) {
    const since = monthOf(index).toISOString();
    const end = monthOf(index + 1).toISOString();
    const name = `audit_entries_${since.slice(0, 7).replace("-", "_")}`;
    await client.query(`CREATE TABLE ${name} PARTITION OF audit_entries FOR VALUES FROM ('${since}') TO ('${end}')`);
  }
  await client.query(`ALTER TABLE audit_entries ATTACH PARTITION audit_entries_before
    FOR VALUES FROM (MINVALUE) TO ('${monthOf(0).toISOString()}')`);
  await client.query("COMMIT");
}
