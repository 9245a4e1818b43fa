import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Parts of the paths of slow files, in the order in which they should start. */
const slowestFiles = [
  "end-to-end/sale",
  "http/faults",
  "moves/",
  "http/growth",
  "http/foreign-identifiers",
  "http/fuzz",
  "checkout/faults/",
  "http/",
  "model/",
  "crashes",
  "business/import-files",
  "catalogue/schedules/in-schedule",
  "catalogue-locations",
];

/**
 * Runs slow files first, so that no worker waits for another at the end. Vitest does this by itself
 * only for files that it ran before.
 */
export class SlowestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: slownessRank(file) }));
    // A worker serves one project, so the files of a project stay together.
    const byProject = Map.groupBy(ranked, ({ file }) => file.project.name);
    return [...byProject.values()].flatMap((projectFiles) =>
      projectFiles.toSorted((a, b) => a.rank - b.rank).map(({ file }) => file),
    );
  }
}

function slownessRank({ moduleId }: TestSpecification): number {
  const rank = slowestFiles.findIndex((part) => moduleId.includes(`/${part}`));
  return rank < 0 ? slowestFiles.length : rank;
}
