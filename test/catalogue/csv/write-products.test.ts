import { describe, expect, it } from "vitest";
import { exportColumns, standardColumns } from "../../../shared/catalogue/csv/columns.ts";
import type {
  ExportedProduct,
  ImportedProduct,
} from "../../../shared/catalogue/csv/imported-product.ts";
import {
  csvLine,
  productRows,
  writeProducts,
} from "../../../shared/catalogue/csv/write-products.ts";
import { bakery, draftsOf, readText } from "./support.ts";

const catalogues: Record<string, string> = import.meta.glob("../../../../shared/catalogues/*.csv", {
  query: "?raw",
  import: "default",
  eager: true,
});
const apparel = Object.entries(catalogues).find(([path]) => path.endsWith("/apparel.csv"))?.[1];

async function written(
  products: readonly ExportedProduct[],
  columns = standardColumns,
): Promise<string> {
  let text = "";
  for await (const piece of writeProducts(products, { currency: "EUR", columns })) text += piece;
  return text;
}

const withoutRow = ({ firstRow: _, ...product }: ImportedProduct): ExportedProduct => product;
const products = async (text: string) => draftsOf(await readText(text)).map(withoutRow);

describe("writing a product CSV", () => {
  it("gives back, when it is read, what was written", async () => {
    const drafts = await products(bakery);
    expect(drafts).toHaveLength(8);
    const text = await written(drafts);
    expect(await products(text)).toEqual(drafts);
    expect(await written(await products(text))).toBe(text);
  });

  it("keeps every row, apart from how an amount and true are written", async () => {
    const [original = ""] = bakery.split("oat-biscuits");
    const [text = ""] = (await written(await products(bakery))).split("oat-biscuits");
    expect(text.split(/\r?\n/)).toEqual(
      original.replace(",56,", ",56.00,").replace("TRUE", "true").split(/\r?\n/),
    );
  });

  it.runIf(apparel)(
    "gives an export of Shopify's own back byte for byte, apart from how an amount is written",
    async () => {
      const original = apparel ?? "";
      const drafts = await products(original);
      expect(drafts).toHaveLength(20);
      expect((await written(drafts)).trimEnd()).toBe(
        original.trimEnd().replace(/(,manual,\d+),/g, "$1.00,"),
      );
    },
  );

  it("has room for columns beyond the standard", async () => {
    const text =
      "Handle,Title,Variant Price,Cost per item,Included / Iceland,Status\na,A,2.00,0.80,true,active\n";
    const drafts = await products(text);
    expect(drafts).toMatchObject([
      {
        extra: { "Included / Iceland": "true", Status: "active" },
        variants: [{ extra: { "Cost per item": "0.80" } }],
      },
    ]);
    const columns = exportColumns(["Status", "Included / Iceland", "Cost per item", "Vendor"]);
    expect(columns.slice(standardColumns.length)).toEqual([
      "Cost per item",
      "Included / Iceland",
      "Status",
    ]);
    expect(await products(await written(drafts, columns))).toEqual(drafts);
  });

  it("publishes what was a draft when it was imported and is published now", async () => {
    const [draft] = await products("Handle,Title,Variant Price,Status\na,A,2.00,draft\n");
    const columns = exportColumns(["Status"]);
    const published = draft ? [{ ...draft, isPublished: true }] : [];
    expect(await products(await written(published, columns))).toMatchObject([
      { isPublished: true },
    ]);
  });

  it("keeps that a variant without a quantity is counted", async () => {
    const drafts = await products("Handle,Title,Variant Price\na,A,2.00\n");
    const counted = drafts.map((draft) => ({
      ...draft,
      variants: draft.variants.map((variant) => ({ ...variant, tracksInventory: true })),
    }));
    expect(await products(await written(counted))).toMatchObject([
      { variants: [{ tracksInventory: true }] },
    ]);
  });

  it("writes a row per variant or image, whichever are more, and the product's fields once", async () => {
    const [rye] = await products(bakery);
    const rows = rye ? productRows(rye, { currency: "EUR" }) : [];
    expect(rows.map(([handle, title]) => [handle, title])).toEqual([
      ["seeded-rye", "Seeded Rye"],
      ["seeded-rye", ""],
      ["seeded-rye", ""],
    ]);
  });

  it("quotes what needs it and leaves the rest, formulas included", () => {
    expect(csvLine(["a", 'b"c', "d,e", "f\ng", "h\ri", " j ", "=1+1", ""])).toBe(
      'a,"b""c","d,e","f\ng","h\ri", j ,=1+1,\r\n',
    );
  });
});
