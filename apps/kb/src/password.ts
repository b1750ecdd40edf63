import { randomInt } from "node:crypto";

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
