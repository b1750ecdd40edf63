import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { Assertion } from "../passkeys/assertion.ts";
import type { Registration } from "../passkeys/registration.ts";

/** What an authenticator signs. By default it is at the site of the passkey, and has checked who uses it. */
type Use = {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly isUserVerified?: boolean;
  /** Default: one more than the last. */
  readonly counter?: number;
  readonly userHandle?: string;
};

/** A passkey in software: an ES256 key and a number of signatures, which answers as browsers do. */
export class TestPasskey {
  readonly id = randomBytes(32);
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  #counter = 0;

  constructor(origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#origin = origin;
    this.#key = privateKey;
    this.#publicKey = coseKey(publicKey);
  }

  /** Returns the answer to options that ask for a new passkey. */
  register({ challenge, ...use }: Use): Registration {
    const attested = Buffer.concat([Buffer.alloc(16), uint16(this.id.length), this.id, this.#publicKey]);
    const authData = Buffer.concat([this.#authenticatorData(use, 0x40), attested]);
    // A map of three: the format, an empty statement, and the data.
    const head = Buffer.concat([Buffer.from([0xa3]), text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0])]);
    const attestationObject = Buffer.concat([head, text("authData"), bytes(authData)]);
    return {
      id: this.id.toString("base64url"),
      clientDataJSON: this.#clientData("webauthn.create", challenge, use),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    };
  }

  /** Returns the answer to options that ask for this passkey. */
  use({ challenge, userHandle, ...use }: Use): Assertion {
    const authenticatorData = this.#authenticatorData(use, 0);
    const clientDataJSON = this.#clientData("webauthn.get", challenge, use);
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signature = sign("sha256", Buffer.concat([authenticatorData, hash]), this.#key);
    return {
      id: this.id.toString("base64url"),
      clientDataJSON,
      authenticatorData: authenticatorData.toString("base64url"),
      signature: signature.toString("base64url"),
      ...(userHandle !== undefined && { userHandle }),
    };
  }

  #authenticatorData({ rpId, isUserVerified = true, counter }: Omit<Use, "challenge">, flags: number): Buffer {
    this.#counter = counter ?? this.#counter + 1;
    const site = rpId ?? new URL(this.#origin).hostname;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#counter);
    const present = 0x01 | (isUserVerified ? 0x04 : 0) | flags;
    return Buffer.concat([createHash("sha256").update(site).digest(), Buffer.from([present]), count]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Omit<Use, "challenge">): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
  }
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
/** CBOR (RFC 8949): a text of at most 23 bytes, and bytes of at most 65,535. */
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer => Buffer.concat([Buffer.from([0x59]), uint16(value.length), value]);

/** Returns an ES256 key as COSE (RFC 9053): kty 2, alg -7, crv 1, x and y. */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const coordinate = (value: string): Buffer =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, "base64url")]);
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([head, Buffer.from([0x21]), coordinate(x), Buffer.from([0x22]), coordinate(y)]);
}
