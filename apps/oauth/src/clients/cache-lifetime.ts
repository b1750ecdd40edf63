const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * For how many seconds an answer may be kept (RFC 9111 §5.2), a minute at least and a day at most; an hour where it does
 * not say.
 */
export function secondsToKeep(headers: Readonly<Record<string, string>>): number {
  const said = saidSeconds(headers["cache-control"] ?? "", headers.age);
  return Math.min(day, Math.max(minute, said ?? hour));
}

function saidSeconds(cacheControl: string, age: string | undefined): number | undefined {
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
  if (directives.includes("no-store") || directives.includes("no-cache")) return 0;
  const [, seconds] = /^max-age="?(\d+)"?$/.exec(directives.find((each) => each.startsWith("max-age=")) ?? "") ?? [];
  if (seconds === undefined) return undefined;
  return Number(seconds) - (/^\d+$/.test(age ?? "") ? Number(age) : 0);
}
