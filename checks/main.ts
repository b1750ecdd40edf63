import { awaited, requirements } from "@kb/testing/requirements";
import { arrowFindings } from "./arrows.ts";
import { conventionFindings } from "./conventions.ts";
import { type Finding, repositoryFiles, type SourceFile } from "./repository.ts";
import { requirementFindings } from "./requirements.ts";

const checks: Readonly<Record<string, (files: readonly SourceFile[]) => Finding[]>> = {
  arrows: arrowFindings,
  conventions: conventionFindings,
  requirements: (files) => requirementFindings(files, { requirements, awaited }),
};

/** Runs one check over the repository that it stands in, prints what it finds, and fails if there is anything. */
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
    `${name}: ${files.length} files, ${findings.length === 0 ? "nothing to mend" : `${findings.length} to mend`}`,
  );
  return findings.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv[2]);
