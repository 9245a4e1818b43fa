import { describe, expect, it, vi } from "vitest";
import { importProducts } from "../../shared/transfer/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { success } from "../support/responses.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, merchant } from "../support/world.ts";
import { createStream, encode } from "../transfer/csv/support.ts";
import {
  importCounts,
  importFile,
  mugCsv,
  productCsv,
  selectImportedTables,
  selectProductRows,
} from "./product-files.ts";

const selectVariants = (shop: Parameters<typeof selectRows>[0]) =>
  selectRows(
    shop,
    `select id, name, archived_at is not null as gone from product_variants
     where business_id = ? order by rowid`,
    shop.business.id,
  );

describe("importing an existing product", () => {
  it("changes what differs and keeps its ids and other fields", async () => {
    const shop = await createBusiness();
    const mug = await createProduct(shop, {
      name: "Mug",
      slug: "mug",
      isFeatured: true,
      taxonomyId: "ware",
      properties: { clay: "red" },
      inventoryType: "variant_level",
      addOns: [{ name: "Box", selectionType: "single", isRequired: false, options: [] }],
      variantAxes: [{ name: "volume", label: "Size", values: ["S", "L"] }],
      variants: ["S", "L"].map((volume) => ({
        name: `Mug ${volume}`,
        priceAdjustmentMinor: volume === "S" ? -100 : 100,
        isDefault: volume === "L",
        isActive: true,
        sku: `M-${volume}`,
        axisValues: { volume },
        durationMinutes: null,
        bufferMinutes: null,
        capacity: null,
      })),
    });
    const response = await importFile(shop, mugCsv("S,M-S,3,9.00", "XL,M-L,4,12.00"));
    expect(response.body).toMatchObject(success({ ...importCounts(0, 1, 0), variants: 2 }));
    const after = await merchant(shop)("GET", `/products/${mug.id}`);
    expect(after.body).toMatchObject(
      success({
        featured: true,
        taxonomy_id: "ware",
        properties: { clay: "red" },
        default_price: "9.00",
        add_ons: [{ id: mug.addOns[0]?.id }],
        variant_axes: [{ name: "volume", label: "Size", values: ["S", "XL"] }],
        variants: [
          { id: mug.variants[0]?.id, name: "Mug S", price_adjustment: "0.00", is_default: false },
          {
            id: mug.variants[1]?.id,
            name: "XL",
            price_adjustment: "3.00",
            is_default: true,
            axis_values: { volume: "XL" },
          },
        ],
      }),
    );
  });

  it("keeps the default price when no variant's price changes", async () => {
    const shop = await createBusiness();
    await importFile(shop, mugCsv("S,M-S,3,9.00", "L,M-L,4,12.00"));
    await selectRows(
      shop,
      `update products set default_price_minor = 1000 where business_id = ?`,
      shop.business.id,
    );
    await selectRows(
      shop,
      `update product_variants set price_adjustment_minor = case sku when 'M-S' then -100 else 200 end
       where business_id = ?`,
      shop.business.id,
    );
    const again = await importFile(shop, mugCsv("S,M-S,3,9.00", "L,M-L,4,12.00"));
    expect(again.body).toMatchObject(success(importCounts(0, 0, 1)));
  });

  it("archives variants that the file no longer has", async () => {
    const shop = await createBusiness();
    await importFile(shop, mugCsv("S,M-S,3,9.00", "L,M-L,4,12.00"));
    const response = await importFile(shop, mugCsv("L,M-L,4,12.00"));
    expect(response.body).toMatchObject(success({ ...importCounts(0, 1, 0), variants: 1 }));
    expect(await selectVariants(shop)).toMatchObject([
      { name: "S", gone: 1 },
      { name: "L", gone: 0 },
    ]);
    expect(await selectProductRows(shop)).toMatchObject([
      { default_price_minor: 1200, price_adjustment_minor: 0 },
    ]);
  });

  it("keeps them at their prices when one of the product's rows could not be read", async () => {
    const shop = await createBusiness();
    await importFile(shop, mugCsv("S,M-S,3,9.00", "L,M-L,4,12.00"));
    const response = await importFile(shop, mugCsv("L,M-L,4,15.00", "S,M-S,3,free"));
    expect(response.body).toMatchObject(
      success({ ...importCounts(0, 1, 0), rejected: [{ row: 3 }] }),
    );
    expect(await selectProductRows(shop)).toMatchObject([
      { default_price_minor: 1500, variant: "L", price_adjustment_minor: 0 },
      { variant: "S", price_adjustment_minor: -600, quantity_on_hand: 3 },
    ]);
  });

  it("sets stock without raising the catalogue's version", async () => {
    const shop = await createBusiness();
    await importFile(shop, mugCsv("S,M-S,30,9.00", "L,M-L,40,12.00"));
    const before = await selectImportedTables(shop);
    const response = await importFile(shop, mugCsv("S,M-S,31,9.00", "L,M-L,,12.00"));
    expect(response.body).toMatchObject(success(importCounts(0, 1, 0)));
    const after = await selectImportedTables(shop);
    expect(after.products).toEqual(before.products);
    expect(after.catalogue_versions).toEqual(before.catalogue_versions);
    expect((await selectProductRows(shop)).map((row) => row.quantity_on_hand)).toEqual([31, 40]);
    const ledger = await selectRows(
      shop,
      "select on_hand_delta, reason from stock_movements where business_id = ? order by id",
      shop.business.id,
    );
    expect(ledger).toEqual([
      { on_hand_delta: 30, reason: "import" },
      { on_hand_delta: 40, reason: "import" },
      { on_hand_delta: 1, reason: "import" },
    ]);
  });

  it("rejects a quantity below what orders reserve and imports the other products", async () => {
    const shop = await createBusiness();
    await importFile(shop, mugCsv("S,M-S,30,9.00", "L,M-L,40,12.00"));
    await selectRows(
      shop,
      "update stock_levels set quantity_reserved = 5 where business_id = ?",
      shop.business.id,
    );
    const file = `${mugCsv("S,M-S,4,10.00", "L,M-L,40,12.00")}jug,Jug,,true,,,J,1,20.00\n`;
    const response = await importFile(shop, file);
    expect(response.body).toMatchObject(
      success({
        ...importCounts(1, 0, 0),
        rejected: [
          {
            row: 2,
            field: "Variant Inventory Qty",
            message: "S: orders hold 5, more than the 4 given",
          },
        ],
      }),
    );
    expect(await selectProductRows(shop)).toMatchObject([
      { slug: "mug", default_price_minor: 900, quantity_on_hand: 30 },
      { slug: "mug", quantity_on_hand: 40 },
      { slug: "jug", quantity_on_hand: 1 },
    ]);
  });

  it("rejects such a quantity also when the order is placed during the import", async () => {
    const shop = await createBusiness();
    await importFile(shop, mugCsv("S,M-S,30,9.00"));
    const ctx = contextFor(shop);
    const batch = ctx.db.batch.bind(ctx.db);
    vi.spyOn(ctx.db, "batch").mockImplementationOnce(async (statements) => {
      const read = await batch(statements);
      const order = "update stock_levels set quantity_reserved = 5 where business_id = ?";
      await selectRows(shop, order, shop.business.id);
      return read;
    });
    const file = createStream([encode(mugCsv("S,M-S,4,10.00"))]);
    const result = await importProducts(ctx, file, { isDryRun: false });
    expect(result).toMatchObject({ rejectedTotal: 1, productsUpdated: 0 });
    expect(await selectProductRows(shop)).toMatchObject([
      { default_price_minor: 900, quantity_on_hand: 30 },
    ]);
  });

  it("merges a change that is made during the import", async () => {
    const shop = await createBusiness();
    await importFile(shop, mugCsv("S,M-S,30,9.00"));
    const ctx = contextFor(shop);
    const batch = ctx.db.batch.bind(ctx.db);
    vi.spyOn(ctx.db, "batch").mockImplementationOnce(async (statements) => {
      const read = await batch(statements);
      const [mug] = await selectRows(
        shop,
        "select id from products where business_id = ?",
        shop.business.id,
      );
      await merchant(shop)("PATCH", `/products/${mug?.id}`, { body: { default_price: "8.00" } });
      return read;
    });
    const file = createStream([encode(mugCsv("S,M-S,30,8.00"))]);
    expect(await importProducts(ctx, file, { isDryRun: false })).toMatchObject({
      productsUnchanged: 1,
    });
  });

  it("does not start to track stock without a quantity", async () => {
    const shop = await createBusiness();
    const tea = await createProduct(shop, { slug: "tea", inventoryType: "tracked" });
    await setStock(shop, tea, 8);
    await importFile(shop, productCsv("tea,Tea,,true,,,,,10.00", "jug,Jug,,true,,,,,20.00"));
    expect(await selectProductRows(shop)).toMatchObject([
      { slug: "tea", inventory_type: "tracked", quantity_on_hand: 8 },
      { slug: "jug", inventory_type: "none", quantity_on_hand: null },
    ]);
  });

  it("emits low stock once when stock falls below its threshold", async () => {
    const shop = await createBusiness();
    await importFile(shop, mugCsv("S,M-S,30,9.00"));
    expect(await listOutboxEventTypes(shop)).toEqual([]);
    await importFile(shop, mugCsv("S,M-S,2,9.00"));
    await importFile(shop, mugCsv("S,M-S,1,9.00"));
    expect(await listOutboxEventTypes(shop)).toEqual(["inventory.low_stock"]);
  });
});
