import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { freePort, testCluster, testDatabase } from "@kb/db/testing";
import { startS3Server } from "@kb/testing/s3-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { variables } from "../src/env.ts";
import { type Home, makeHome } from "./process.ts";

let home: Home;

beforeAll(async () => {
  home = await makeHome();
});

afterAll(() => home?.remove());

const sentence = /^[^\n]+\n$/;

describe("kb start with invalid settings", { timeout: 60_000 }, () => {
  it("names every problem of the environment at once", {
    meta: { proves: ["decision.running.environment"] },
  }, async () => {
    const wrong = {
      PORT: "a lot",
      APP_URL: "kb.example.com/path",
      DATABASE_URL: "mysql://somewhere",
      APP_SECRET: "hunter2",
      MCP_OAUTH_TOKEN_SECRET: "change-me-change-me-change-me-change-me",
      MCP_OAUTH_ENABLED: "maybe",
      MCP_OAUTH_ACCESS_SECONDS: "1h",
      LOG_LEVEL: "loud",
      TRUSTED_PROXIES: "everybody",
      KB_ADMIN_PASSWORD: "short",
    };
    const { code, stdout, stderr } = await home.kb(["start"], wrong);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const name of Object.keys(wrong)) expect(stderr).toContain(`${name}: `);
    expect(stderr).not.toContain("hunter2");
  });

  it("reports a port in use in one sentence with a remedy", async () => {
    const port = await freePort();
    const other = await listening(port);
    try {
      const { code, stderr } = await home.kb(["start"], { PORT: String(port) });
      expect(code).toBe(1);
      expect(stderr).toBe(`Port ${port} is in use by another program. Stop it, or set PORT to a free port.\n`);
    } finally {
      other.close();
    }
  });

  it("reports a read-only data folder in one sentence with a remedy", async () => {
    const file = join(home.folder, "a-file");
    writeFileSync(file, "");
    const { code, stderr } = await home.kb(["start"], { KB_DATA_DIR: file });
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/Cannot write to the data folder .*a-file .* Set KB_DATA_DIR to a writable folder\./);
  });

  it("reports a data folder that can never be created, as below /proc", async () => {
    const { code, stderr } = await home.kb(["start"], { KB_DATA_DIR: "/proc/kb/data" });
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(
      /^Cannot write to the data folder \/proc\/kb\/data \(.*\)\. Set KB_DATA_DIR to a writable folder\./,
    );
  });

  it("reports an unreachable DATABASE_URL in one sentence with a remedy", async () => {
    const { code, stderr } = await home.kb(["start"], { DATABASE_URL: await nowhere() });
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+ does not respond\. Start it, correct DATABASE_URL/);
  });
});

describe("a DATABASE_DIRECT_URL of another database", { timeout: 60_000 }, () => {
  it("is refused by kb start and found by kb doctor, in one sentence", async () => {
    const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
    const variables = { DATABASE_URL: one.url, DATABASE_DIRECT_URL: other.url };
    const { code, stderr } = await home.kb(["start"], variables);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stderr).toContain("DATABASE_DIRECT_URL leads to another database than DATABASE_URL");
    const { stdout } = await home.kb(["doctor", "--json"], variables);
    expect(stdout).toContain("leads to another database than DATABASE_URL: name the PostgreSQL behind the pooler");
    await Promise.all([one.drop(), other.drop()]);
  });
});

describe("a DATABASE_URL with a wrong password", { timeout: 60_000 }, () => {
  it("is distinguished from an unavailable server, in one sentence without the password", async () => {
    const url = new URL((await testCluster()).url);
    url.password = "wrong-password";
    const { code, stderr } = await home.kb(["mcp", "on"], { DATABASE_URL: url.href });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^PostgreSQL at \S+ refuses the connection \(password authentication failed[^\n]+ correct DATABASE_URL[^\n]+\n$/,
    );
    expect(stderr).not.toContain("wrong-password");
  });
});

describe("the environment", { timeout: 60_000 }, () => {
  it("is documented in .env.example, every variable", {
    meta: { proves: ["decision.running.environment-documented"] },
  }, () => {
    const example = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");
    const explained = [...example.matchAll(/^# ([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(expect.arrayContaining([...variables].sort()));
  });

  it("is read from an .env with a byte order mark and Windows line endings", async () => {
    writeFileSync(join(home.folder, ".env"), "\ufeffAPP_URL=https://wiki.example.com\r\nKB_DATA_DIR=elsewhere\r\n");
    expect(await home.json(["info"])).toMatchObject({ url: "https://wiki.example.com" });
    writeFileSync(join(home.folder, ".env"), "");
  });

  it("takes the shell's variables before those of .env; an empty variable is unset", async () => {
    writeFileSync(join(home.folder, ".env"), 'APP_URL="https://wiki.example.com"\nKB_DATA_DIR=elsewhere\n');
    const { url, dataDir } = await home.json(["info"], { KB_DATA_DIR: "here", REDIS_URL: "" });
    expect({ url, dataDir }).toEqual({ url: "https://wiki.example.com", dataDir: join(home.folder, "here") });
    writeFileSync(join(home.folder, ".env"), "");
  });
});

describe("kb doctor", { timeout: 60_000 }, () => {
  it("reports a fresh folder as healthy, and changes nothing", {
    meta: { proves: ["decision.running.kb-doctor"] },
  }, async () => {
    const { ok, findings } = await home.json(["doctor"], { KB_DATA_DIR: "fresh" });
    expect(findings).not.toContainEqual(expect.objectContaining({ state: "fail" }));
    expect(ok).toBe(true);
    expect(JSON.stringify(findings)).toContain("the first start creates");
    expect(existsSync(join(home.folder, "fresh"))).toBe(false);
  });

  it("leaves no folder above a data folder that does not exist yet", async () => {
    const { findings } = await home.json(["doctor"], { KB_DATA_DIR: "above/fresh" });
    const message = `the first start creates ${join(home.folder, "above/fresh")}`;
    expect(findings).toContainEqual({ name: "data folder", state: "ok", message });
    expect(existsSync(join(home.folder, "above"))).toBe(false);
  });

  it("says of a data folder that can never be created why not", async () => {
    const { code, stdout } = await home.kb(["doctor"], { KB_DATA_DIR: "/proc/kb/data" });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /FAIL {2}data folder .*\/proc\/kb\/data cannot be created \(.*'\/proc\/kb'\): set KB_DATA_DIR to/,
    );
    expect(stdout).not.toContain("the first start creates");
  });

  it("reports each problem with a remedy, and exits with 1", async () => {
    const wrong = {
      DATABASE_URL: await nowhere(),
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      APP_URL: "http://localhost:1",
    };
    const { code, stdout } = await home.kb(["doctor"], wrong);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /FAIL {2}postgresql {3}127\.0\.0\.1:\d+ does not respond .*start it, or correct DATABASE_URL/,
    );
    expect(stdout).toMatch(/FAIL {2}redis .*start it, or correct or unset REDIS_URL/);
    expect(stdout).toMatch(/warn {2}APP_URL .*names port 1/);
  });
});

describe("kb doctor with an external PostgreSQL", { timeout: 60_000 }, () => {
  const serviceWith = async (variables: Readonly<Record<string, string>>): Promise<string> =>
    /^.*\bservice .*$/m.exec(
      (await home.kb(["doctor"], { DATABASE_URL: await nowhere(), ...variables })).stdout,
    )?.[0] ?? "";

  it("says of a port in use that kb may have it", async () => {
    const port = await freePort();
    const other = await listening(port);
    try {
      const found = await serviceWith({ PORT: String(port) });
      expect(found).toMatch(
        /warn {2}service .* is in use by another program\. .* If that program is kb, all is well\.$/,
      );
    } finally {
      other.close();
    }
  });

  it("says of an address that it cannot use only how to correct it", async () => {
    expect(await serviceWith({ HOST: "192.0.2.1" })).toMatch(/warn {2}service .* 0\.0\.0\.0 for all addresses\.$/);
  });
});

describe("kb doctor checks the bucket and the single sign-on", { timeout: 60_000 }, () => {
  const bucketAt = (url: string) => ({
    S3_BUCKET: "wiki",
    S3_ENDPOINT: url,
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  });
  const providerAt = (port: number) => ({
    OIDC_ISSUER: `http://127.0.0.1:${port}`,
    OIDC_CLIENT_ID: "kb",
    OIDC_CLIENT_SECRET: "a secret of a test",
  });

  it("fails with a remedy where nothing listens", {
    meta: { proves: ["decision.running.kb-doctor", "onboarding.passwords-off.complete"] },
  }, async () => {
    const away = {
      KB_DATA_DIR: "fresh",
      ...bucketAt(`http://127.0.0.1:${await freePort()}`),
      ...providerAt(await freePort()),
    };
    const { code, stdout } = await home.kb(["doctor"], { ...away, PASSWORD_LOGIN: "false" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL {2}attachments .*wiki at 127\.0\.0\.1:\d+ does not work .*correct S3_BUCKET/);
    expect(stdout).toMatch(/FAIL {2}single sign-on .*cannot be used .*correct OIDC_ISSUER/);
    expect(stdout).toContain("Nobody can log in now, because PASSWORD_LOGIN is false: `kb user log-in-link`");
  });

  it("stores, reads and removes a file, and reads the provider's keys", {
    meta: { proves: ["decision.running.kb-doctor"] },
  }, async () => {
    const bucket = await startS3Server(["wiki"]);
    const provider = await providerOfKeys();
    try {
      const { findings } = await home.json(["doctor"], {
        KB_DATA_DIR: "fresh",
        ...bucketAt(bucket.url),
        ...providerAt(provider.port),
        OIDC_REQUIRED_CLAIM: "hd=a secret value",
      });
      const message = expect.stringContaining("stores, returns and removes a file");
      expect(findings).toContainEqual({ name: "attachments", state: "ok", message });
      expect(findings).toContainEqual({
        name: "single sign-on",
        state: "ok",
        message: expect.stringMatching(
          /1 keys; OIDC_ISSUER, OIDC_CLIENT_ID and .* are set, so is OIDC_REQUIRED_CLAIM$/,
        ),
      });
      expect(await bucket.keys("wiki")).toEqual([]);
    } finally {
      await bucket.close();
      provider.server.close();
    }
  });
});

/** Starts a provider that only shows its metadata and one key. */
async function providerOfKeys(): Promise<{ readonly port: number; readonly server: Server }> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const documents: Readonly<Record<string, object>> = {
    "/.well-known/openid-configuration": { issuer, jwks_uri: `${issuer}/keys` },
    "/keys": { keys: [{ kty: "RSA", n: "AQAB", e: "AQAB" }] },
  };
  const server = createHttpServer(({ url = "" }, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(documents[url] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { port, server };
}

describe("kb doctor checks connected apps", { timeout: 60_000 }, () => {
  const own = { MCP_OAUTH_TOKEN_SECRET: "3e1f0b97c5d2486aa1b7c3d9e5f08142" };
  const public_ = { APP_URL: "https://wiki.example.com" };
  it.each([
    ["off", { MCP_OAUTH_ENABLED: "false" }, "ok", /MCP_OAUTH_ENABLED is false/],
    ["of this machine", {}, "ok", /only apps on this machine/],
    ["without a separate secret", public_, "warn", /set MCP_OAUTH_TOKEN_SECRET/],
    ["with one", { ...public_, ...own }, "ok", /^can connect at https:\/\/wiki\.example\.com$/],
    [
      "while it is changed",
      { ...public_, ...own, MCP_OAUTH_TOKEN_SECRET_PREVIOUS: "0a9b8c7d6e5f40312213141516171819" },
      "ok",
      /previous secret/,
    ],
  ])(
    "%s",
    { meta: { proves: ["oauth.settings", "decision.running.kb-doctor"] } },
    async (_name, environment, state, message) => {
      const { findings } = await home.json(["doctor"], { KB_DATA_DIR: "fresh", ...environment });
      const finding = { name: "connected apps", state, message: expect.stringMatching(message) };
      expect(findings).toContainEqual(finding);
    },
  );
});

async function nowhere(): Promise<string> {
  return `postgresql://user:password@127.0.0.1:${await freePort()}/kb`;
}

async function listening(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
