/** Apps that people use with assistants, whose schemes have no dot. */
const knownApps: ReadonlySet<string> = new Set([
  ...["cursor", "cursor-nightly", "vscode", "vscode-insiders", "vscodium", "code-oss", "windsurf", "windsurf-next"],
  ...["zed", "kiro", "trae", "antigravity", "positron", "jetbrains", "claude", "chatgpt", "codex", "goose", "raycast"],
  ...["warp", "lmstudio", "msty", "librechat", "cherrystudio", "witsy", "boltai", "perplexity", "poe", "mistral"],
  ...["gemini", "copilot", "notion", "obsidian", "slack", "linear", "postman", "insomnia", "mcp"],
]);

/**
 * Whether a scheme can only be an app's own: with a dot, as RFC 8252 §7.1 asks (`com.example.app`), or a known app's name.
 * So `javascript`, `data`, `file` and all that a browser or a system makes something of are none.
 */
export function isPrivateUse(scheme: string): boolean {
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$/.test(scheme) || knownApps.has(scheme);
}
