import { dirname, posix } from "node:path";
import { findCycles } from "./cycles.ts";
import { type Import, type ModuleUse, readModule } from "./modules.ts";
import { type Finding, isTestCode, isTypeScript, type SourceFile } from "./repository.ts";

/** Which room may import which: ARCHITECTURE.md's arrows. A room is a folder of `apps` or `packages`. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  "markdown-codec": [],
  telemetry: [],
  db: ["telemetry"],
  auth: ["db"],
  // The bytes of attachments, and the one way out by HTTP.
  storage: [],
  outgoing: [],
  core: ["auth", "db", "markdown-codec", "storage", "telemetry"],
  // db for two things alone: the health check, and to know a database that is away from a defect.
  http: ["core", "auth", "db", "telemetry"],
  "mcp-tools": ["core", "outgoing"],
  // Its main.ts connects to the database that the operations stand on; so will those of the other apps.
  api: ["http", "core", "auth", "db", "storage", "telemetry"],
  mcp: ["http", "core", "auth", "db", "mcp-tools", "outgoing", "storage", "telemetry"],
  oauth: ["http", "core", "auth", "db", "outgoing", "telemetry"],
  worker: ["http", "core", "auth", "db", "outgoing", "storage", "telemetry"],
  "mcp-stdio": ["core", "auth", "db", "http", "mcp-tools", "outgoing", "storage"],
  web: ["markdown-codec"],
  // The self-hosted whole puts the apps into one process, starts the database that they share, and imports Markdown.
  kb: [
    "api",
    "mcp",
    "oauth",
    "worker",
    "web",
    "http",
    "core",
    "auth",
    "db",
    "markdown-codec",
    "outgoing",
    "storage",
    "telemetry",
  ],
  // Nothing that is deployed imports these two.
  testing: ["core", "auth", "db", "markdown-codec", "storage"],
  bench: ["api", "worker", "http", "core", "auth", "db", "outgoing", "testing"],
};

/** What a test may import beside what its room may: any package, to set the scene and to look at what came of it. */
const forTests = ["testing", "http", "core", "auth", "db", "markdown-codec", "storage", "outgoing"];

/** Third parties that only some rooms may know. */
const confined: readonly {
  readonly packages: RegExp;
  readonly rooms: readonly string[];
  /** Rooms whose tests may know them too. */
  readonly tests?: readonly string[];
}[] = [
  { packages: /^(@prisma\/|prisma(\/|$))/, rooms: ["db"] },
  { packages: /^(@hono\/|hono(\/|$))/, rooms: ["http", "api", "mcp", "oauth", "worker", "web", "kb", "bench"] },
  // Foreign clients connect to the whole.
  { packages: /^@modelcontextprotocol\//, rooms: ["mcp-tools", "mcp", "mcp-stdio"], tests: ["kb"] },
  { packages: /^@aws-sdk\//, rooms: ["storage"] },
  { packages: /^@opentelemetry\//, rooms: ["telemetry"] },
];

/** The only file that may call an address that somebody else chose: it refuses private networks. */
const outgoing = ["packages/outgoing/src/guarded-fetch.ts"];
/** The one door to the operations, and the one maker of the rows that point at them. */
const door = "packages/core/src/invoke.ts";
/** An operation in two halves, which has passed the door: its bytes are stored when its transaction has ended. */
const behindDoor = ["packages/core/src/attachments/attach.ts"];
const rowMaker = "packages/http/src/route.ts";
const HTTP_CLIENTS = /^(undici|node-fetch|axios|got|ky|node:https|https|node:http2|http2)(\/|$)/;
const SERVER_SIDE = ["createServer", "Server", "ServerResponse", "IncomingMessage", "STATUS_CODES", "METHODS"];

/** Every import that ARCHITECTURE.md does not allow, and every cycle. */
export function arrowFindings(files: readonly SourceFile[]): Finding[] {
  const sources = files.filter((file) => isTypeScript(file.path) && roomOf(file.path) !== undefined);
  const modules = new Map(sources.map((file) => [file.path, readModule(file)]));
  const findings = [...modules].flatMap(([path, module]) => moduleFindings(path, module));
  return [...findings, ...cycleFindings(modules)];
}

function moduleFindings(path: string, module: ModuleUse): Finding[] {
  const room = roomOf(path) ?? "";
  const say = (line: number, rule: string): Finding => ({ path, line, rule });
  if (!(room in arrows)) return [say(1, `${room} has no row in checks/arrows.ts: say what it may import`)];

  const findings = module.imports.flatMap((used) => {
    const rule = importRule(path, room, used);
    return rule === undefined ? [] : [say(used.line, rule)];
  });
  if (isTestCode(path)) return findings;
  if (posix.basename(path) !== "env.ts") {
    findings.push(...module.environmentLines.map((line) => say(line, "process.env is read in an env.ts only")));
  }
  if (!outgoing.includes(path)) {
    findings.push(...module.fetchLines.map((line) => say(line, `outgoing HTTP belongs in ${outgoing.join(" or ")}`)));
  }
  if (path !== door && !behindDoor.includes(path)) {
    findings.push(...module.performLines.map((line) => say(line, `an operation runs by invoke alone (${door})`)));
  }
  if (path !== rowMaker) {
    findings.push(...module.rowLines.map((line) => say(line, `a row is made by route() alone (${rowMaker})`)));
  }
  return findings;
}

function importRule(path: string, room: string, used: Import): string | undefined {
  const { specifier } = used;
  if (specifier.startsWith(".")) {
    const target = roomOf(posix.join(dirname(path), specifier));
    return target === room ? undefined : `${specifier} leaves ${room}: import the package by its name`;
  }
  const target = roomNamed(specifier);
  if (target !== undefined) {
    if (target === room || arrows[room]?.includes(target)) return undefined;
    if (isTestCode(path) && forTests.includes(target)) return undefined;
    return `${room} may not import ${target}`;
  }
  const owner = confined.find((entry) => entry.packages.test(specifier));
  const known = owner?.rooms.includes(room) || (isTestCode(path) && owner?.tests?.includes(room));
  if (owner && !known) return `${specifier} is known to ${owner.rooms.join(", ")} alone`;
  if (isTestCode(path)) return undefined;
  if (!outgoing.includes(path) && isHttpClient(used)) {
    return `outgoing HTTP (${specifier}) belongs in ${outgoing.join(" or ")}`;
  }
  const readsEnvironment = /^(node:)?process$/.test(specifier) && used.names.includes("env");
  return readsEnvironment && posix.basename(path) !== "env.ts" ? "process.env is read in an env.ts only" : undefined;
}

function isHttpClient(used: Import): boolean {
  if (used.names.length === 0) return false;
  if (HTTP_CLIENTS.test(used.specifier)) return true;
  return /^(node:)?http$/.test(used.specifier) && used.names.some((name) => !SERVER_SIDE.includes(name));
}

function cycleFindings(modules: ReadonlyMap<string, ModuleUse>): Finding[] {
  const edges = new Map(
    [...modules].map(([path, module]) => [
      path,
      module.imports
        .filter((used) => used.specifier.startsWith("."))
        .map((used) => posix.join(dirname(path), used.specifier)),
    ]),
  );
  return findCycles(edges).map((cycle) => ({ path: cycle[0] ?? "", line: 1, rule: `cycle: ${cycle.join(" -> ")}` }));
}

function roomOf(path: string): string | undefined {
  return /^(?:apps|packages)\/([^/]+)\//.exec(path)?.[1];
}

function roomNamed(specifier: string): string | undefined {
  const scoped = /^@kb\/([^/]+)/.exec(specifier)?.[1];
  if (scoped !== undefined) return scoped;
  return /^(markdown-codec|kb-mcp-stdio)(?:\/|$)/.exec(specifier)?.[1]?.replace(/^kb-/, "");
}
