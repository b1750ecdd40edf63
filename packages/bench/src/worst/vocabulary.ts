import { createHash } from "node:crypto";
import { type Database, sql } from "@kb/db";

/** The letters that take the place of the hexadecimal digits. */
const letters = "bcdfghjklmnprstv";
const wordLength = 9;

/** Returns the n-th word of the vocabulary. */
export function vocabularyWord(n: number): string {
  const digits = createHash("md5").update(String(n)).digest("hex").slice(0, wordLength);
  return [...digits].map((digit) => letters[Number.parseInt(digit, 16)]).join("");
}

/** Fills the vocabulary of a team with words that are spread evenly. */
export async function fillVocabulary({ acrossTeams }: Database, teamId: string, count: number): Promise<void> {
  await acrossTeams.execute(sql`INSERT INTO search_terms ("teamId", term, reversed)
    SELECT ${teamId}::uuid, w, reverse(w) FROM (
      SELECT DISTINCT translate(substr(md5(n::text), 1, ${wordLength}::int), '0123456789abcdef', ${letters}) AS w
      FROM generate_series(1, ${count}::int) n) words ON CONFLICT DO NOTHING`);
}
