import { hash, verify } from "@node-rs/argon2";

/** Argon2id with 19 MiB, two passes and one lane: the first choice of OWASP's password storage sheet. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The form in which a password is hashed: what looks the same on two keyboards is the same (RFC 8265). */
const canonical = (password: string): string => password.normalize("NFKC");

/** Hashes a password with a salt of its own, into a PHC string (`$argon2id$…`). */
export function hashPassword(password: string): Promise<string> {
  return hash(canonical(password), cost);
}

/** Whether the password is the one that was hashed; false too for a text that is no hash. */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  try {
    return await verify(stored, canonical(password));
  } catch {
    return false;
  }
}
