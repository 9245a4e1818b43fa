import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvCell, formatCsvLine, textOfCsvCell } from "../../../shared/kernel/index.ts";
import { exportColumns, standardColumns } from "../../../shared/transfer/csv/columns.ts";
import type { CsvProduct, ImportedProduct } from "../../../shared/transfer/csv/csv-product.ts";
import { productRows, writeProducts } from "../../../shared/transfer/csv/write-products.ts";
import { bakery, productsIn, readText } from "./support.ts";

const catalogues: Record<string, string> = import.meta.glob("../../../../shared/catalogues/*.csv", {
  query: "?raw",
  import: "default",
  eager: true,
});
const apparel = Object.entries(catalogues).find(([path]) => path.endsWith("/apparel.csv"))?.[1];

async function toCsv(products: readonly CsvProduct[], columns = standardColumns): Promise<string> {
  let text = "";
  for await (const chunk of writeProducts(products, { currency: "EUR", columns })) text += chunk;
  return text;
}

const withoutRow = ({ firstRow: _, ...product }: ImportedProduct): CsvProduct => product;
const readProducts = async (text: string) => productsIn(await readText(text)).map(withoutRow);

describe("writeProducts", () => {
  it("writes products that read back unchanged", async () => {
    const products = await readProducts(bakery);
    expect(products).toHaveLength(8);
    const text = await toCsv(products);
    expect(await readProducts(text)).toEqual(products);
    expect(await toCsv(await readProducts(text))).toBe(text);
  });

  it("keeps every row, apart from the format of amounts and booleans", async () => {
    const [original = ""] = bakery.split("oat-biscuits");
    const [text = ""] = (await toCsv(await readProducts(bakery))).split("oat-biscuits");
    expect(text.split(/\r?\n/)).toEqual(
      original.replace(",56,", ",56.00,").replace("TRUE", "true").split(/\r?\n/),
    );
  });

  it.runIf(apparel)(
    "reproduces a Shopify export byte for byte, apart from the format of amounts",
    async () => {
      const original = apparel ?? "";
      const products = await readProducts(original);
      expect(products).toHaveLength(20);
      expect((await toCsv(products)).trimEnd()).toBe(
        original.trimEnd().replace(/(,manual,\d+),/g, "$1.00,"),
      );
    },
  );

  it("writes columns beyond the standard ones", async () => {
    const text =
      "Handle,Title,Variant Price,Cost per item,Included / Iceland,Status\na,A,2.00,0.80,true,active\n";
    const products = await readProducts(text);
    expect(products).toMatchObject([
      {
        unmappedColumns: { "Included / Iceland": "true", Status: "active" },
        variants: [{ unmappedColumns: { "Cost per item": "0.80" } }],
      },
    ]);
    const columns = exportColumns(["Status", "Included / Iceland", "Cost per item", "Vendor"]);
    expect(columns.slice(standardColumns.length)).toEqual([
      "Cost per item",
      "Included / Iceland",
      "Status",
    ]);
    expect(await readProducts(await toCsv(products, columns))).toEqual(products);
  });

  it("overrides an imported draft status for a product that is published now", async () => {
    const [product] = await readProducts("Handle,Title,Variant Price,Status\na,A,2.00,draft\n");
    const columns = exportColumns(["Status"]);
    const published = product ? [{ ...product, isPublished: true }] : [];
    expect(await readProducts(await toCsv(published, columns))).toMatchObject([
      { isPublished: true },
    ]);
  });

  it("keeps a variant tracked that has no quantity", async () => {
    const products = await readProducts("Handle,Title,Variant Price\na,A,2.00\n");
    const counted = products.map((product) => ({
      ...product,
      variants: product.variants.map((variant) => ({ ...variant, tracksInventory: true })),
    }));
    expect(await readProducts(await toCsv(counted))).toMatchObject([
      { variants: [{ tracksInventory: true }] },
    ]);
  });

  it("writes one row per variant or image, whichever are more, and the product's fields once", async () => {
    const [rye] = await readProducts(bakery);
    const rows = rye ? productRows(rye, { currency: "EUR" }) : [];
    expect(rows.map(([handle, title]) => [handle, title])).toEqual([
      ["seeded-rye", "Seeded Rye"],
      ["seeded-rye", ""],
      ["seeded-rye", ""],
    ]);
  });

  it("writes no cell that a spreadsheet evaluates, neither in the header nor in a product", async () => {
    const text = `Handle,Title,Variant Price,=Origin,Note\n-rye,"=HYPERLINK(""x"")",2.00,+A1,@SUM(1)\n`;
    const products = await readProducts(text);
    expect(products).toMatchObject([
      { handle: "-rye", title: '=HYPERLINK("x")', unmappedColumns: { "=Origin": "+A1" } },
    ]);
    const columns = exportColumns(["=Origin", "Note"]);
    const written = await toCsv(products, columns);
    expect(written.split("\r\n")[0]).toMatch(/,'=Origin,Note$/);
    for (const cell of ["'-rye", `"'=HYPERLINK(""x"")"`, "'+A1", "'@SUM(1)"]) {
      expect(written).toContain(cell);
    }
    expect(await readProducts(written)).toEqual(products);
  });

  it("quotes only the cells that need it and marks formulas", () => {
    expect(
      formatCsvLine(["a", 'b"c', "d,e", "f\ng", "h\ri", " j ", "=1,1", "-1.25", "k;=1", ""]),
    ).toBe(`a,"b""c","d,e","f\ng","h\ri", j ,"'=1,1",-1.25,"k;=1",\r\n`);
  });
});

const formulaText = fc.string({
  unit: fc.constantFrom(..."'=+-@\t\r\n 1.a\",\uff1d"),
  maxLength: 8,
});
const anyText = fc.oneof(formulaText, fc.string({ unit: "grapheme" }));
const runs = { seed: 20261123, numRuns: 2_000 };

describe("cells", () => {
  it("read back as the text they were written from", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(textOfCsvCell(csvCell(text))).toBe(text);
      }),
      runs,
    );
  });

  it("never begin like a formula, apart from plain numbers", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = csvCell(text);
        expect(/^\s*[=+\-@\t\r]/.test(cell) && !/^[+-]\d+(\.\d+)?$/.test(cell)).toBe(false);
      }),
      runs,
    );
  });

  it("keep any text of a product through an export and an import", async () => {
    const [rye] = await readProducts(bakery);
    const title = anyText.filter((text) => text.trim() !== "" && !/[\r\n\p{Cc}]/u.test(text));
    await fc.assert(
      fc.asyncProperty(title, async (text) => {
        const products = rye ? [{ ...rye, title: text, description: text }] : [];
        expect(await readProducts(await toCsv(products))).toEqual(products);
      }),
      { ...runs, numRuns: 200 },
    );
  });

  it.each(["'quoted'", "'90s", "''", "'-1.25", "it's = good", "-5", "=1+1", "+233241234567"])(
    "read %j from the file of another shop unchanged",
    (text) => {
      expect(textOfCsvCell(text)).toBe(text);
    },
  );
});
