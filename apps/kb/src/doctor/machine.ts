import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import type { Settings } from "../env.ts";
import { secretPath } from "../start/secret.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

const oldestNode = [22, 18] as const;

/** Whether this Node.js is new enough. */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needMajor, needMinor] = oldestNode;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return ok("node", version);
  return fail("node", `${version} is too old: use ${needMajor}.${needMinor} or newer, or start with \`pnpm kb\`.`);
}

const lowDiskBytes = 1_000_000_000;

/** Whether the data folder can be used, and has room. */
export function dataDirFinding({ dataDir }: Settings): Finding {
  if (!existsSync(dataDir)) return ok("data folder", `${dataDir} does not exist yet; the first start makes it`);
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(dataDir);
    const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`;
    if (bavail * bsize >= lowDiskBytes) return ok("data folder", `${dataDir}, ${free}`);
    return warn("data folder", `${dataDir} has only ${free}: make room, or move it and set KB_DATA_DIR.`);
  } catch (error) {
    return fail("data folder", `${dataDir} cannot be used (${reason(error)}): set KB_DATA_DIR to a folder that can.`);
  }
}

/** Whether the secret of the installation is there and is one. */
export function secretFinding({ appSecret, dataDir }: Settings): Finding {
  if (appSecret !== undefined) return ok("secret", "APP_SECRET is set");
  const path = secretPath(dataDir);
  if (!existsSync(path)) return ok("secret", "APP_SECRET is not set; the first start makes one in the data folder");
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) {
    return warn("secret", `${path} can be read by others: chmod 600 ${path}`);
  }
  return ok("secret", `kept in ${path}`);
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** Whether apps can connect by OAuth, and under which secret their tokens are kept. */
export function appsFinding({ connectedApps, appUrl }: Settings): Finding {
  const { allowed, ownSecret, previousSecret } = connectedApps;
  if (!allowed) return ok("connected apps", "none may connect: MCP_OAUTH_ENABLED is false");
  const url = new URL(appUrl);
  if (isLoopback(url.hostname)) {
    return ok(
      "connected apps",
      `those on this machine alone can reach ${appUrl}; others need an APP_URL that is https`,
    );
  }
  if (!ownSecret) {
    const message =
      "their tokens have no secret of their own: set MCP_OAUTH_TOKEN_SECRET (openssl rand -hex 32 makes one)";
    return warn("connected apps", `${message}, and MCP_OAUTH_TOKEN_SECRET_PREVIOUS to APP_SECRET for a month.`);
  }
  const rotating = previousSecret ? "; tokens of the previous secret are good too" : "";
  return ok("connected apps", `may connect at ${appUrl}${rotating}`);
}

/** Whether the public address can work for those who use it. */
export function appUrlFinding({ appUrl, port }: Settings): Finding {
  const url = new URL(appUrl);
  // Elsewhere a proxy stands in front, with a port of its own.
  if (!isLoopback(url.hostname)) return ok("APP_URL", appUrl);
  const named = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (named === port) return ok("APP_URL", appUrl);
  return warn("APP_URL", `${appUrl} names port ${named}, but the service listens on ${port}: set APP_URL or PORT.`);
}
