import { TestPasskey } from "@kb/auth/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkAssertion } from "./assertion.ts";
import { issueChallenge, useChallenge } from "./challenges.ts";
import { checkRegistration } from "./registration.ts";
import { relyingPartyOf, supportsPasskeys } from "./relying-party.ts";

const site = { origin: "https://dev.dontneeda.pw", rpId: "dev.dontneeda.pw" };
const base64url = (text: string): string => Buffer.from(text).toString("base64url");
const isOf = (expected: string) => async (challenge: string) => challenge === base64url(expected);

/** The examples of the tests of @simplewebauthn/server, which real authenticators made. */
const examples = {
  registration: {
    challenge: "hEccPWuziP00H0p5gxh2_u5_PC4NeYgd",
    answer: {
      id: "AdKXJEch1aV5Wo7bj7qLHskVY4OoNaj9qu8TPdJ7kSAgUeRxWNngXlcNIGt4gexZGKVGcqZpqqWordXb_he1izY",
      attestationObject:
        "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVjFPdxHEOnAiLIp26idVjIguzn3Ipr_RlsKZWsa-5qK-KBFAAAAAAAAAAAAAAAAAAAAAAAAAAAAQQHSlyRHIdWleVqO24-6ix7JFWODqDWo_arvEz3Se5EgIFHkcVjZ4F5XDSBreIHsWRilRnKmaaqlqK3V2_4XtYs2pQECAyYgASFYID5PQTZQQg6haZFQWFzqfAOyQ_ENsMH8xxQ4GRiNPsqrIlggU8IVUOV8qpgk_Jh-OTaLuZL52KdX1fTht07X4DiQPow",
      clientDataJSON:
        "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiYUVWalkxQlhkWHBwVURBd1NEQndOV2Q0YURKZmRUVmZVRU0wVG1WWloyUSIsIm9yaWdpbiI6Imh0dHBzOlwvXC9kZXYuZG9udG5lZWRhLnB3IiwiYW5kcm9pZFBhY2thZ2VOYW1lIjoib3JnLm1vemlsbGEuZmlyZWZveCJ9",
      transports: [],
    },
  },
  assertion: {
    challenge: "totallyUniqueValueEveryTime",
    publicKey:
      "pQECAyYgASFYIIheFp-u6GvFT2LNGovf3ZrT0iFVBsA_76rRysxRG9A1Ilgg8WGeA6hPmnab0HAViUYVRkwTNcN77QBf_RR0dv3lIvQ",
    answer: {
      id: "KEbWNCc7NgaYnUyrNeFGX9_3Y-8oJ3KwzjnaiD1d1LVTxR7v3CaKfCz2Vy_g_MHSh7yJ8yL0Pxg6jo_o0hYiew",
      authenticatorData: "PdxHEOnAiLIp26idVjIguzn3Ipr_RlsKZWsa-5qK-KABAAAAkA",
      clientDataJSON:
        "eyJjaGFsbGVuZ2UiOiJkRzkwWVd4c2VWVnVhWEYxWlZaaGJIVmxSWFpsY25sVWFXMWwiLCJjbGllbnRFeHRlbnNpb25zIjp7fSwiaGFzaEFsZ29yaXRobSI6IlNIQS0yNTYiLCJvcmlnaW4iOiJodHRwczovL2Rldi5kb250bmVlZGEucHciLCJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
      signature: "MEUCIQDYXBOpCWSWq2Ll4558GJKD2RoWg958lvJSB_GdeokxogIgWuEVQ7ee6AswQY0OsuQ6y8Ks6jhd45bDx92wjXKs900",
    },
  },
  firstUse: {
    challenge: "totallyUniqueValueEveryAssertion",
    publicKey:
      "pQECAyYgASFYIGmaxR4mBbukc2QhtW2ldhAAd555r-ljlGQN8MbcTnPPIlgg9CyUlE-0AB2fbzZbNgBvJuRa7r6o2jPphOmtyNPR_kY",
    answer: {
      id: "wSisR0_4hlzw3Y1tj4uNwwifIhRa-ZxWJwWbnfror0pVK9qPdBPO5pW3gasPqn6wXHb0LNhXB_IrA1nFoSQJ9A",
      authenticatorData: "PdxHEOnAiLIp26idVjIguzn3Ipr_RlsKZWsa-5qK-KABAAAAAA",
      clientDataJSON:
        "eyJjaGFsbGVuZ2UiOiJkRzkwWVd4c2VWVnVhWEYxWlZaaGJIVmxSWFpsY25sQmMzTmxjblJwYjI0IiwiY2xpZW50RXh0ZW5zaW9ucyI6e30sImhhc2hBbGdvcml0aG0iOiJTSEEtMjU2Iiwib3JpZ2luIjoiaHR0cHM6Ly9kZXYuZG9udG5lZWRhLnB3IiwidHlwZSI6IndlYmF1dGhuLmdldCJ9",
      signature: "MEQCIBu6M-DGzu1O8iocGHEj0UaAZm0HmxTeRIE6-nS3_CPjAiBDsmIzy5sacYwwzgpXqfwRt_2vl5yiQZ_OAqWJQBGVsQ",
    },
  },
} as const;

const keyOf = (publicKey: string): Uint8Array => Buffer.from(publicKey, "base64url");
const proves = ["onboarding.passkeys.checked"] as const;

describe("the answer of a browser that made a passkey", () => {
  const { challenge, answer } = examples.registration;

  it("is accepted as the library's example, and gives the key with its id", { meta: { proves } }, async () => {
    const checked = await checkRegistration(site, answer, isOf(challenge));
    expect(checked).toMatchObject({ counter: 0, synced: false, transports: [] });
    expect(Buffer.from(checked?.credentialId ?? []).toString("base64url")).toBe(answer.id);
  });

  it("is refused with another challenge, from another site or host, changed or malformed", {
    meta: { proves },
  }, async () => {
    const right = isOf(challenge);
    expect(await checkRegistration(site, answer, isOf("another"))).toBeNull();
    expect(await checkRegistration({ ...site, origin: "https://dontneeda.pw" }, answer, right)).toBeNull();
    expect(await checkRegistration({ ...site, rpId: "dontneeda.pw" }, answer, right)).toBeNull();
    for (const change of [
      { id: "AAAA" },
      { attestationObject: "AAAA" },
      { clientDataJSON: base64url("null") },
      { clientDataJSON: base64url("no json") },
      { clientDataJSON: examples.assertion.answer.clientDataJSON },
    ]) {
      expect(await checkRegistration(site, { ...answer, ...change }, right)).toBeNull();
    }
  });
});

describe("the answer of a browser that used a passkey", () => {
  it.each([
    ["of a passkey that counts", examples.assertion, 144],
    ["of one that is used for the first time", examples.firstUse, 0],
  ])("is accepted as the library's example %s", { meta: { proves } }, async (_, example, counter) => {
    const checked = await checkAssertion(site, example.answer, keyOf(example.publicKey), isOf(example.challenge));
    expect(checked).toEqual({ counter, isUserVerified: false });
  });

  it("is refused with another key, challenge, site or host, changed or malformed", { meta: { proves } }, async () => {
    const { challenge, publicKey, answer } = examples.assertion;
    const right = isOf(challenge);
    const key = keyOf(publicKey);
    expect(await checkAssertion(site, answer, keyOf(examples.firstUse.publicKey), right)).toBeNull();
    expect(await checkAssertion(site, answer, key, isOf("another"))).toBeNull();
    expect(await checkAssertion({ ...site, origin: "http://dev.dontneeda.pw" }, answer, key, right)).toBeNull();
    expect(await checkAssertion({ ...site, rpId: "dontneeda.pw" }, answer, key, right)).toBeNull();
    for (const change of [
      { signature: examples.firstUse.answer.signature },
      { signature: "AAAA" },
      { authenticatorData: examples.firstUse.answer.authenticatorData },
      { authenticatorData: "AAAA" },
      { clientDataJSON: examples.firstUse.answer.clientDataJSON },
      { clientDataJSON: base64url("{}") },
    ]) {
      expect(await checkAssertion(site, { ...answer, ...change }, key, right)).toBeNull();
    }
  });

  it("of a passkey in software is accepted, and says whether it checked its user", { meta: { proves } }, async () => {
    const passkey = new TestPasskey(site.origin);
    const made = await checkRegistration(site, passkey.register({ challenge: "new" }), async () => true);
    if (made === null) throw new Error("the registration is right");
    for (const isUserVerified of [true, false]) {
      const used = passkey.use({ challenge: "use", isUserVerified });
      expect(await checkAssertion(site, used, made.publicKey, async () => true)).toMatchObject({ isUserVerified });
    }
  });
});

describe("a challenge", () => {
  const clock = testClock();
  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test.drop());
  const use = { purpose: "prove", binding: "a session" } as const;
  const issue = () => issueChallenge(test.database, use, clock.now());
  const accept = (challenge: string, by: Parameters<typeof useChallenge>[1] = use) =>
    useChallenge(test.database, by, challenge, clock.now());

  it("works once, also for 50 uses at once, and only its hash is stored", {
    meta: { proves: ["onboarding.passkeys.challenge"] },
  }, async () => {
    const challenge = await issue();
    const stored = await test.database.client.passkeyChallenge.findMany();
    expect(JSON.stringify(stored)).not.toContain(challenge);
    const uses = await Promise.all(Array.from({ length: 50 }, () => accept(challenge)));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await accept(challenge)).toBe(false);
  });

  it("is unknown for another purpose and another session, and ends after five minutes", {
    meta: { proves: ["onboarding.passkeys.challenge"] },
  }, async () => {
    const challenge = await issue();
    expect(await accept(challenge, { ...use, purpose: "register" })).toBe(false);
    expect(await accept(challenge, { ...use, binding: "another session" })).toBe(false);
    clock.advance(5 * 60_000 - 1);
    expect(await accept(challenge)).toBe(true);
    const late = await issue();
    clock.advance(5 * 60_000);
    expect(await accept(late)).toBe(false);
    await issue();
    expect(await test.database.client.passkeyChallenge.count()).toBe(1);
  });
});

it("passkeys are bound to the host of APP_URL, which needs a name, and https except on this computer", {
  meta: { proves: ["onboarding.passkeys.site"] },
}, () => {
  expect(relyingPartyOf("https://wiki.example.com:8443")).toEqual({
    origin: "https://wiki.example.com:8443",
    rpId: "wiki.example.com",
  });
  for (const address of ["https://wiki.example.com", "http://localhost:3000", "http://kb.localhost:3000"]) {
    expect([address, supportsPasskeys(address)]).toEqual([address, true]);
  }
  for (const address of [
    "http://wiki.example.com",
    "http://127.0.0.1:3000",
    "https://10.0.0.5",
    "https://[::1]:3000",
  ]) {
    expect([address, supportsPasskeys(address)]).toEqual([address, false]);
  }
});
