import { domainToASCII } from "node:url";
import { z } from "zod";

const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Returns a domain as ASCII in lower case; an empty string for other text, from which `domainToASCII` may cut a path. */
export const asciiDomain = (text: string): string => (/^[\p{L}\p{M}\p{N}.-]+$/u.test(text) ? domainToASCII(text) : "");

/** Accepts domains between commas, and returns them as ASCII in lower case. */
export const Domains = z
  .string()
  .transform((list) => list.split(",").map((domain) => asciiDomain(domain.trim())))
  .refine((domains) => domains.every((domain) => domainForm.test(domain)), {
    error: "must be domains between commas, such as example.com,example.org",
  });

/** Accepts the scopes of the requests to the provider (RFC 6749 §3.3), between spaces. */
export const Scopes = z
  .string()
  .transform((list) => list.trim().split(/\s+/))
  .refine((scopes) => scopes.includes("openid") && scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)), {
    error: "must be scopes between spaces, with openid, such as openid email profile groups",
  })
  .transform((scopes) => scopes.join(" "));

/** A claim of the provider, and the value that it must have or contain. */
export type RequiredClaim = { readonly name: string; readonly value: string };

/** Accepts a claim and its value, such as `hd=example.com`. */
export const ClaimAndValue = z
  .string()
  .regex(/^[^\s=]+=./, "must be a claim and its value, such as hd=example.com")
  .transform((text): RequiredClaim => {
    const at = text.indexOf("=");
    return { name: text.slice(0, at), value: text.slice(at + 1).trim() };
  });

const GroupNames = z.union([z.string().transform((name) => [name]), z.array(z.string()).min(1)]);

/** Accepts a JSON object from values of a claim to the names of groups. An own property named `__proto__` is a value like any other. */
export const GroupsByValue = z.string().transform((text, context): ReadonlyMap<string, readonly string[]> => {
  const names = new Map<string, readonly string[]>();
  for (const [value, given] of entriesOf(text)) {
    const parsed = GroupNames.safeParse(given);
    if (!parsed.success || parsed.data.some((name) => name.trim() === "")) return refuse(context);
    names.set(value, parsed.data);
  }
  return names.size === 0 ? refuse(context) : names;
});

function entriesOf(text: string): [string, unknown][] {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? Object.entries(parsed) : [];
  } catch {
    return [];
  }
}

function refuse(context: z.RefinementCtx): never {
  const message = 'must be JSON from values of the claim to names of groups, such as {"wiki-admins":"Admins"}';
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}
