const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Returns for how many seconds an answer may be cached (RFC 9111 §5.2): at least a minute, at most a day, and an hour if it
 * does not say.
 */
export function freshnessSeconds(headers: Readonly<Record<string, string>>): number {
  const stated = statedSeconds(headers["cache-control"] ?? "", headers.age);
  return Math.min(day, Math.max(minute, stated ?? hour));
}

function statedSeconds(cacheControl: string, age: string | undefined): number | undefined {
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
  if (directives.includes("no-store") || directives.includes("no-cache")) return 0;
  const maxAge = directives.find((directive) => directive.startsWith("max-age=")) ?? "";
  const [, seconds] = /^max-age="?(\d+)"?$/.exec(maxAge) ?? [];
  if (seconds === undefined) return undefined;
  return Number(seconds) - (/^\d+$/.test(age ?? "") ? Number(age) : 0);
}
