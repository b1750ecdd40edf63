import type { Command } from "commander";
import type { Finding } from "../doctor/examine.ts";
import type { AddLeaf } from "../leaf.ts";

const signs: Readonly<Record<Finding["state"], string>> = { ok: "ok  ", warn: "warn", fail: "FAIL" };

/** `kb doctor` */
export function addDoctorCommand(program: Command, leaf: AddLeaf): void {
  const command = program.command("doctor").description("check the installation and explain how to fix problems");
  leaf(command, async ({ settings, output, fail }) => {
    // Only this command loads the apps whose services it tries.
    const { examine } = await import("../doctor/examine.ts");
    const findings = await examine(settings);
    const failed = findings.filter((finding) => finding.state === "fail").length;
    output.answer({ ok: failed === 0, findings }, findings.map(line));
    if (failed > 0) fail();
  });
}

const line = ({ state, name, message }: Finding): string => `${signs[state]}  ${name.padEnd(12)} ${message}`;
