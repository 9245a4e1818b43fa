import { describe, expect, it } from "vitest";
import { success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import { createBusiness, merchant, shopper } from "../support/world.ts";
import { bakery, bakeryWithMistakes } from "../transfer/csv/support.ts";
import {
  apparel,
  importCounts,
  importFile,
  mugCsv,
  productCsv,
  selectImportedTables,
  selectImports,
  selectProductRows,
} from "./product-files.ts";

describe("POST /v1/businesses/{business_id}/imports", () => {
  it("imports products with variants, tags, images and stock", async () => {
    const shop = await createBusiness({ currency: "EUR" });
    const response = await importFile(shop, bakery);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    expect(response.body).toEqual(
      success({
        import_id: expect.stringMatching(/^imp_/),
        ...importCounts(8, 0, 0),
        variants: expect.any(Number),
        rows: expect.any(Number),
        rejected: [],
        rejected_total: 0,
      }),
    );
    const rows = await selectProductRows(shop);
    expect(rows.filter(({ variant }) => variant !== null)).toHaveLength(
      Number(valueAt(response, "data.variants")),
    );
    expect(rows.slice(0, 4)).toMatchObject([
      { slug: "seeded-rye", inventory_type: "tracked", variant: null, quantity_on_hand: 24 },
      { slug: "butter-croissant", inventory_type: "variant_level", quantity_on_hand: 40 },
      { slug: "butter-croissant", quantity_on_hand: 12 },
      { slug: "butter-croissant", quantity_on_hand: 0 },
    ]);
    expect(await selectImports(shop)).toMatchObject([
      { id: valueAt(response, "data.import_id"), is_dry_run: 0, finished_at: expect.any(Number) },
    ]);
    expect(await listAuditActions(shop)).toEqual(["products.imported"]);
    expect(await countBusinessRows(shop)).toMatchObject({ products: 8, version: 1 });
  });

  it("changes nothing when the same file is imported twice", async () => {
    const shop = await createBusiness({ currency: "EUR" });
    const first = await importFile(shop, bakery);
    const before = await selectImportedTables(shop);
    const response = await importFile(shop, bakery);
    expect(response.body).toMatchObject(
      success({
        ...importCounts(0, 0, 8),
        variants: valueAt(first, "data.variants"),
        rejected: [],
      }),
    );
    expect(await selectImportedTables(shop)).toEqual(before);
    expect(await selectImports(shop)).toHaveLength(2);
  });

  it("reports bad rows by line and column and imports the others; a repeat changes nothing", async () => {
    const shop = await createBusiness({ currency: "EUR" });
    const response = await importFile(shop, bakeryWithMistakes);
    expect(response.body).toMatchObject(
      success({ ...importCounts(3, 0, 0), rows: 21, rejected_total: 15 }),
    );
    expect(valueAt(response, "data.rejected.0")).toEqual({
      row: 4,
      field: "Variant Price",
      message: "must be an amount of at least 0, such as 12.50",
    });
    const before = await selectImportedTables(shop);
    expect((await importFile(shop, bakeryWithMistakes)).body).toMatchObject(
      success(importCounts(0, 0, 3)),
    );
    expect(await selectImportedTables(shop)).toEqual(before);
  });

  it.runIf(apparel)("imports a Shopify export", async () => {
    const shop = await createBusiness({ currency: "EUR" });
    const first = await importFile(shop, apparel ?? "");
    expect(first.body).toMatchObject(
      success({ ...importCounts(20, 0, 0), rows: 22, rejected: [] }),
    );
    const before = await selectImportedTables(shop);
    expect((await importFile(shop, apparel ?? "")).body).toMatchObject(
      success(importCounts(0, 0, 20)),
    );
    expect(await selectImportedTables(shop)).toEqual(before);
  });

  it("reports the same counts for a dry run and stores only that it ran", async () => {
    const shop = await createBusiness({ currency: "EUR" });
    const before = await selectImportedTables(shop);
    const dry = await importFile(shop, bakeryWithMistakes, "?dry_run=true");
    expect(await selectImportedTables(shop)).toEqual(before);
    expect(await selectImports(shop)).toMatchObject([
      { is_dry_run: 1, finished_at: expect.any(Number) },
    ]);
    const real = await importFile(shop, bakeryWithMistakes);
    expect({ ...Object(valueAt(dry, "data")), import_id: "" }).toEqual({
      ...Object(valueAt(real, "data")),
      import_id: "",
    });
  });

  it("shows imported products in the storefront, without unpublished ones", async () => {
    const shop = await createBusiness();
    await importFile(
      shop,
      productCsv(
        'tea,Green Tea,"hot, green",true,Title,Default Title,T-1,7,4.50',
        "mug,Mug,,true,Size,Small,M-S,3,9.00",
        "mug,,,,,Large,M-L,0,11.00",
        "plan,Plan,,false,Title,Default Title,,,1.00",
      ),
    );
    const ask = shopper(shop);
    const list = await ask("GET", "/catalogue/products");
    expect(valueAt(list, "data.items")).toMatchObject([{ slug: "mug" }, { slug: "tea" }]);
    const mug = await ask("GET", `/catalogue/products/${valueAt(list, "data.items.0.id")}`);
    expect(mug.body).toMatchObject(
      success({
        name: "Mug",
        default_price: "9.00",
        variant_axes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
        variants: [
          { name: "Small", sku: "M-S", price_adjustment: "0.00", is_default: true },
          { name: "Large", price_adjustment: "2.00", axis_values: { size: "Large" } },
        ],
      }),
    );
    const tea = await ask("GET", `/catalogue/products/${valueAt(list, "data.items.1.id")}`);
    expect(tea.body).toMatchObject(success({ tags: ["hot", "green"], variants: [] }));
  });

  it("does not touch another business", async () => {
    const [shop, other] = [await createBusiness(), await createBusiness()];
    await importFile(other, mugCsv("S,M-S,3,9.00"));
    const before = await selectImportedTables(other);
    await importFile(shop, mugCsv("S,M-S,8,12.00", "L,M-L,8,12.00"));
    expect(await selectImportedTables(other)).toEqual(before);
    expect(await selectProductRows(shop)).toHaveLength(2);
    const response = await merchant({ ...shop, business: other.business })("POST", "/imports", {
      rawBody: mugCsv("S,,1,1.00"),
      headers: { "Content-Type": "text/csv" },
    });
    expect(response.status).toBe(403);
    expect(await selectImportedTables(other)).toEqual(before);
  });
});

describe("POST /v1/businesses/{business_id}/imports, as a form", () => {
  it("imports the form's file", async () => {
    const shop = await createBusiness({ currency: "EUR" });
    const data = new FormData();
    data.append("note", "the bakery's");
    data.append("file", new File([bakery], "products.csv", { type: "text/csv" }));
    const response = await merchant(shop)("POST", "/imports", { rawBody: data });
    expect(response.body).toMatchObject(success(importCounts(8, 0, 0)));
  });
});

describe("POST /v1/businesses/{business_id}/imports, with an Idempotency-Key", () => {
  it("repeats the response without importing again", async () => {
    const shop = await createBusiness();
    const ask = () =>
      merchant(shop)("POST", "/imports", {
        rawBody: mugCsv("S,M-S,3,9.00"),
        headers: { "Content-Type": "text/csv", "Idempotency-Key": "one" },
      });
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await selectImports(shop)).toHaveLength(1);
  });
});
