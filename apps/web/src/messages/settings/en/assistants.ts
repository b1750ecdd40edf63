import { isolated } from "../../isolated.ts";

/** Words of the page about assistants. */
export const assistants = {
  title: "Assistants",
  help: "Assistants such as Claude, ChatGPT and Cursor search, read and edit through MCP, with your rights and never more.",
  switchTitle: "Connections",
  isOn: "Assistants may connect to this team.",
  isOff: "Assistants cannot connect to this team. Nothing here is readable by one.",
  askAdmin: "An administrator can allow it.",
  turnOn: "Allow assistants",
  turnOff: "Stop all assistants",
  turnOffTitle: "Stop all assistants?",
  turnOffText:
    "Every connection ends at once, for everybody in the team, and connected apps have to be allowed again later. API keys stay, but reach no assistant.",
  turnedOn: "Assistants may connect now.",
  turnedOff: "All assistants are stopped.",
  connect: "Connect one",
  address: "Address",
  connectHelp: "Choose your assistant. Where it asks you to log in, you decide whether it may only read, or write too.",
  clients: {
    claude: {
      name: "Claude (desktop and web)",
      steps: "In Claude, open Settings → Connectors → Add custom connector, and paste the address.",
    },
    claudeCode: { name: "Claude Code", steps: "Run this in a terminal, then /mcp in a session to log in." },
    chatgpt: {
      name: "ChatGPT",
      steps:
        "Open Settings → Apps & Connectors → Advanced settings, switch developer mode on, choose Create, and paste the address with OAuth.",
    },
    cursor: { name: "Cursor", steps: "The button opens Cursor, which asks you. Or put this into ~/.cursor/mcp.json." },
    vscode: { name: "VS Code", steps: "The button opens VS Code, which asks you. Or put this into .vscode/mcp.json." },
    key: {
      name: "Another client, with an API key",
      steps: "Create a key for it under API keys, and put it in the place of kb_…",
    },
  },
  client: "Assistant",
  install: (name: string) => `Add to ${name}`,
  settingsOf: (name: string) => `Settings for ${name}`,
  apps: "Connected apps",
  appsHelp: "Apps that you have allowed. An app that you disconnect has to ask you again.",
  teamAppsHelp: "Apps that people of the team have allowed. You may disconnect each of them.",
  appsEmpty: "No app is connected.",
  unnamed: "App without a name",
  scopes: { read: "Read", "read write": "Read and write" },
  of: (name: string) => `of ${isolated(name)}`,
  allowed: "Allowed",
  lastUsed: "Last used",
  neverUsed: "Never used",
  disconnect: "Disconnect",
  disconnectOf: (name: string) => `Disconnect ${isolated(name)}`,
  disconnectTitle: (name: string) => `Disconnect ${isolated(name)}?`,
  disconnectText: "Its connections end at once. To connect again, it has to be allowed again.",
  disconnected: (name: string) => `${isolated(name)} is disconnected.`,
};
