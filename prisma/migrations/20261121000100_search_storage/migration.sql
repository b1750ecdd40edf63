-- Words are looked up by how they begin and end: ranges in the order of bytes, whatever locale the database has.
ALTER TABLE "search_terms" ALTER COLUMN "term" TYPE TEXT COLLATE "C", ALTER COLUMN "reversed" TYPE TEXT COLLATE "C";

-- The search visits the rows of all matches: bodies go out of line, so that a row is a few bytes and not half a page.
ALTER TABLE "document_bodies" SET (toast_tuple_target = 128);
