import type { RunAs } from "./run-as.ts";

/** Returns the environment of PostgreSQL's programs, without the variables of this process, such as PG*. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}

/**
 * Returns the argument for the data folder. If root runs PostgreSQL as another account, that account may not be able to
 * traverse the parent folders, but it can use its working directory.
 */
export function pgDataArgument(pgData: string, account: RunAs): string {
  return "uid" in account && process.platform === "linux" ? "/proc/self/cwd" : pgData;
}
