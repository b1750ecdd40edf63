/** Reads a bearer token. The case of the scheme does not matter (RFC 9110 §11.1); RFC 6750 §2.1 defines the characters. */
export function bearerToken(header: string): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1] ?? null;
}
