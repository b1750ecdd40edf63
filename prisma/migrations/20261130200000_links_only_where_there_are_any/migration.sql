-- Most bodies link to no document, before and after a change. A trigger with a condition costs them nothing else.
CREATE OR REPLACE TRIGGER "document_bodies_linked" AFTER INSERT ON "document_bodies" FOR EACH ROW
  WHEN (strpos(NEW."markdown", '/documents/') > 0) EXECUTE FUNCTION "index_links"();
CREATE OR REPLACE TRIGGER "document_bodies_linked_again" AFTER UPDATE OF "markdown" ON "document_bodies" FOR EACH ROW
  WHEN (
    OLD."markdown" IS DISTINCT FROM NEW."markdown"
    AND (strpos(OLD."markdown", '/documents/') > 0 OR strpos(NEW."markdown", '/documents/') > 0)
  ) EXECUTE FUNCTION "index_links"();
