import { execFile } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Cluster, connect, sql, startCluster } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeHome } from "./process.ts";

const folder = mkdtempSync(join(tmpdir(), "kb-tls-"));
const file = (name: string): string => join(folder, name);
let cluster: Cluster;

const openssl = async (...words: readonly string[]): Promise<void> => {
  await promisify(execFile)("openssl", words, { cwd: folder });
};

/** Makes an authority of its own, as providers of PostgreSQL have, and a certificate for 127.0.0.1 that it signs. */
async function makeCertificates(): Promise<void> {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Authority");
  await openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server");
  writeFileSync(file("server.ext"), "subjectAltName=IP:127.0.0.1\n");
  const signer = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "server.ext", "-days", "2"];
  await openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", ...signer);
}

beforeAll(async () => {
  chmodSync(folder, 0o755);
  await makeCertificates();
  const dataDir = join(folder, "data");
  // The first start creates the account and the folder; a key has to belong to the account of the server.
  const plain = await startCluster({ dataDir });
  await plain.stop();
  const { uid, gid } = statSync(join(dataDir, "postgres"));
  chownSync(file("server.key"), uid, gid);
  chmodSync(file("server.key"), 0o600);
  const settings = { ssl: "on", ssl_cert_file: file("server.pem"), ssl_key_file: file("server.key") };
  cluster = await startCluster({ dataDir, settings });
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const addressWith = (parameters: Readonly<Record<string, string>>, host = "127.0.0.1"): string => {
  const url = new URL(cluster.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

describe("a PostgreSQL with an authority of its own", { timeout: 120_000 }, () => {
  it("is used over TLS by every connection if `DATABASE_URL` names the authority", async () => {
    const url = addressWith({ sslmode: "verify-full", sslrootcert: file("ca.pem") });
    const home = await makeHome({ DATABASE_URL: url });
    const database = connect({ url, applicationName: "test" });
    try {
      await home.json(["migrate", "--create"]);
      await home.start();
      expect((await fetch(`${home.url}/api/health`)).status).toBe(200);
      const rows = await database.acrossTeams.rows<{ name: string; ssl: boolean }>(
        sql`SELECT a.application_name AS name, s.ssl FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid) WHERE a.datname = 'kb'`,
      );
      expect(rows.length).toBeGreaterThan(2);
      expect(rows.filter(({ ssl }) => !ssl)).toEqual([]);
    } finally {
      await database.close();
      await home.remove();
    }
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["without the authority", {}, "127.0.0.1"],
    ["under a name that the certificate does not have", { sslrootcert: file("ca.pem") }, "localhost"],
  ])("is refused %s, and the error names `sslrootcert`", async (_, authority, host) => {
    const home = await makeHome({ DATABASE_URL: addressWith({ sslmode: "verify-full", ...authority }, host) });
    try {
      const refusal = await home.refusal(["migrate"]);
      expect(refusal).toMatchObject({ code: "unavailable" });
      expect(refusal.error).toContain("sslrootcert");
    } finally {
      await home.remove();
    }
  });

  it("a file of the authority that does not exist is an error that names it", async () => {
    const url = addressWith({ sslmode: "verify-full", sslrootcert: file("missing.pem") });
    const home = await makeHome({ DATABASE_URL: url });
    try {
      const { code, stderr } = await home.kb(["migrate"]);
      expect([code, stderr.includes("missing.pem"), stderr.split("\n").length]).toEqual([1, true, 2]);
    } finally {
      await home.remove();
    }
  });
});
