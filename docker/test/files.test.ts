import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mcpPaths } from "@kb/mcp";
import { oauthPaths } from "@kb/oauth";
import { DCLinter } from "dclint";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
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
const apps = ["api", "mcp", "oauth", "worker", "kb"];

describe("the Dockerfile", () => {
  const { stages, defaults } = stagesOf(dockerfileText);
  const last = stages.at(-1)?.steps ?? [];
  const textsOf = (keyword: string): string[] =>
    last.filter((step) => step.keyword === keyword).map((step) => step.text);

  it("has nothing that a linter minds", () => {
    expect(validate(dockerfileText)).toEqual([]);
  });

  it("names the versions that the repository names", () => {
    const { catalog } = parse(text("pnpm-workspace.yaml"));
    const { packageManager } = JSON.parse(text("package.json"));
    expect(defaults.get("NODE")).toBe(catalog.node);
    expect(dockerfileText.match(/turbo@[\d.]+/g)).toEqual([`turbo@${catalog.turbo}`]);
    expect(dockerfileText.match(/pnpm@[\d.]+/g)).toEqual([packageManager]);
    for (const { base } of stages) expect(base).toBe(`node:\${NODE}-bookworm-slim`);
  });

  it("makes an image out of what was built alone, which nobody runs as root", () => {
    expect(last.filter(({ keyword }) => keyword === "COPY").map(({ flags }) => flags.get("from"))).toEqual(["build"]);
    expect(textsOf("USER")).toEqual(["1000:1000"]);
    expect(commandOf(textsOf("ENTRYPOINT")[0] ?? "")).toEqual(["node", "main.js"]);
    expect(textsOf("HEALTHCHECK")[0]).toContain("/api/health?live=1");
    expect(textsOf("VOLUME")).toEqual(["/data"]);
    expect(dockerfileText).not.toMatch(/secret|password/i);
  });

  it("says unready for as long as five of the proxy's health checks take", () => {
    const environment = Object.fromEntries(textsOf("ENV").flatMap(assignmentsOf));
    const [, interval] = /health_interval (\d+)ms/.exec(text("docker/Caddyfile")) ?? [];
    expect(Number(environment.UNREADY_MS)).toBeGreaterThanOrEqual(5 * Number(interval));
  });

  it("takes in nothing that git does not know, and no secret", () => {
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
  });
});

describe("the compose file", () => {
  const compose = readCompose(variables);
  const ours = Object.entries(compose.services).filter(([, service]) => service.build !== undefined);

  it("is valid by the schema of compose, and has nothing that a linter minds", () => {
    const rules = Object.fromEntries(matterOfTaste.map((rule) => [rule, 0] as const));
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
    const found: readonly Linted[] = linter.lintFiles([join(repository, "docker/compose.yaml")], false);
    expect(found.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`))).toEqual([]);
  });

  it.each(Object.keys(variables))("does not start without %s, which has no default", (name) => {
    expect(() => readCompose({ ...variables, [name]: "" })).toThrow(`${name} is needed`);
    expect(text("docker/.env.example")).toMatch(new RegExp(`^${name}=$`, "m"));
  });

  it("runs each app without a right that it does not need, after the migration", () => {
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

  it("opens no port but the proxy's, and no way out to PostgreSQL and Redis", () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports.length > 0);
    expect(published.map(([name]) => name)).toEqual(["proxy"]);
    for (const name of ["postgres", "redis"]) expect(compose.services[name]?.networks).toEqual(["inside"]);
    expect(compose.networks.inside).toEqual({ internal: true });
    expect(compose.services.proxy?.networks).toEqual(["outside"]);
  });

  it.each(apps)("gives %s every variable that it reads, and no secret that it does not", (app) => {
    const services = ours.filter(([, service]) => service.build?.args.APP === app);
    for (const [name, service] of services) {
      const given = new Set(Object.keys(service.environment));
      const read = variablesOf(app);
      expect([name, read.filter((each) => !given.has(each) && !ofTheImage.has(each))]).toEqual([name, []]);
      const secrets = [...given].filter((each) => /SECRET|PASSWORD|ACCESS_KEY/.test(each));
      expect([name, secrets.filter((each) => !read.includes(each))]).toEqual([name, []]);
    }
  });

  it("tells the proxy each instance of each app, and waits for it", () => {
    const { environment, depends_on }: Pick<ComposeService, "environment" | "depends_on"> = compose.services.proxy ?? {
      environment: {},
      depends_on: {},
    };
    for (const app of ["api", "mcp", "oauth"]) {
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

  it("sends each path to the app whose own it is [decision.running.compose]", () => {
    expect(paths("mcp").sort()).toEqual(withAllBelow(mcpPaths).sort());
    expect(paths("oauth").sort()).toEqual(withAllBelow(oauthPaths).sort());
  });

  it("asks every instance whether it is ready", () => {
    expect(caddyfile.match(/reverse_proxy/g)).toHaveLength(3);
    expect(caddyfile.match(/import instances/g)).toHaveLength(3);
    expect(caddyfile).toContain("health_uri /api/health?ready=1");
  });
});

/** What the linter says of a file. */
type Linted = { readonly messages: readonly { readonly rule: string; readonly message: string }[] };

/** Order and quotes; that images have names; and that the proxy is there for everybody. */
const matterOfTaste = [
  ...["services-alphabetical-order", "service-keys-order", "top-level-properties-order"],
  ...["no-quotes-in-volumes", "require-quotes-in-ports", "no-build-and-image", "no-unbound-port-interfaces"],
];

/** What the Dockerfile sets, and what only the whole in one process reads. */
const ofTheImage = new Set(["HOST", "PORT", "UNREADY_MS", "KB_DATA_DIR", "KB_ADMIN_EMAIL", "KB_ADMIN_PASSWORD"]);

/** The variables that an app's `env.ts` names, its own and those of the `settings.ts` files that it spreads. */
function variablesOf(app: string): string[] {
  const own = text(`apps/${app}/src/env.ts`);
  const settings = repositoryFiles(repository)
    .filter(({ path }) => /^(apps|packages)\/[^/]+\/src\/(.*\/)?settings\.ts$/.test(path))
    .map((file) => file.text);
  const spread = [...own.matchAll(/\.\.\.(\w+Variables)/g)].map(([, name]) => {
    const found = settings.map((each) => new RegExp(`export const ${name} = \\{([\\s\\S]*?)\\n\\};`).exec(each)?.[1]);
    return found.find((each) => each !== undefined) ?? "";
  });
  return [own, ...spread].flatMap((each) =>
    [...each.matchAll(/^\s+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*):/gm)].map(([, name = ""]) => name),
  );
}
