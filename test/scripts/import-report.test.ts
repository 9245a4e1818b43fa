import { describe, expect, it } from "vitest";
import { importReport, parseImport } from "../../scripts/import/report.ts";

const answered = (rejected: readonly unknown[]) =>
  JSON.stringify({
    success: true,
    data: {
      import_id: "imp_01",
      products_created: 4,
      products_updated: 1,
      products_unchanged: 0,
      variants: 11,
      rows: 13,
      rejected,
      rejected_total: rejected.length,
    },
  });

const bad = { row: 7, field: "Variant Price", message: "must be a decimal amount" };

describe("npm run import", () => {
  it("tells how many rows, products and variants went in", () => {
    const report = importReport(parseImport(answered([])), { isDryRun: false });
    expect(report).toContain("Import imp_01");
    expect(report).toMatch(/rows +13\n/);
    expect(report).toMatch(/products created +4\n/);
    expect(report).toMatch(/rejected +0$/);
  });

  it("names the line, the column and the reason of a rejected row", () => {
    const report = importReport(parseImport(answered([bad])), { isDryRun: false });
    expect(report).toMatch(/rejected +1\n/);
    expect(report).toMatch(/ 7 {2}Variant Price {2}must be a decimal amount$/);
  });

  it("says that a dry run wrote nothing", () => {
    const report = importReport(parseImport(answered([])), { isDryRun: true });
    expect(report).toContain("nothing was written");
  });
});
