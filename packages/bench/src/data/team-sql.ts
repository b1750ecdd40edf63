/** A team to fill with `count` documents, which are derived from the schema `source` and their numbers. */
export type TeamPlan = {
  readonly teamId: string;
  /** The ids of the users who wrote the documents, in turn. */
  readonly authors: readonly string[];
  readonly count: number;
  /** The creation time of the first document, in milliseconds since 1970. */
  readonly from: number;
};

/** The number of common tags, each on a tenth of the documents. Each other tag is on about fifty documents. */
export const areas = 10;
const documentsOfTopic = 50;

/** Returns the number of collections, at least 10 and at most 1,000. */
export const collectionsOf = (count: number): number => Math.min(1_000, Math.max(10, Math.ceil(count / 500)));
export const topicsOf = (count: number): number => Math.max(10, Math.ceil(count / documentsOfTopic));

/**
 * Return SQL for the unique word of a document, and for a word that it shares with its nineteen neighbours. Both consist
 * only of letters, like other terms, and differ at both ends, like other words.
 */
const ownWord = (n: string): string => letters("q", n);
export const sharedWord = (n: string): string => letters("z", `(${n} / 20)`);
const letters = (first: string, n: string): string =>
  `('${first}' || translate(substr(md5('${first}' || ${n}), 1, 8), '0123456789abcdef', 'bcdfghjklmnprstv'))`;

const hash = (salt: number): string => `(hashint8extended(n, ${salt}) & 2147483647)`;

/** Returns the statements that create the temporary functions and tables that the statements below use. */
export function preparation({ teamId, authors, count, from }: TeamPlan): string {
  const collections = collectionsOf(count);
  const step = Math.max(1, Math.floor((365 * 24 * 3_600_000) / count));
  return `
    CREATE OR REPLACE FUNCTION pg_temp.made(n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT ${from} + n * ${step} $$;
    CREATE OR REPLACE FUNCTION pg_temp.changed(n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
      AS $$ SELECT ${from} + ${count}::bigint * ${step} + (n * 15485863 % ${count}) * ${step} $$;
    CREATE OR REPLACE FUNCTION pg_temp.id(n bigint, ms bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
      SELECT (lpad(to_hex(ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid
      FROM (SELECT md5('${teamId}' || n) AS h) made $$;
    CREATE OR REPLACE FUNCTION pg_temp.moment(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE
      AS $$ SELECT 'epoch'::timestamptz + ms * interval '1 ms' $$;
    DROP TABLE IF EXISTS pg_temp.places, pg_temp.labels;
    CREATE TEMP TABLE places AS SELECT k, pg_temp.id(-1 - k, ${from}) AS id FROM generate_series(0, ${collections - 1}) k;
    CREATE TEMP TABLE labels AS SELECT k, pg_temp.id(-1000000 - k, ${from}) AS id
      FROM generate_series(0, ${areas + topicsOf(count) - 1}) k;
    CREATE UNIQUE INDEX ON places (k);
    CREATE UNIQUE INDEX ON labels (k);
    ANALYZE places; ANALYZE labels;
    INSERT INTO collections ("teamId", id, name, "defaultAccess", "sortOrder", "createdById", "createdAt", "updatedAt")
      SELECT '${teamId}', id, 'Collection ' || k,
        (CASE k % 10 WHEN 8 THEN 'read' WHEN 9 THEN 'none' ELSE 'write' END)::access_level, k, '${authors[0]}',
        pg_temp.moment(${from}), pg_temp.moment(${from}) FROM places;
    INSERT INTO tags ("teamId", id, name, restricted, "createdById")
      SELECT '${teamId}', id, CASE WHEN k < ${areas} THEN 'area-' || k ELSE 'topic-' || k END, k = 9, '${authors[0]}' FROM labels;`;
}

/**
 * Returns a query that numbers documents. Each document has up to eight children in its collection. Of those without
 * children, 6 % are drafts, 3 % are archived and 2 % are in the trash.
 */
function numbered(plan: TeamPlan, fromN: number, toN: number): string {
  const collections = collectionsOf(plan.count);
  return `SELECT n, pg_temp.id(n, pg_temp.made(n)) AS id, n / ${collections} AS place, n % ${collections} AS k,
    CASE WHEN (n / ${collections} * 8 + 1) * ${collections} + n % ${collections} >= ${plan.count}
      THEN ${hash(1)} % 100 ELSE 50 END AS state
    FROM generate_series(${fromN}::bigint, ${toN - 1}::bigint) n`;
}

/**
 * Returns the statements that create the documents with the numbers `fromN` to `toN - 1`. Their `bytes` are about right, so that
 * no worker measures them during a benchmark.
 */
export function documentStatements(plan: TeamPlan, fromN: number, toN: number): string[] {
  const { teamId, authors, count } = plan;
  const rows = numbered(plan, fromN, toN);
  const author = `(ARRAY['${authors.join("','")}']::uuid[])[1 + n % ${authors.length}]`;
  const parent = `CASE WHEN place = 0 THEN NULL ELSE pg_temp.id((place - 1) / 8 * ${collectionsOf(count)} + k,
    pg_temp.made((place - 1) / 8 * ${collectionsOf(count)} + k)) END`;
  return [
    `INSERT INTO documents ("teamId", id, title, "titleKey", "collectionId", "parentDocumentId", "sortOrder", "createdById",
        "lastModifiedById", "editorId", "editorKind", "runStartedAt", "publishedAt", "archivedAt", "archiveBatchId", "deletedAt",
        "deleteBatchId", "createdAt", "updatedAt", bytes, "revisionBytes")
      SELECT '${teamId}', d.id, s.title || ' ' || n, lower(s.title || ' ' || n), p.id, ${parent}, ${hash(5)} % 100, ${author}, ${author},
        ${author}, 'api_key', pg_temp.moment(pg_temp.changed(n)),
        CASE WHEN state >= 6 THEN pg_temp.moment(pg_temp.made(n)) END,
        CASE WHEN state BETWEEN 6 AND 8 THEN pg_temp.moment(pg_temp.changed(n)) END, CASE WHEN state BETWEEN 6 AND 8 THEN d.id END,
        CASE WHEN state BETWEEN 9 AND 10 THEN pg_temp.moment(pg_temp.changed(n)) END,
        CASE WHEN state BETWEEN 9 AND 10 THEN d.id END, pg_temp.moment(pg_temp.made(n)), pg_temp.moment(pg_temp.changed(n)),
        octet_length(s.markdown), 0
      FROM (${rows}) d JOIN places p USING (k)
        JOIN source.bodies s ON s.piece = d.n * 7919 % (SELECT count(*) FROM source.bodies)`,
    `INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
      SELECT '${teamId}', d.id, s.content, s.text || E'\\n\\n' || a.text || ' ' || words, s.markdown || E'\\n' || a.markdown || ' ' || words,
        s.folded || E'\\n' || a.folded || ' ' || words || ' ',
        s.vector || a.vector || ('''=' || d.n || ''':1A ''' || d.n || ''':1A ' || words)::tsvector
      FROM (SELECT *, ${ownWord("n")} || ' ' || ${sharedWord("n")} AS words FROM (${rows}) x) d
        JOIN source.bodies s ON s.piece = d.n * 7919 % (SELECT count(*) FROM source.bodies)
        JOIN source.additions a ON a.piece = ${hash(2).replace("n,", "d.n,")} % (SELECT count(*) FROM source.additions)`,
    `INSERT INTO document_tags ("teamId", "documentId", "tagId")
      SELECT '${teamId}', d.id, l.id FROM (${rows}) d,
        LATERAL (VALUES (${hash(3)} % ${areas}), (${areas} + ${hash(4)} % ${topicsOf(count)})) carried(k) JOIN labels l USING (k)`,
    `INSERT INTO search_terms ("teamId", term, reversed) SELECT '${teamId}', w, reverse(w)
      FROM generate_series(${fromN}, ${toN - 1}) n, LATERAL (VALUES (${ownWord("n")}), (${sharedWord("n")})) words(w)
      ON CONFLICT DO NOTHING`,
  ];
}

/** Returns the statements that create the history of a team: audit entries, tombstones, events, deliveries, revisions. */
export function historyStatements({ teamId, authors, count, from }: TeamPlan): string[] {
  const every = (nth: number): string =>
    `(SELECT n, pg_temp.id(n, pg_temp.made(n)) AS document, pg_temp.moment(pg_temp.changed(n)) AS at FROM generate_series(0, ${count - 1}, ${nth}) n) x`;
  const user = `(ARRAY['${authors.join("','")}']::uuid[])[1 + n % ${authors.length}]`;
  return [
    `INSERT INTO search_terms ("teamId", term, reversed) SELECT '${teamId}', term, reversed FROM source.terms ON CONFLICT DO NOTHING`,
    `INSERT INTO audit_entries ("teamId", id, at, "userId", "credentialKind", "credentialId", action, outcome, "targetType", "targetId")
      SELECT '${teamId}', pg_temp.id(n, pg_temp.changed(n)), at, ${user}, 'api_key', 'bench',
        (ARRAY['documents.update','documents.create','documents.edit'])[1 + n % 3], 'success', 'document', document FROM ${every(1)}`,
    `INSERT INTO tombstones ("teamId", id, "documentId", at, "collectionId", "publishedAt", "createdById")
      SELECT "teamId", gen_random_uuid(), id, now() - row_number() OVER (ORDER BY id) * interval '1 s', "collectionId", "publishedAt",
        "createdById" FROM documents WHERE "teamId" = '${teamId}' AND "deletedAt" IS NOT NULL`,
    `INSERT INTO events ("teamId", id, sequence, type, at, actor, data, "documentId", "dispatchedAt")
      SELECT '${teamId}', document, n, 'document.updated', at, '{}', '{}', document, at FROM ${every(10)}`,
    `INSERT INTO users ("teamId", id, email, name) SELECT '${teamId}', pg_temp.id(-2000000 - n, ${from}),
        'person-' || n || '-${teamId}@bench.example', 'Person ' || n FROM generate_series(1, ${Math.max(20, Math.ceil(count / 1_000))}) n`,
    `INSERT INTO webhook_subscriptions ("teamId", id, url, events, enabled, secret, "createdById")
      VALUES ('${teamId}', '${teamId}', 'https://bench.example/hook', '{*}', FALSE, '', '${authors[0]}')`,
    `INSERT INTO webhook_deliveries ("teamId", id, "subscriptionId", "eventId", "documentId", sequence, status, "finishedAt")
      SELECT '${teamId}', document, '${teamId}', document, document, n, 'delivered', at FROM ${every(10)}`,
    `INSERT INTO revision_bodies ("teamId", "documentId", hash, content, markdown, counted)
      SELECT '${teamId}', document, sha256(document::text::bytea), '{}', 'Before.', true FROM ${every(10)}`,
    `INSERT INTO document_revisions ("teamId", "documentId", revision, title, "bodyHash", "authorId", "editorKind", "createdAt")
      SELECT '${teamId}', document, 0, 'Before', sha256(document::text::bytea), ${user}, 'api_key', at FROM ${every(10)}`,
    `INSERT INTO team_clocks ("teamId", at, sequence) VALUES ('${teamId}', now(), ${count})
      ON CONFLICT ("teamId") DO UPDATE SET at = GREATEST(team_clocks.at, now()), sequence = GREATEST(team_clocks.sequence, ${count})`,
  ];
}
