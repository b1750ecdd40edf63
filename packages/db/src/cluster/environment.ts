import type { RunAs } from "./run-as.ts";

/** The environment of PostgreSQL's programs: nothing of ours, above all no PG* variable. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}

/**
 * How the programs are told their data folder. Run by root for another account, the folder may lie where that account
 * cannot walk to (under a private folder); its working directory, which we open for it, needs no walking.
 */
export function pgDataArgument(pgData: string, account: RunAs): string {
  return "uid" in account && process.platform === "linux" ? "/proc/self/cwd" : pgData;
}
