import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as the server took it. */
export type TakenMail = {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as it was sent: headers and body. */
  readonly source: string;
  readonly secure: boolean;
  readonly user: string | undefined;
};

/** An SMTP server that keeps what it takes. */
export type MailServer = {
  readonly port: number;
  readonly taken: TakenMail[];
  close(): Promise<void>;
};

/** The answer to a mail: an error with the reply code of the server, or nothing. */
export type Refusal = { readonly responseCode: number; readonly message: string };

/** A certificate for 127.0.0.1 that it signed itself, as PEM. */
export type Certificate = { readonly key: string; readonly cert: string };

/** Creates a certificate that nobody trusts. */
export async function createCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), "kb-mail-"));
  try {
    const key = join(folder, "key.pem");
    const cert = join(folder, "cert.pem");
    const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
    const names = ["-subj", "/CN=mail", "-addext", "subjectAltName=IP:127.0.0.1,IP:0.0.0.0"];
    await promisify(execFile)("openssl", [...made, "-keyout", key, "-out", cert, ...names]);
    return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** How a server behaves beyond the options of its library. */
export type MailServerOptions = SMTPServerOptions & {
  /** Decides about each recipient. */
  readonly refuse?: (recipient: string) => Refusal | undefined;
  /** Decides about each message, after it was read. */
  readonly refuseMessage?: (source: string) => Refusal | undefined;
  /** Delays the answer to a message. */
  readonly hold?: (source: string) => Promise<void>;
};

/** Starts a server on a free port. Without a certificate it offers no TLS, and without `onAuth` no log-in. */
export async function openMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { refuse, refuseMessage, hold, ...given } = options;
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    disabledCommands: [
      ...(given.cert === undefined ? ["STARTTLS"] : []),
      ...(given.onAuth === undefined ? ["AUTH"] : []),
    ],
    logger: false,
    ...given,
    onRcptTo: ({ address }, _session, callback) => callback(errorOf(refuse?.(address))),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const source = Buffer.concat(chunks).toString("utf8");
        const refusal = refuseMessage?.(source);
        if (refusal !== undefined) return callback(errorOf(refusal));
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        const user = typeof session.user === "string" ? session.user : undefined;
        taken.push({ from, to: rcptTo.map(({ address }) => address), source, secure: session.secure, user });
        void (hold?.(source) ?? Promise.resolve()).then(() => callback());
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server);
  return { port, taken, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

function errorOf(refusal: Refusal | undefined): Error | null {
  return refusal === undefined ? null : Object.assign(new Error(refusal.message), refusal);
}

/** The server listens on a port, so its address is no path. */
function addressOf({ server }: SMTPServer): AddressInfo {
  return server.address() as AddressInfo;
}

/** Returns a header of a message, unfolded. */
export function headerOf(source: string, name: string): string | undefined {
  const [head = ""] = source.split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const line = lines.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}

/** Returns the decoded parts of a message by their type. */
export function partsOf(source: string): Record<string, string> {
  const [, boundary = ""] = /boundary="([^"]+)"/.exec(source) ?? [];
  const parts = source.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [head = "", ...rest] = part.trim().split("\r\n\r\n");
      const [, type = ""] = /Content-Type: ([^;\s]+)/i.exec(head) ?? [];
      return [type, decoded(head, rest.join("\r\n\r\n"))];
    }),
  );
}

function decoded(head: string, body: string): string {
  if (/Content-Transfer-Encoding: base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/Content-Transfer-Encoding: quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
