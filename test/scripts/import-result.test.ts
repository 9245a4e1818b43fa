import { describe, expect, it } from "vitest";
import { formatImportResult } from "../../scripts/import/result.ts";
import type { BusinessSchemas } from "../../sdk/src/index.ts";

const resultWith = (
  rejected: BusinessSchemas["Import"]["rejected"],
): BusinessSchemas["Import"] => ({
  import_id: "imp_01",
  products_created: 4,
  products_updated: 1,
  products_unchanged: 0,
  variants: 11,
  rows: 13,
  rejected,
  rejected_total: rejected.length,
});

const rejectedRow = { row: 7, field: "Variant Price", message: "must be a decimal amount" };

describe("npm run import", () => {
  it("reports the numbers of rows, products and variants", () => {
    const text = formatImportResult(resultWith([]), { isDryRun: false });
    expect(text).toContain("Import imp_01");
    expect(text).toMatch(/rows +13\n/);
    expect(text).toMatch(/products created +4\n/);
    expect(text).toMatch(/rejected +0$/);
  });

  it("reports line, column and reason of a rejected row", () => {
    const text = formatImportResult(resultWith([rejectedRow]), {
      isDryRun: false,
    });
    expect(text).toMatch(/rejected +1\n/);
    expect(text).toMatch(/ 7 {2}Variant Price {2}must be a decimal amount$/);
  });

  it("says that a dry run wrote nothing", () => {
    const text = formatImportResult(resultWith([]), { isDryRun: true });
    expect(text).toContain("nothing was written");
  });
});
