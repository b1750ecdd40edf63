import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";

/** Lists the rows about the current session, the user's other sessions and their second factor. */
export function sessionRoutes(): Row[] {
  return [
    ...ownSessionRoutes(),
    ...secondFactorRoutes(),
    ...passkeyRoutes(),
    ...emailChangeRoutes(),
    ...pictureRoutes(),
  ];
}

function secondFactorRoutes(): Row[] {
  const section = "Log-ins";
  // The answers contain secrets that are not stored, and each code works once, so the calls cannot be repeated.
  const once = { section, idempotencyKey: false } as const;
  const code = "a code of your app, or a recovery code";
  return [
    route("post", "/api/auth.secondFactor.info", operations.getSecondFactor, { section, idempotencyKey: false }),
    route("post", "/api/auth.secondFactor.start", operations.startSecondFactor, {
      ...once,
      errors: ["rate_limited"],
      notes: { proof: "your password, or a code if you have a second factor; nothing without either" },
      example: { proof: "$proof" },
    }),
    route("post", "/api/auth.secondFactor.confirm", operations.confirmSecondFactor, {
      ...once,
      errors: ["not_found", "conflict"],
      notes: { ticket: "from auth.secondFactor.start", code: "the code that the new app shows" },
    }),
    route("post", "/api/auth.secondFactor.renewCodes", operations.renewRecoveryCodes, {
      ...once,
      errors: ["not_found", "rate_limited"],
      notes: { code },
      example: { code: "$code" },
    }),
    route("post", "/api/auth.secondFactor.remove", operations.removeSecondFactor, {
      ...once,
      errors: ["not_found", "rate_limited"],
      notes: { code },
      example: { code: "$code" },
    }),
  ];
}

function emailChangeRoutes(): Row[] {
  const section = "Log-ins";
  return [
    route("post", "/api/auth.emailChange.info", operations.getEmailChange, { section, idempotencyKey: false }),
    route("post", "/api/auth.emailChange.start", operations.startEmailChange, {
      section,
      errors: ["rate_limited"],
      notes: { email: "the new address" },
    }),
    route("post", "/api/auth.emailChange.cancel", operations.cancelEmailChange, { section }),
  ];
}

function pictureRoutes(): Row[] {
  return [
    route("post", "/api/auth.picture.set", operations.setPicture, {
      section: "Log-ins",
      errors: ["payload_too_large", "unsupported_media_type"],
      notes: { image: "the bytes of the picture in Base64" },
    }),
    route("post", "/api/auth.picture.remove", operations.removePicture, { section: "Log-ins" }),
  ];
}

function passkeyRoutes(): Row[] {
  const section = "Log-ins";
  // A challenge works once, and the recovery codes are not stored, so the calls cannot be repeated.
  const once = { section, idempotencyKey: false } as const;
  return [
    route("post", "/api/auth.passkeys.list", operations.listPasskeys, once),
    route("post", "/api/auth.passkeys.start", operations.startPasskey, { ...once, errors: ["conflict"] }),
    route("post", "/api/auth.passkeys.add", operations.addPasskey, {
      ...once,
      errors: ["not_found", "conflict"],
      notes: { name: "how you call the device", credential: "the answer of the browser" },
    }),
    route("post", "/api/auth.passkeys.rename", operations.renamePasskey, { section, errors: ["not_found"] }),
    route("post", "/api/auth.passkeys.remove", operations.removePasskey, {
      section,
      errors: ["not_found", "conflict"],
    }),
    route("post", "/api/auth.passkeys.challenge", operations.challengePasskey, { ...once, errors: ["not_found"] }),
  ];
}

function ownSessionRoutes(): Row[] {
  const section = "Log-ins";
  return [
    route("get", "/api/app.events", operations.followChanges, {
      section,
      changes: (stream) => stream,
      notes: { lastEventId: "the `id` of the last event that the client received" },
    }),
    route("post", "/api/auth.me", operations.getSession, {
      section,
      csrfToken: false,
      idempotencyKey: false,
      note: "Send `csrfToken` as `X-CSRF-Token` with every change. This call itself does not need it.",
    }),
    route("post", "/api/auth.changePassword", operations.changePassword, {
      section,
      idempotencyKey: false,
      errors: ["rate_limited"],
      notes: { currentPassword: "the current password", newPassword: "8 to 1,024 characters" },
    }),
    route("post", "/api/auth.prove", operations.proveOwner, {
      section,
      idempotencyKey: false,
      errors: ["not_found", "rate_limited"],
      notes: {
        proof: "a code if you have a second factor, else your password",
        passkey: "the answer of the browser to auth.passkeys.challenge, in place of `proof`",
      },
      example: { proof: "$proof" },
    }),
    route("post", "/api/auth.updateProfile", operations.updateProfile, {
      section,
      notes: {
        language: "`en` or `ar`; `null` for the language of each browser",
        theme: "`system`, `light` or `dark`; `null` for the theme of each browser",
      },
      example: { name: "Ada", language: "en", theme: "dark" },
    }),
    route("post", "/api/auth.sessions.list", operations.listSessions, { section }),
    route("post", "/api/auth.sessions.revoke", operations.revokeSession, {
      section,
      errors: ["not_found"],
      notes: { id: "the `id` of a session from the list; that of the current session logs out" },
    }),
  ];
}
