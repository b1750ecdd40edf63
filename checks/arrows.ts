import { dirname, posix } from "node:path";
import { browserImportRule, isBrowserCode } from "./browser-code.ts";
import { findCycles } from "./cycles.ts";
import { type Import, type ModuleUse, readModule } from "./modules.ts";
import { type Finding, isTestCode, isTypeScript, type SourceFile } from "./repository.ts";

/** Lists the packages that each package may import (ARCHITECTURE.md, arrows). A package is a folder of `apps` or `packages`. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  "markdown-codec": [],
  telemetry: [],
  // Formulas as MathML, for the server and the browser.
  formulas: ["markdown-codec"],
  live: ["markdown-codec"],
  db: ["telemetry"],
  auth: ["db"],
  // Stores the bytes of attachments; `outgoing` is the only package that sends HTTP requests.
  storage: [],
  outgoing: [],
  core: ["auth", "db", "formulas", "live", "markdown-codec", "storage", "telemetry"],
  // Reads the pages of other products and writes them by the operations.
  importer: ["core", "auth", "db", "storage", "markdown-codec"],
  // Process start, stop and configuration. It needs db to connect, and for the health check.
  runtime: ["db", "telemetry"],
  // It needs db only to distinguish an unavailable database from a defect.
  http: ["runtime", "core", "auth", "db", "telemetry"],
  "mcp-tools": ["core", "outgoing", "telemetry"],
  // The main.ts of each app connects to the database that the operations use.
  api: ["http", "runtime", "core", "auth", "db", "outgoing", "storage", "telemetry"],
  mcp: ["http", "runtime", "core", "auth", "db", "mcp-tools", "outgoing", "storage", "telemetry"],
  oauth: ["http", "runtime", "core", "auth", "db", "outgoing", "telemetry"],
  worker: ["runtime", "core", "auth", "db", "importer", "outgoing", "storage", "telemetry"],
  "mcp-stdio": ["runtime", "core", "auth", "db", "mcp-tools", "outgoing", "storage"],
  // The server of the web app; `browserImportRule` narrows what its browser code may import.
  web: ["http", "runtime", "core", "auth", "formulas", "live", "telemetry", "markdown-codec"],
  // The self-hosted edition runs the apps in one process, starts the database that they share, and imports Markdown.
  kb: [
    "api",
    "mcp",
    "oauth",
    "worker",
    "web",
    "http",
    "runtime",
    "core",
    "auth",
    "db",
    "importer",
    "markdown-codec",
    "outgoing",
    "storage",
    "telemetry",
  ],
  // No deployed package imports these two.
  testing: [],
  bench: ["api", "web", "worker", "http", "runtime", "core", "auth", "db", "live", "outgoing", "testing"],
};

/** Packages that every test may import besides those of its package, to prepare data and to inspect results. */
const forTests = ["testing", "http", "runtime", "core", "auth", "db", "live", "markdown-codec", "storage", "outgoing"];

/** Further packages that the tests of one package may import: the web app is tested beside those that it needs. */
const forTestsOf: Readonly<Record<string, readonly string[]>> = { web: ["api", "mcp", "oauth"] };

/** Third-party packages that only some packages may import. */
const confined: readonly {
  readonly modules: RegExp;
  readonly packages: readonly string[];
  /** Packages whose tests may import them too. */
  readonly tests?: readonly string[];
}[] = [
  { modules: /^(@prisma\/|prisma(\/|$))/, packages: ["db"] },
  { modules: /^(@hono\/|hono(\/|$))/, packages: ["http", "api", "mcp", "oauth", "web", "kb", "bench"] },
  // Third-party clients connect to the self-hosted edition in its tests, and to what `bench` measures.
  { modules: /^@modelcontextprotocol\//, packages: ["mcp-tools", "mcp", "mcp-stdio", "bench"], tests: ["kb"] },
  { modules: /^@aws-sdk\//, packages: ["storage"] },
  { modules: /^nodemailer(\/|$)/, packages: ["worker"] },
  { modules: /^temml(\/|$)/, packages: ["formulas"] },
  { modules: /^@opentelemetry\//, packages: ["telemetry"] },
  { modules: /^(react|react-dom|react-aria-components|@tanstack\/.+)(\/|$)/, packages: ["web"] },
];

/** The only file that may request a URL supplied by a user: it refuses private networks. */
const outgoing = ["packages/outgoing/src/guarded-fetch.ts"];
/** The only entry point to the operations. */
const entryPoint = "packages/core/src/invoke.ts";
/** Second half of an operation that `invoke` has authorized: it stores bytes after the transaction has ended. */
const afterEntryPoint = ["packages/core/src/attachments/attach.ts"];
/** The only file that creates rows of the REST table, which refer to the operations. */
const rowFactory = "packages/http/src/route.ts";
/** Values of `@kb/db` that an app may import: they open the connection, find its address, or need none. */
const databaseNamesForApps = ["connect", "dataDirHolder", "describeCluster", "isUuid"];
const HTTP_CLIENTS = /^(undici|node-fetch|axios|got|ky|node:https|https|node:http2|http2)(\/|$)/;
const SERVER_SIDE = ["createServer", "Server", "ServerResponse", "IncomingMessage", "STATUS_CODES", "METHODS"];

/** Finds every import that ARCHITECTURE.md does not allow, and every cycle. */
export function arrowFindings(files: readonly SourceFile[]): Finding[] {
  const sources = files.filter((file) => isTypeScript(file.path) && packageOf(file.path) !== undefined);
  const modules = new Map(sources.map((file) => [file.path, readModule(file)]));
  const findings = [...modules].flatMap(([path, module]) => moduleFindings(path, module));
  return [...findings, ...cycleFindings(modules)];
}

function moduleFindings(path: string, module: ModuleUse): Finding[] {
  const packageName = packageOf(path) ?? "";
  const finding = (line: number, rule: string): Finding => ({ path, line, rule });
  if (!(packageName in arrows))
    return [finding(1, `${packageName} has no row in checks/arrows.ts: list what it may import`)];

  const findings = module.imports.flatMap((used) => {
    const rule = importRule(path, packageName, used);
    return rule === undefined ? [] : [finding(used.line, rule)];
  });
  if (isTestCode(path)) return findings;
  if (posix.basename(path) !== "env.ts") {
    findings.push(...module.environmentLines.map((line) => finding(line, "read process.env only in an env.ts")));
  }
  // A browser's requests reach only our own origin, by the policy of the pages.
  if (!outgoing.includes(path) && !isBrowserCode(path)) {
    findings.push(
      ...module.fetchLines.map((line) => finding(line, `outgoing HTTP belongs in ${outgoing.join(" or ")}`)),
    );
  }
  if (path !== entryPoint && !afterEntryPoint.includes(path)) {
    findings.push(
      ...module.performLines.map((line) => finding(line, `an operation runs only through invoke (${entryPoint})`)),
    );
  }
  if (path !== rowFactory) {
    findings.push(...module.rowLines.map((line) => finding(line, `only route() creates a row (${rowFactory})`)));
  }
  if (!mayWriteSql(path)) {
    findings.push(...module.sqlLines.map((line) => finding(line, "an app contains no SQL: move it to a package")));
  }
  return findings;
}

/** Packages and `kb` write SQL; the other apps do not. */
function mayWriteSql(path: string): boolean {
  return !path.startsWith("apps/") || packageOf(path) === "kb";
}

function importRule(path: string, packageName: string, used: Import): string | undefined {
  const { specifier } = used;
  const browserRule = isBrowserCode(path) && !isTestCode(path) ? browserImportRule(path, used) : undefined;
  if (browserRule !== undefined) return browserRule;
  if (specifier.startsWith(".")) {
    const target = packageOf(posix.join(dirname(path), specifier));
    return target === packageName ? undefined : `${specifier} leaves ${packageName}: import the package by its name`;
  }
  const target = packageNamed(specifier);
  if (target !== undefined) {
    const forItsTests = [...forTests, ...(forTestsOf[packageName] ?? [])];
    if (isTestCode(path) && forItsTests.includes(target)) return undefined;
    if (target === "db" && !mayWriteSql(path)) {
      const excess = used.names.find((name) => !databaseNamesForApps.includes(name));
      if (excess !== undefined) return `an app imports only ${databaseNamesForApps.join(", ")} from @kb/db`;
    }
    if (target === packageName || arrows[packageName]?.includes(target)) return undefined;
    return `${packageName} may not import ${target}`;
  }
  const owner = confined.find((entry) => entry.modules.test(specifier));
  const known = owner?.packages.includes(packageName) || (isTestCode(path) && owner?.tests?.includes(packageName));
  if (owner && !known) return `only ${owner.packages.join(", ")} may import ${specifier}`;
  if (isTestCode(path)) return undefined;
  if (!outgoing.includes(path) && isHttpClient(used)) {
    return `outgoing HTTP (${specifier}) belongs in ${outgoing.join(" or ")}`;
  }
  const readsEnvironment = /^(node:)?process$/.test(specifier) && used.names.includes("env");
  return readsEnvironment && posix.basename(path) !== "env.ts" ? "read process.env only in an env.ts" : undefined;
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

function packageOf(path: string): string | undefined {
  return /^(?:apps|packages)\/([^/]+)\//.exec(path)?.[1];
}

function packageNamed(specifier: string): string | undefined {
  const scoped = /^@kb\/([^/]+)/.exec(specifier)?.[1];
  if (scoped !== undefined) return scoped;
  return /^(markdown-codec|kb-mcp-stdio)(?:\/|$)/.exec(specifier)?.[1]?.replace(/^kb-/, "");
}
