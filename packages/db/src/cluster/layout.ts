import { join } from "node:path";

/** Where a cluster keeps what in the data folder of the service. */
export type Layout = {
  /** PostgreSQL's own data. */
  pgData: string;
  password: string;
  log: string;
};

/** The layout of a data folder. */
export function layoutOf(dataDir: string): Layout {
  return {
    pgData: join(dataDir, "postgres"),
    password: join(dataDir, "postgres.password"),
    log: join(dataDir, "postgres.log"),
  };
}
