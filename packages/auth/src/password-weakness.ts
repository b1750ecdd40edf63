/** Why a password is too easy to guess. */
export type PasswordWeakness = "common" | "personal" | "pattern" | "guessable";

/** A program that tries the likeliest passwords first finds a password below this within minutes, even at our own log-in. */
const minGuesses = 1e6;
/** The part of a password that is judged: the whole can only be harder to guess, and judging it would take long. */
const judgedLength = 32;

type Judge = (password: string, personal: string[]) => { guesses: number; sequence: readonly Match[] };
type Match = { readonly pattern: string; readonly dictionaryName?: unknown };

let loading: Promise<Judge> | undefined;

/**
 * Tells why a password is too easy to guess; null if it is not. It knows leaked passwords, without asking another service.
 * `personal` are texts that an attacker knows, such as the person's name and e-mail address.
 */
export async function findPasswordWeakness(
  password: string,
  personal: readonly string[],
): Promise<PasswordWeakness | null> {
  loading ??= loadJudge();
  const judge = await loading;
  const known = personal.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((text) => text.length > 2);
  const { guesses, sequence } = judge(password.normalize("NFKC").slice(0, judgedLength), known.slice(0, 20));
  if (guesses >= minGuesses) return null;
  const matches = (name: string): boolean => sequence.some(({ dictionaryName }) => dictionaryName === name);
  if (matches("userInputs")) return "personal";
  if (matches("passwords-common")) return "common";
  return sequence.every(({ pattern }) => pattern === "bruteforce" || pattern === "dictionary")
    ? "guessable"
    : "pattern";
}

/** Loads the list of leaked passwords at the first use: it takes 20 MB of memory, and many processes never need it. */
async function loadJudge(): Promise<Judge> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 20 });
  return (password, personal) => factory.check(password, personal);
}
