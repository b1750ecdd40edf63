import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { tryFolder } from "@kb/db";
import { isInsecureOrigin } from "@kb/runtime";
import type { Settings } from "../env.ts";
import { secretPath } from "../start/secret.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

const oldestNode = [22, 18] as const;

/** Checks whether this Node.js is new enough. */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needMajor, needMinor] = oldestNode;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return ok("node", version);
  return fail("node", `${version} is too old: use ${needMajor}.${needMinor} or newer, or run \`./kb\`.`);
}

const lowDiskBytes = 1_000_000_000;

/** Checks whether the data folder is usable and has free space. */
export function dataDirFinding({ dataDir }: Settings): Finding {
  if (!existsSync(dataDir)) return missingFolderFinding(dataDir);
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(dataDir);
    const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`;
    if (bavail * bsize >= lowDiskBytes) return ok("data folder", `${dataDir}, ${free}`);
    return warn("data folder", `${dataDir} has only ${free}: free some space, or move it and set KB_DATA_DIR.`);
  } catch (error) {
    return fail("data folder", `${dataDir} is not usable (${reason(error)}): set KB_DATA_DIR to another folder.`);
  }
}

function missingFolderFinding(dataDir: string): Finding {
  try {
    tryFolder(dataDir);
    return ok("data folder", `the first start creates ${dataDir}`);
  } catch (error) {
    return fail("data folder", `${dataDir} cannot be created (${reason(error)}): set KB_DATA_DIR to another folder.`);
  }
}

/** Checks the secret of the installation. */
export function secretFinding({ appSecret, dataDir }: Settings): Finding {
  if (appSecret !== undefined) return ok("secret", "APP_SECRET is set");
  const path = secretPath(dataDir);
  if (!existsSync(path)) return ok("secret", "APP_SECRET is not set; the first start creates one in the data folder");
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) {
    return warn("secret", `other users can read ${path}: run chmod 600 ${path}`);
  }
  return ok("secret", `stored in ${path}`);
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** Checks whether apps can connect by OAuth, and which secret protects their tokens. */
export function appsFinding({ connectedApps, appUrl }: Settings): Finding {
  const { allowed, ownSecret, previousSecret } = connectedApps;
  if (!allowed) return ok("connected apps", "not allowed: MCP_OAUTH_ENABLED is false");
  const url = new URL(appUrl);
  if (isLoopback(url.hostname)) {
    return ok(
      "connected apps",
      `only apps on this machine can reach ${appUrl}; set APP_URL to an https address for others`,
    );
  }
  if (!ownSecret) {
    const message =
      "their tokens have no separate secret: set MCP_OAUTH_TOKEN_SECRET (generate it with openssl rand -hex 32)";
    return warn("connected apps", `${message}, and MCP_OAUTH_TOKEN_SECRET_PREVIOUS to APP_SECRET for a month.`);
  }
  const rotating = previousSecret ? "; tokens of the previous secret are accepted too" : "";
  return ok("connected apps", `can connect at ${appUrl}${rotating}`);
}

/** Checks whether the public address matches the port. */
export function appUrlFinding({ appUrl, port }: Settings): Finding {
  const url = new URL(appUrl);
  if (isInsecureOrigin(appUrl)) {
    return warn("APP_URL", `${appUrl} is not encrypted (ALLOW_INSECURE_HTTP): use https, except for a trial.`);
  }
  // Other hosts are served through a proxy with its own port.
  if (!isLoopback(url.hostname)) return ok("APP_URL", appUrl);
  const named = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (named === port) return ok("APP_URL", appUrl);
  return warn("APP_URL", `${appUrl} names port ${named}, but the service listens on ${port}: set APP_URL or PORT.`);
}
