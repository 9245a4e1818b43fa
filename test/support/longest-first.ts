import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest, in the order in which it is best begun. */
const longest = [
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
 * Runs long files first, so that at the end no worker waits for another: Vitest does so by itself
 * only where it has run them before.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rankOf(file) }));
    // A worker serves one project: those of one stay together.
    const byProject = Map.groupBy(ranked, ({ file }) => file.project.name);
    return [...byProject.values()].flatMap((ofProject) =>
      ofProject.toSorted((one, other) => one.rank - other.rank).map(({ file }) => file),
    );
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((part) => moduleId.includes(`/${part}`));
  return rank < 0 ? longest.length : rank;
}
