-- In a transaction of its own: what the triggers lock is free, and documents are written while these are counted.
SELECT "recount_documents"();
