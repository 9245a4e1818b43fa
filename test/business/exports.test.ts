import { describe, expect, it } from "vitest";
import { exportProducts } from "../../shared/transfer/index.ts";
import { bakery } from "../catalogue/csv/support.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { call, contextFor, givenBusiness, merchant } from "../support/world.ts";
import { apparel, contentsOf, exported, fileOf, mugs, productRowsOf, sent } from "./files.ts";
import { givenKey, success } from "./given.ts";

describe("GET /v1/businesses/{business_id}/exports/products", () => {
  it("is a CSV to be saved, with a header even where there is nothing", async () => {
    const shop = await givenBusiness();
    const answer = await merchant(shop)("GET", "/exports/products");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="products.csv"');
    expect(String(answer.body).split(",")).toHaveLength(46);
    expect(answer.body).toMatch(/^Handle,.*Variant Tax Code\r\n$/);
  });

  it.each([
    ["the bakery", bakery],
    ["Shopify's own export", apparel],
  ])("of %s, imported, changes nothing when it is imported again", async (_, file = bakery) => {
    const shop = await givenBusiness({ currency: "EUR" });
    await sent(shop, file);
    const before = await contentsOf(shop);
    const text = await exported(shop);
    const answer = await sent(shop, text);
    expect(answer.body).toMatchObject(
      success({ products_created: 0, products_updated: 0, rejected: [] }),
    );
    expect(await contentsOf(shop)).toEqual(before);
    expect(await exported(shop)).toBe(text);
  });

  it("makes the same products elsewhere", async () => {
    const [shop, other] = [
      await givenBusiness({ currency: "EUR" }),
      await givenBusiness({ currency: "EUR" }),
    ];
    await sent(shop, bakery);
    await sent(other, await exported(shop));
    expect(await productRowsOf(other)).toEqual(await productRowsOf(shop));
    expect(await exported(other)).toBe(await exported(shop));
  });

  it.runIf(apparel)(
    "gives Shopify's own export back, apart from how amounts are written",
    async () => {
      const shop = await givenBusiness({ currency: "EUR" });
      await sent(shop, apparel ?? "");
      expect((await exported(shop)).trimEnd()).toBe(
        (apparel ?? "").trimEnd().replace(/(,manual,\d+),/g, "$1.00,"),
      );
    },
  );

  it("changes nothing of what was made by hand when it is imported again", async () => {
    const shop = await givenBusiness();
    const variant = {
      isDefault: false,
      isActive: true,
      durationMinutes: 30,
      bufferMinutes: null,
      capacity: null,
      axisValues: {},
      priceAdjustmentMinor: 0,
    };
    await givenProduct(shop, {
      name: "Named",
      variants: [
        { ...variant, name: "Short", sku: "N" },
        { ...variant, name: "Long", sku: null },
      ],
    });
    await givenProduct(shop, { name: "One", variants: [{ ...variant, name: "Only", sku: null }] });
    const whole = await givenProduct(shop, {
      name: "Whole",
      inventoryType: "tracked",
      variants: [
        { ...variant, name: "A", sku: null },
        { ...variant, name: "B", sku: null },
      ],
    });
    await givenStock(shop, whole, 9);
    await givenProduct(shop, {
      name: "Mug",
      tags: ["a, b", "c"],
      images: [
        { url: "https://cdn.test/1.png", isPrimary: false },
        { url: "https://cdn.test/2.png", isPrimary: true },
      ],
      inventoryType: "variant_level",
      variantAxes: [{ name: "vol", label: "Größe", values: ["S", "L"] }],
      variants: [
        {
          ...variant,
          name: "small",
          sku: "s",
          priceAdjustmentMinor: 250,
          axisValues: { vol: "S" },
        },
        {
          ...variant,
          name: "large",
          sku: "l",
          priceAdjustmentMinor: 300,
          axisValues: { vol: "L" },
          isDefault: true,
          isActive: false,
        },
      ],
    });
    await givenProduct(shop, { name: "Hidden", isActive: false });
    const before = await contentsOf(shop);
    const answer = await sent(shop, await exported(shop));
    expect(answer.body).toMatchObject(
      success({ products_unchanged: 5, products_updated: 0, rejected: [] }),
    );
    expect(await contentsOf(shop)).toEqual(before);
  });

  it("has columns for what only some files bring along", async () => {
    const shop = await givenBusiness();
    const file = "Handle,Title,Variant Price,Cost per item,Status\na,A,2.00,0.80,active\n";
    await sent(shop, file);
    const text = await exported(shop);
    expect(text.split("\r\n")[0]).toMatch(/,Variant Tax Code,Cost per item,Status$/);
    expect(text.split("\r\n")[1]).toMatch(/,0\.80,active$/);
    expect((await sent(shop, text)).body).toMatchObject(success({ products_unchanged: 1 }));
  });

  it("holds inactive products and what is on hand, archived ones and another business's not", async () => {
    const [shop, other] = [await givenBusiness(), await givenBusiness()];
    await sent(other, mugs("S,M-S,3,9.00"));
    await sent(
      shop,
      fileOf("off,Off,,false,,,,,1.00", "gone,Gone,,true,,,,,1.00", "tea,Tea,,true,,,,7,1.00"),
    );
    const [gone] = await rowsOf(
      shop,
      "select id from products where business_id = ? and slug = 'gone'",
      shop.business.id,
    );
    await merchant(shop)("DELETE", `/products/${gone?.id}`);
    await rowsOf(
      shop,
      "update stock_levels set quantity_reserved = 2 where business_id = ?",
      shop.business.id,
    );
    const lines = (await exported(shop)).trimEnd().split("\r\n").slice(1);
    expect(
      lines.map((line) => [line.split(",")[0], line.split(",")[6], line.split(",")[16]]),
    ).toEqual([
      ["off", "false", ""],
      ["tea", "true", "7"],
    ]);
  });

  it("reads page by page, each product once, in the order of the file", async () => {
    const shop = await givenBusiness();
    const slugs = Array.from({ length: 450 }, (_, at) => `p-${at}`);
    await sent(shop, fileOf(...slugs.map((slug, at) => `${slug},P,,${at % 3 > 0},,,,,1.00`)));
    const ctx = contextFor(shop);
    const pieces: string[] = [];
    for await (const piece of await exportProducts(ctx)) pieces.push(piece.split(",")[0] ?? "");
    expect(pieces).toEqual(["Handle", ...slugs]);
    expect(ctx.meter.d1).toBe(4);
  });

  it("refuses a key without the scope", async () => {
    const shop = await givenBusiness();
    const headers = { "X-API-Key": await givenKey(shop, { scopes: ["orders:read"] }) };
    expect((await merchant(shop)("GET", "/exports/products", { headers })).status).toBe(403);
  });

  it("stands in the OpenAPI document as a CSV, and the import as one or a form", async () => {
    const { body } = await call("GET", "/v1/businesses/openapi.json");
    const paths = Object(Reflect.get(Object(body), "paths"));
    const path = "/v1/businesses/{business_id}";
    expect(paths[`${path}/exports/products`].get.responses[200].content).toHaveProperty([
      "text/csv",
    ]);
    expect(Object.keys(paths[`${path}/imports`].post.requestBody.content)).toEqual([
      "text/csv",
      "multipart/form-data",
    ]);
  });
});
