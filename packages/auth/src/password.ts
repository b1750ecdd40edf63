import { randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { Gate } from "./gate.ts";

/** Argon2id with 19 MiB, two passes and one lane: the first choice of OWASP's password storage sheet. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of an unknown password, verified at the same cost if there is no account. */
export const decoyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$V46YcgwP5VheW+nlAJ9S4g$poNFcP02GHSP/TCrC8VouN2JR2ZHFlMKYg2QcSYzXi0";

// Two of Node's four threads and 38 MiB, about 8 ms each: a flood of log-ins exhausts neither memory nor threads.
const hashing = new Gate(2, 500);

/** Normalizes a password before it is hashed, so that equal text from two keyboards is equal (RFC 8265). */
const canonical = (password: string): string => password.normalize("NFKC");

/**
 * Hashes a password with a new salt into a PHC string (`$argon2id$…`).
 * @throws {BusyError} if too many passwords are waiting to be hashed; so does `verifyPassword`.
 */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(canonical(password), cost));
}

/** Whether the password matches the hash; false for a text that is not a hash. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return hashing.run(async () => {
    try {
      return await verify(stored, canonical(password));
    } catch {
      return false;
    }
  });
}

// Without characters that look alike: 0 and o, 1 and l.
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";
const groups = 4;
const groupLength = 5;

/** Generates a password that is easy to type: four groups of five characters, 100 bits. */
export function makePassword(): string {
  const letter = (): string => alphabet.charAt(randomInt(alphabet.length));
  const group = (): string => Array.from({ length: groupLength }, letter).join("");
  return Array.from({ length: groups }, group).join("-");
}
