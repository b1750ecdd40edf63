#!/usr/bin/env node
// Starts the bundle, or says in one line that this Node is too old to read it.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `kb needs Node 22.18 or newer, and this is ${process.versions.node}. Install a newer one from https://nodejs.org, or use the archive for Linux, which contains it.`,
  );
  process.exit(1);
}
// Large answers outlive a smaller young generation, and a larger one costs memory without a gain in speed.
require("node:v8").setFlagsFromString("--max-semi-space-size=16");
import("./main.js");
