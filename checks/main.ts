import { awaited, requirements } from "@kb/testing/requirements";
import { arrowFindings } from "./arrows.ts";
import { conventionFindings } from "./conventions.ts";
import { packageFindings } from "./packages.ts";
import { type Finding, repositoryFiles, type SourceFile } from "./repository.ts";
import { requirementFindings } from "./requirements.ts";

const checks: Readonly<Record<string, (files: readonly SourceFile[]) => Finding[]>> = {
  arrows: (files) => [...arrowFindings(files), ...packageFindings(files)],
  conventions: conventionFindings,
  requirements: (files) => requirementFindings(files, { requirements, awaited }),
};

/** Runs one check over this repository and prints its findings. Returns the exit code, which is 0 without findings. */
function main(name: string | undefined): number {
  const check = checks[name ?? ""];
  if (!check) {
    console.error(`usage: node checks/main.ts ${Object.keys(checks).join("|")}`);
    return 2;
  }
  const files = repositoryFiles(new URL("..", import.meta.url).pathname);
  const findings = check(files);
  for (const { path, line, rule } of findings) console.error(`${path}:${line} ${rule}`);
  console.log(
    `${name}: ${files.length} files, ${findings.length === 0 ? "nothing to fix" : `${findings.length} to fix`}`,
  );
  return findings.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv[2]);
