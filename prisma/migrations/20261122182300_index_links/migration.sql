-- In a transaction of its own: what the triggers lock is free, and documents are written meanwhile.
SELECT "index_all_links"();
