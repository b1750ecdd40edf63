import { type Sql, sql } from "@kb/db";
import { languages } from "./language.ts";
import { languageLexeme, quoted } from "./vector.ts";

/** Returns the language of `documents d` as SQL, null where it is not known. For the rows of a page: it unpacks a vector. */
export function languageColumn(): Sql {
  const lexemes = languages.map((language) => quoted(languageLexeme(language)));
  return sql`(SELECT known.language FROM (SELECT ARRAY[b.vector] AS vector FROM document_bodies b
      WHERE b."teamId" = d."teamId" AND b."documentId" = d.id LIMIT 1) own,
    unnest(${languages}::text[], ${lexemes}::text[]) AS known(language, lexeme)
    WHERE own.vector[1] @@ known.lexeme::tsquery LIMIT 1)`;
}
