import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EnvironmentError, readEnvironment } from "./read-environment.ts";
import { AppSecret, DatabaseUrl, MailSender, Origin, ProxyList, SmtpUrl, wholeNumber } from "./variable-types.ts";
import { InstallationVariables, RateLimitVariables, requireWholeMail } from "./variables.ts";

const schema = z.object({
  APP_URL: Origin,
  DATABASE_URL: DatabaseUrl,
  PORT: wholeNumber(0, 65_535).default(3001),
  TRUSTED_PROXIES: ProxyList.default([]),
});

const good = { APP_URL: "https://wiki.example.com/", DATABASE_URL: "postgresql://kb:secret@db:5432/kb" };

function problem(environment: Record<string, string>): string {
  try {
    readEnvironment(schema, environment);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
  }
  return "accepted";
}

describe("the environment", () => {
  it("is read by its schema; an empty variable counts as unset", () => {
    expect(readEnvironment(schema, { ...good, PORT: "", OTHER: "x" })).toEqual({
      APP_URL: "https://wiki.example.com",
      DATABASE_URL: "postgresql://kb:secret@db:5432/kb",
      PORT: 3001,
      TRUSTED_PROXIES: [],
    });
  });

  it("reports all problems at once, by the names of the variables", () => {
    const message = problem({ PORT: "http", TRUSTED_PROXIES: "10.0.0.0/8, proxy" });
    for (const name of ["APP_URL", "DATABASE_URL", "PORT", "TRUSTED_PROXIES"]) expect(message).toContain(`  ${name}: `);
  });

  it("reports no values, because some are secrets", () => {
    expect(problem({ ...good, DATABASE_URL: "mysql://kb:hunter2@db/kb" })).not.toContain("hunter2");
  });

  it.each(["wiki.example.com", "ftp://x", "https://x/path", "https://x?y=1", "https://user@x", "https://x/#a"])(
    "APP_URL %j is refused",
    (url) => {
      expect(problem({ ...good, APP_URL: url })).toContain("APP_URL: must be an origin");
    },
  );

  it.each(["http://wiki.example.com", "http://192.168.1.7:3000", "http://localhost.example.com", "http://1270.0.0.1"])(
    "APP_URL %j is refused, because keys and logins would be sent unencrypted",
    { meta: { proves: ["decision.running.https"] } },
    (url) => {
      expect(problem({ ...good, APP_URL: url })).toMatch(/APP_URL: must be/);
    },
  );

  it.each(["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000", "http://kb.localhost"])(
    "APP_URL %j is this machine and may use http",
    { meta: { proves: ["decision.running.https"] } },
    (url) => {
      expect(problem({ ...good, APP_URL: url })).toBe("accepted");
    },
  );

  it("http on another machine is accepted only with ALLOW_INSECURE_HTTP=true", () => {
    const trial = z.object(InstallationVariables);
    const read = (ALLOW_INSECURE_HTTP: string) =>
      readEnvironment(trial, { ...good, APP_URL: "http://192.168.1.7:3000", ALLOW_INSECURE_HTTP }).APP_URL;
    expect(read("true")).toBe("http://192.168.1.7:3000");
    expect(() => read("false")).toThrow(/APP_URL: must be https.*ALLOW_INSECURE_HTTP=true sends passwords/);
    expect(() => read("yes")).toThrow("ALLOW_INSECURE_HTTP: must be true or false");
  });

  it.each(["short", "a".repeat(64), "change-me-change-me-change-me-change-me", "abababababababababababababababababab"])(
    "APP_SECRET %j is refused: it can be guessed",
    { meta: { proves: ["decision.running.secret"] } },
    (secret) => {
      expect(() => readEnvironment(z.object({ APP_SECRET: AppSecret }), { APP_SECRET: secret })).toThrow("APP_SECRET");
    },
  );

  it("APP_SECRET accepts the output of `openssl rand`", { meta: { proves: ["decision.running.secret"] } }, () => {
    const APP_SECRET = "5f0c9d1be7a34286a9b1c7d20e4f68135f0c9d1be7a34286a9b1c7d20e4f6813";
    expect(readEnvironment(z.object({ APP_SECRET: AppSecret }), { APP_SECRET })).toEqual({ APP_SECRET });
  });

  it.each(["65536", "-1", "1.5", "0x10", "1e3"])("PORT %j is refused", (port) => {
    expect(problem({ ...good, PORT: port })).toContain("PORT: must be a whole number from 0 to 65535");
  });

  it("TRUSTED_PROXIES is a comma-separated list", () => {
    const { TRUSTED_PROXIES } = readEnvironment(schema, { ...good, TRUSTED_PROXIES: "10.0.0.0/8, ::1,192.0.2.7" });
    expect(TRUSTED_PROXIES).toEqual(["10.0.0.0/8", "::1", "192.0.2.7"]);
  });
});

describe("the mail server and the sender", () => {
  it.each(["smtp://mail.example.com", "smtp://user:p%40ss@mail.example.com:587", "smtps://10.0.0.1:465"])(
    "accept %s",
    (url) => {
      expect(SmtpUrl.safeParse(url).success).toBe(true);
    },
  );

  it.each(["mail.example.com", "https://mail.example.com", "smtp", ""])("reject the server %j", (url) => {
    expect(SmtpUrl.safeParse(url).success).toBe(false);
  });

  it.each(["smtp://user:100%@mail.example.com", "smtp://us%er:p@mail.example.com", "smtp://user:%ff@mail.example.com"])(
    "reject a user or password with a stray percent sign, as in %j, and say how to write it",
    (url) => {
      expect(SmtpUrl.safeParse(url).error?.issues.map(({ message }) => message)).toEqual([
        "must have %25 in place of each % in the user and the password",
      ]);
    },
  );

  it.each([
    ["wiki@example.com", true],
    ["Wiki <wiki@example.com>", true],
    ["Wiki", false],
    ["Wiki <wiki>", false],
    ["a@example.com, b@example.com", false],
    ["Wiki\r\nBcc: x@example.com <wiki@example.com>", false],
  ])("the sender %j is accepted: %s", (sender, accepted) => {
    expect(MailSender.safeParse(sender).success).toBe(accepted);
  });

  it.each([
    [{ SMTP_URL: "smtp://mail.example.com" }, "MAIL_FROM"],
    [{ MAIL_FROM: "wiki@example.com" }, "SMTP_URL"],
  ])("%j needs %s too", (given, missing) => {
    const both = z.object({ SMTP_URL: SmtpUrl.optional(), MAIL_FROM: MailSender.optional() });
    expect(() => readEnvironment(both.superRefine(requireWholeMail), given)).toThrow(`  ${missing}: is missing`);
  });
});

it("a rate limit may be higher than any process reaches, so that a start never refuses it after its installation", () => {
  const names = ["RATE_LIMIT_PER_MINUTE", "RATE_LIMIT_SESSION_PER_MINUTE", "RATE_LIMIT_PAGES_PER_MINUTE"];
  const limits = readEnvironment(
    z.object(RateLimitVariables),
    Object.fromEntries(names.map((name) => [name, "1000000000"])),
  );
  expect(limits).toMatchObject(Object.fromEntries(names.map((name) => [name, 1_000_000_000])));
});
