-- Reads the table once. Others read and write it meanwhile.
ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_before_bound";
