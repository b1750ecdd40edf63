import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@kb/db/testing";
import { text } from "./read.ts";

/** Debian's nginx with our configuration, in front of instances on this machine. */
export type Nginx = {
  /** Sends a request over TLS for the host of the configuration. */
  send(path: string, options?: RequestOptions): Sending;
  close(): Promise<void>;
};

/** A request whose body is still to be written. */
export type Sending = { readonly request: ReturnType<typeof request>; readonly answer: Promise<IncomingMessage> };

/** Starts nginx. `instances` replace the names in the configuration, such as `api-1:3000`. */
export async function startNginx(instances: ReadonlyMap<string, string>): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "kb-nginx-"));
  const port = await freePort();
  const subject = ["-subj", "/CN=kb.example.com", "-addext", "subjectAltName=DNS:kb.example.com"];
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
    stdio: "ignore",
  });
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, await freePort(), instances));
  const command = ["-p", folder, "-c", join(folder, "nginx.conf")];
  execFileSync("nginx", ["-t", ...command], { stdio: "pipe" });
  const nginx = spawn("nginx", command, { stdio: "ignore" });
  const ca = readFileSync(join(folder, "fullchain.pem"));
  const send = (path: string, options: RequestOptions = {}): Sending => {
    const address = { host: "127.0.0.1", port, path, ca, servername: "kb.example.com", agent: false };
    const headers = { Host: "kb.example.com", ...Object(options.headers) };
    const sent = request({ ...address, ...options, headers });
    return {
      request: sent,
      answer: new Promise((resolve, reject) => sent.once("response", resolve).once("error", reject)),
    };
  };
  return { send, close: () => stop(nginx, folder) };
}

function configuration(folder: string, https: number, http: number, instances: ReadonlyMap<string, string>): string {
  const ours = [...instances]
    .reduce(
      (config, [name, address]) => config.replace(`server ${name} `, `server ${address} `),
      text("proxy/nginx/kb.conf"),
    )
    .replaceAll(/listen \[::\]:.*\n/g, "")
    .replace("listen 80;", `listen 127.0.0.1:${http};`)
    .replace("listen 443 ", `listen 127.0.0.1:${https} `)
    .replaceAll("/etc/ssl/kb/", `${folder}/`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const main = `daemon off; user root; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;`;
  return `${main}\nevents {}\nhttp {\naccess_log off;\n${temporary.join("\n")}\n${ours}\n}\n`;
}

async function stop(nginx: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
  if (nginx.kill("SIGTERM")) await ended;
  rmSync(folder, { recursive: true, force: true });
}
