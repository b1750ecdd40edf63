import { join } from "node:path";

/** Paths of a cluster in the data folder of the service. */
export type Layout = {
  /** PostgreSQL's own data. */
  pgData: string;
  password: string;
  /** Holds the port that the next start listens on too. */
  port: string;
  log: string;
};

/** Returns the layout of a data folder. */
export function layoutOf(dataDir: string): Layout {
  return {
    pgData: join(dataDir, "postgres"),
    password: join(dataDir, "postgres.password"),
    port: join(dataDir, "postgres.port"),
    log: join(dataDir, "postgres.log"),
  };
}
