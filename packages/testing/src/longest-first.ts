import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/**
 * Returns a sequencer that runs these files first in their project. Vitest sorts by size where it knows no earlier run, and a
 * file that takes long at the end of a run keeps one worker busy while the other has nothing left.
 * @param isLong decides by the path of a file
 */
export function longestFirst(isLong: (path: string) => boolean): TestSequencerConstructor {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      const projects = Map.groupBy(sorted, ({ project }) => project);
      return [...projects.values()].flatMap((specs) => [
        ...specs.filter(({ moduleId }) => isLong(moduleId)),
        ...specs.filter(({ moduleId }) => !isLong(moduleId)),
      ]);
    }
  };
}
