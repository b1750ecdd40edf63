import { authenticateApiKey } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { connect } from "@kb/db";
import pg from "pg";
import { corpus } from "../corpus.ts";

/** The parts of real documents of which a data set consists. */
export type SourceOptions = {
  /** The maximum length of each real document, in UTF-16 units. */
  readonly characters: number;
  /** The maximum number of real documents. Default: all. */
  readonly texts?: number;
};

const additionLength = 250;

/**
 * Fills the schema `source` of a migrated, empty database: `bodies` contains the beginnings of real documents, `additions`
 * a sentence or two from the middle of each, both as the service stores and indexes them.
 */
export async function fillSource(url: string, { characters, texts: maxTexts }: SourceOptions): Promise<void> {
  const texts = corpus().texts.slice(0, maxTexts);
  const database = connect({ url });
  try {
    const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
    const adminEmail = "source@example.com";
    const { id: teamId } = await admin.createTeam(service, { name: "Source", adminEmail });
    const { key } = await admin.createApiKey(service, { userEmail: adminEmail, scopes: ["read", "write"] });
    const actor = await authenticateApiKey(database, key, service.clock.now());
    if (actor === null) throw new Error("the key of the benchmark is not valid");
    const collection = await invoke(service, operations.createCollection, actor, { name: "Source" });
    const put = async (text: string, n: number): Promise<void> => {
      const common = { collectionId: collection.id, publish: true };
      const middle = Math.floor(text.length / 2);
      const parts = [
        { ...common, sortOrder: n, title: titleOf(text, n), text: text.slice(0, characters).toWellFormed() },
        {
          ...common,
          sortOrder: -1 - n,
          title: "Addition",
          text: text.slice(middle, middle + additionLength).toWellFormed(),
        },
      ];
      for (const part of parts) await invoke(service, operations.createDocument, actor, part);
    };
    const queue = texts.entries();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (const [n, text] of queue) await put(text, n);
      }),
    );
    await copySource(url, teamId);
  } finally {
    await database.close();
  }
}

function titleOf(text: string, n: number): string {
  return /^title: *['"]?(.*?)['"]? *$/m.exec(text)?.[1]?.slice(0, 100) || `Document ${n}`;
}

/** Copies the bodies and the vocabulary from the tables of the service, and deletes the team that created them. */
async function copySource(url: string, teamId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      CREATE SCHEMA source;
      CREATE TABLE source.bodies AS SELECT d."sortOrder"::int AS piece, d.title, b.content, b.text, b.markdown, b.folded, b.vector
        FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id WHERE d."sortOrder" >= 0;
      CREATE TABLE source.additions AS SELECT -1 - d."sortOrder"::int AS piece, b.text, b.markdown, b.folded, b.vector
        FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id WHERE d."sortOrder" < 0;
      CREATE TABLE source.terms AS SELECT term, reversed FROM search_terms;
      ALTER TABLE source.bodies ADD PRIMARY KEY (piece);
      ALTER TABLE source.additions ADD PRIMARY KEY (piece);
    `);
    for (const table of ["audit_entries", "events", "document_bodies", "documents", "collections", "search_terms"]) {
      await client.query(`DELETE FROM ${table} WHERE "teamId" = $1`, [teamId]);
    }
    await client.query(`DELETE FROM teams WHERE id = $1`, [teamId]);
    await client.query(`VACUUM ANALYZE`);
  } finally {
    await client.end();
  }
}
