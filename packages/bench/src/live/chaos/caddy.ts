import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const caddyfile = resolve(import.meta.dirname, "../../../../../docker/Caddyfile");
const readyWithinMs = 30_000;

/** The ports of the instances behind the proxy. */
type Instances = { readonly api: readonly number[]; readonly mcp: readonly number[] };

/** Starts the proxy of the compose file at `origin`. Returns a function that ends it. @throws {Error} if it does not answer */
export async function startCaddy(
  origin: string,
  { api, mcp }: Instances,
  folder: string,
): Promise<() => Promise<void>> {
  const at = (ports: readonly number[]): string => ports.map((port) => `127.0.0.1:${port}`).join(" ");
  const env = {
    ...process.env,
    APP_URL: origin,
    API_INSTANCES: at(api),
    MCP_INSTANCES: at(mcp),
    // Nobody opens a page: both are named only because the file needs an address.
    OAUTH_INSTANCES: at(api),
    WEB_INSTANCES: at(api),
    HOME: folder,
    XDG_DATA_HOME: folder,
  };
  const command = ["run", "--config", caddyfile, "--adapter", "caddyfile"];
  const child = spawn("caddy", command, { env, stdio: "ignore" });
  const ended = once(child, "exit").catch((error: unknown) => {
    throw new Error("caddy is needed in the path", { cause: error });
  });
  ended.catch(() => {});
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended.catch(() => {});
  };
  const deadline = performance.now() + readyWithinMs;
  while (!(await answers(origin))) {
    if (child.pid === undefined) await ended;
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`caddy does not answer at ${origin}`);
    }
    await pause(100);
  }
  return stop;
}

const answers = (origin: string): Promise<boolean> =>
  fetch(`${origin}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );
