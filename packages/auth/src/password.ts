import { randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { Gate } from "./gate.ts";

/** Argon2id with 19 MiB, two passes and one lane: the first choice of OWASP's password storage sheet. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What is verified where there is no account: of a password that nobody knows, at the same cost. */
export const decoyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$V46YcgwP5VheW+nlAJ9S4g$poNFcP02GHSP/TCrC8VouN2JR2ZHFlMKYg2QcSYzXi0";

// Two threads of Node's four, 38 MiB, some 8 ms each: a flood of log-ins takes neither the memory nor the other threads.
const hashing = new Gate(2, 500);

/** The form in which a password is hashed: what looks the same on two keyboards is the same (RFC 8265). */
const canonical = (password: string): string => password.normalize("NFKC");

/**
 * Hashes a password with a salt of its own, into a PHC string (`$argon2id$…`).
 * @throws {BusyError} where too many passwords wait to be hashed; so does `verifyPassword`.
 */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(canonical(password), cost));
}

/** Whether the password is the one that was hashed; false too for a text that is no hash. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return hashing.run(async () => {
    try {
      return await verify(stored, canonical(password));
    } catch {
      return false;
    }
  });
}

// Without what looks alike: 0 and o, 1 and l.
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";
const groups = 4;
const groupLength = 5;

/** Makes up a password that can be typed from a screen: four groups of five characters, 100 bits. */
export function makePassword(): string {
  const letter = (): string => alphabet.charAt(randomInt(alphabet.length));
  const group = (): string => Array.from({ length: groupLength }, letter).join("");
  return Array.from({ length: groups }, group).join("-");
}
