import type { MailOutcome } from "@kb/core";
import type { RenderedMail } from "./render-mail.ts";

/** The mail server and the sender of all mails. */
export type MailSettings = {
  /** `smtps:` is TLS from the beginning; `smtp:` upgrades by STARTTLS where the server offers it. */
  readonly url: string;
  readonly from: string;
  /** The certificate authority of the server, as PEM. Default: those that Node trusts. */
  readonly certificateAuthority?: string | undefined;
};

/** A mail with its address. Its id becomes the `Message-ID`, so that a receiver recognizes a repeated one. */
export type AddressedMail = RenderedMail & {
  readonly id: string;
  readonly recipient: string;
  readonly language: string;
  readonly createdAt: Date;
  /** The secret in its link, which no failure that is stored may quote. */
  readonly secret: string | null;
};

/** A connection to a mail server. */
export type Mailer = {
  /** Sends one mail. Never throws: the outcome says whether to try again. */
  send(mail: AddressedMail): Promise<MailOutcome>;
  /** Connects and logs in. @throws {Error} if the server refuses, or does not answer. */
  verify(): Promise<void>;
};

const connectMs = 10_000;
/** A server may look at a mail for a while before it takes it. */
const answerMs = 60_000;

/** Opens a mailer. `appUrl` names the host in `EHLO` and `Message-ID`. Each mail has a connection of its own. */
export function openMailer(settings: MailSettings, appUrl: string): Mailer {
  const host = new URL(appUrl).hostname;
  let opening: ReturnType<typeof openTransport> | undefined;
  const transport = (): ReturnType<typeof openTransport> => {
    opening ??= openTransport(settings, host);
    return opening;
  };
  return {
    async send({ id, recipient, language, createdAt, secret, ...content }) {
      try {
        await (await transport()).sendMail({
          ...content,
          from: settings.from,
          to: { name: "", address: recipient },
          messageId: `<${id}@${host}>`,
          date: createdAt,
          // Keeps automatic answers away (RFC 3834 §5).
          headers: { "Auto-Submitted": "auto-generated", "Content-Language": language },
        });
        return { result: "sent" };
      } catch (error) {
        return outcomeOf(error, secret);
      }
    },
    async verify() {
      await (await transport()).verify();
    },
  };
}

/** Loads the client with the first mail: it has some megabytes, and many installations send none. */
async function openTransport(settings: MailSettings, host: string) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    ...serverOf(settings),
    name: host,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function serverOf({ url, certificateAuthority }: MailSettings) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  const isLocal = host === "localhost" || host === "::1" || host.startsWith("127.");
  const auth =
    username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
  return {
    host,
    port: port === "" ? defaultPort(secure) : Number(port),
    secure,
    ...auth,
    // A password must not cross a network in the clear.
    requireTLS: !secure && !isLocal && username !== "",
    ...(certificateAuthority === undefined ? {} : { tls: { ca: certificateAuthority } }),
  };
}

/** RFC 8314 §3.3 and RFC 6409 §3.1. */
const defaultPort = (secure: boolean): number => (secure ? 465 : 587);

/** The errors about this mail or its address. All others are about the server and pass, such as a wrong password. */
const errorsOfMail = new Set(["EENVELOPE", "EMESSAGE"]);

/** A permanent refusal (5yz, RFC 5321 §4.2.1) of this mail is final. 503 is about the order of commands. */
function outcomeOf(error: unknown, secret: string | null): MailOutcome {
  const { code, responseCode } = factsOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const failure = secret === null ? message : message.replaceAll(secret, "…");
  const isFinal = errorsOfMail.has(code) && responseCode >= 500 && responseCode !== 503;
  return { result: isFinal ? "failed" : "missed", failure };
}

function factsOf(error: unknown): { code: string; responseCode: number } {
  const field = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  const responseCode = field("responseCode");
  return { code: String(field("code") ?? ""), responseCode: typeof responseCode === "number" ? responseCode : 0 };
}
