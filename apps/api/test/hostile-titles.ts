/** Titles that are not what a file may be called, or that are taken for another name or for a way out. */
export const hostileTitles: readonly string[] = [
  ...["../../etc/passwd", "..", ".", "...", "/absolute", "C:\\Windows\\x", "~", "a/b", "a-b", "A-B"],
  ...["CON", "con.txt", "NUL", "COM1", "LPT¹", "aux.", "trailing. . ", "  leading", ".hidden", "-rf"],
  ...["same", "same", "Same", "same (2)", "a", "a.md", "manifest.json", "uploads", "index", "manifest"],
  ...["\u202egpj.exe", "zero\u200bwidth", "tab\tand\nline", 'q?u*o"t<e>s|', "é", "e\u0301", "ﬁne", "fine"],
  ...["x".repeat(255), "ü".repeat(255), "🏳️‍🌈".repeat(40), "写".repeat(255), "a\u0301".repeat(127), "%2e%2e%2f"],
  ...["مرحبا", "\u2066isolated", "nbsp\u00a0here", "\ufeffbom", "Untitled", "emoji 🎉", "$(id)", "`id`", "a;b&c"],
];
