/** The name of the migrated database that every test database is a copy of. */
export const templateDatabase = "kb_template";
