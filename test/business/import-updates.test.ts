import { describe, expect, it, vi } from "vitest";
import { importProducts } from "../../shared/transfer/index.ts";
import { bytesOf, streamOf } from "../catalogue/csv/support.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, merchant } from "../support/world.ts";
import { contentsOf, counts, fileOf, mugs, productRowsOf, sent } from "./files.ts";
import { success } from "./given.ts";

const variantsOf = (shop: Parameters<typeof rowsOf>[0]) =>
  rowsOf(
    shop,
    `select id, name, archived_at is not null as gone from product_variants
     where business_id = ? order by rowid`,
    shop.business.id,
  );

describe("a product that is there already", () => {
  it("is changed where it differs, under the same ids, its other fields left alone", async () => {
    const shop = await givenBusiness();
    const mug = await givenProduct(shop, {
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
    const answer = await sent(shop, mugs("S,M-S,3,9.00", "XL,M-L,4,12.00"));
    expect(answer.body).toMatchObject(success({ ...counts(0, 1, 0), variants: 2 }));
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

  it("keeps how its price is split while every variant costs what it did", async () => {
    const shop = await givenBusiness();
    await sent(shop, mugs("S,M-S,3,9.00", "L,M-L,4,12.00"));
    await rowsOf(
      shop,
      `update products set default_price_minor = 1000 where business_id = ?`,
      shop.business.id,
    );
    await rowsOf(
      shop,
      `update product_variants set price_adjustment_minor = case sku when 'M-S' then -100 else 200 end
       where business_id = ?`,
      shop.business.id,
    );
    const again = await sent(shop, mugs("S,M-S,3,9.00", "L,M-L,4,12.00"));
    expect(again.body).toMatchObject(success(counts(0, 0, 1)));
  });

  it("loses the variants that the file no longer has", async () => {
    const shop = await givenBusiness();
    await sent(shop, mugs("S,M-S,3,9.00", "L,M-L,4,12.00"));
    const answer = await sent(shop, mugs("L,M-L,4,12.00"));
    expect(answer.body).toMatchObject(success({ ...counts(0, 1, 0), variants: 1 }));
    expect(await variantsOf(shop)).toMatchObject([
      { name: "S", gone: 1 },
      { name: "L", gone: 0 },
    ]);
    expect(await productRowsOf(shop)).toMatchObject([
      { default_price_minor: 1200, price_adjustment_minor: 0 },
    ]);
  });

  it("keeps them, at their prices, when one of its rows could not be read", async () => {
    const shop = await givenBusiness();
    await sent(shop, mugs("S,M-S,3,9.00", "L,M-L,4,12.00"));
    const answer = await sent(shop, mugs("L,M-L,4,15.00", "S,M-S,3,free"));
    expect(answer.body).toMatchObject(success({ ...counts(0, 1, 0), rejected: [{ row: 3 }] }));
    expect(await productRowsOf(shop)).toMatchObject([
      { default_price_minor: 1500, variant: "L", price_adjustment_minor: 0 },
      { variant: "S", price_adjustment_minor: -600, quantity_on_hand: 3 },
    ]);
  });

  it("has its stock set without its catalogue's version being raised", async () => {
    const shop = await givenBusiness();
    await sent(shop, mugs("S,M-S,30,9.00", "L,M-L,40,12.00"));
    const before = await contentsOf(shop);
    const answer = await sent(shop, mugs("S,M-S,31,9.00", "L,M-L,,12.00"));
    expect(answer.body).toMatchObject(success(counts(0, 1, 0)));
    const after = await contentsOf(shop);
    expect(after.products).toEqual(before.products);
    expect(after.catalogue_versions).toEqual(before.catalogue_versions);
    expect((await productRowsOf(shop)).map((row) => row.quantity_on_hand)).toEqual([31, 40]);
    const ledger = await rowsOf(
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

  it("stays as it is, reported, when orders hold more than the quantity given; the rest goes in", async () => {
    const shop = await givenBusiness();
    await sent(shop, mugs("S,M-S,30,9.00", "L,M-L,40,12.00"));
    await rowsOf(
      shop,
      "update stock_levels set quantity_reserved = 5 where business_id = ?",
      shop.business.id,
    );
    const file = `${mugs("S,M-S,4,10.00", "L,M-L,40,12.00")}jug,Jug,,true,,,J,1,20.00\n`;
    const answer = await sent(shop, file);
    expect(answer.body).toMatchObject(
      success({
        ...counts(1, 0, 0),
        rejected: [
          {
            row: 2,
            field: "Variant Inventory Qty",
            message: "S: orders hold 5, more than the 4 given",
          },
        ],
      }),
    );
    expect(await productRowsOf(shop)).toMatchObject([
      { slug: "mug", default_price_minor: 900, quantity_on_hand: 30 },
      { slug: "mug", quantity_on_hand: 40 },
      { slug: "jug", quantity_on_hand: 1 },
    ]);
  });

  it("stays as it is as well when an order comes while the file is read", async () => {
    const shop = await givenBusiness();
    await sent(shop, mugs("S,M-S,30,9.00"));
    const ctx = contextFor(shop);
    const batch = ctx.db.batch.bind(ctx.db);
    vi.spyOn(ctx.db, "batch").mockImplementationOnce(async (statements) => {
      const read = await batch(statements);
      const order = "update stock_levels set quantity_reserved = 5 where business_id = ?";
      await rowsOf(shop, order, shop.business.id);
      return read;
    });
    const file = streamOf([bytesOf(mugs("S,M-S,4,10.00"))]);
    const result = await importProducts(ctx, file, { isDryRun: false });
    expect(result).toMatchObject({ rejectedTotal: 1, productsUpdated: 0 });
    expect(await productRowsOf(shop)).toMatchObject([
      { default_price_minor: 900, quantity_on_hand: 30 },
    ]);
  });

  it("takes a change that came while the file was read into account", async () => {
    const shop = await givenBusiness();
    await sent(shop, mugs("S,M-S,30,9.00"));
    const ctx = contextFor(shop);
    const batch = ctx.db.batch.bind(ctx.db);
    vi.spyOn(ctx.db, "batch").mockImplementationOnce(async (statements) => {
      const read = await batch(statements);
      const [mug] = await rowsOf(
        shop,
        "select id from products where business_id = ?",
        shop.business.id,
      );
      await merchant(shop)("PATCH", `/products/${mug?.id}`, { body: { default_price: "8.00" } });
      return read;
    });
    const file = streamOf([bytesOf(mugs("S,M-S,30,8.00"))]);
    expect(await importProducts(ctx, file, { isDryRun: false })).toMatchObject({
      productsUnchanged: 1,
    });
  });

  it("is not counted without a quantity, unless it was", async () => {
    const shop = await givenBusiness();
    const tea = await givenProduct(shop, { slug: "tea", inventoryType: "tracked" });
    await givenStock(shop, tea, 8);
    await sent(shop, fileOf("tea,Tea,,true,,,,,10.00", "jug,Jug,,true,,,,,20.00"));
    expect(await productRowsOf(shop)).toMatchObject([
      { slug: "tea", inventory_type: "tracked", quantity_on_hand: 8 },
      { slug: "jug", inventory_type: "none", quantity_on_hand: null },
    ]);
  });

  it("tells once of stock that falls below its threshold", async () => {
    const shop = await givenBusiness();
    await sent(shop, mugs("S,M-S,30,9.00"));
    expect(await eventsOf(shop)).toEqual([]);
    await sent(shop, mugs("S,M-S,2,9.00"));
    await sent(shop, mugs("S,M-S,1,9.00"));
    expect(await eventsOf(shop)).toEqual(["inventory.low_stock"]);
  });
});
