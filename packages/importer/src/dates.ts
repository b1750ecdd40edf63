const written = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads a date or a time of front matter, in UTC unless it names a zone; null if it is none, or none that exists. */
export function readDate(text: string): Date | null {
  const [whole, year, month, day, hours = "00", minutes = "00", seconds = "00", zone = "Z"] =
    written.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const offset = zone.toUpperCase() === "Z" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const date = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset}`);
  if (Number.isNaN(date.getTime())) return null;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= lastDay ? date : null;
}
