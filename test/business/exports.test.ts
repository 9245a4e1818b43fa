import { describe, expect, it } from "vitest";
import { exportProducts } from "../../shared/transfer/index.ts";
import { createKey } from "../support/create-key.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { success } from "../support/responses.ts";
import { selectRows } from "../support/select-rows.ts";
import { call, contextFor, createBusiness, merchant } from "../support/world.ts";
import { bakery } from "../transfer/csv/support.ts";
import {
  apparel,
  exportFile,
  importFile,
  mugCsv,
  productCsv,
  selectImportedTables,
  selectProductRows,
} from "./product-files.ts";

describe("GET /v1/businesses/{business_id}/exports/products", () => {
  it("responds with a CSV attachment, with a header even without products", async () => {
    const shop = await createBusiness();
    const response = await merchant(shop)("GET", "/exports/products");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="products.csv"');
    expect(String(response.body).split(",")).toHaveLength(46);
    expect(response.body).toMatch(/^Handle,.*Variant Tax Code\r\n$/);
  });

  it.each([
    ["the bakery", bakery],
    ["Shopify's own export", apparel],
  ])("exports a file that changes nothing when imported again: %s", async (_, file = bakery) => {
    const shop = await createBusiness({ currency: "EUR" });
    await importFile(shop, file);
    const before = await selectImportedTables(shop);
    const text = await exportFile(shop);
    const response = await importFile(shop, text);
    expect(response.body).toMatchObject(
      success({ products_created: 0, products_updated: 0, rejected: [] }),
    );
    expect(await selectImportedTables(shop)).toEqual(before);
    expect(await exportFile(shop)).toBe(text);
  });

  it("contains no cell that a spreadsheet evaluates, and imports as the same texts", async () => {
    const [shop, other] = [await createBusiness(), await createBusiness()];
    const texts = ['=HYPERLINK("https://evil.example","Pay")', "'=quoted", "+1 a", "-2", "@SUM(1)"];
    for (const name of texts) await createProduct(shop, { name, description: `\t${name}` });
    const text = await exportFile(shop);
    for (const cell of [
      `"'=HYPERLINK(""https`,
      "''=quoted",
      "'+1 a",
      ",-2,",
      "'@SUM(1)",
      "'\t=H",
    ]) {
      expect(text).toContain(cell);
    }
    expect((await importFile(shop, text)).body).toMatchObject(
      success({ products_unchanged: texts.length, products_updated: 0, rejected: [] }),
    );
    await importFile(other, text);
    const query = "select name, description from products where business_id = ? order by name";
    expect(await selectRows(other, query, other.business.id)).toEqual(
      texts.toSorted().map((name) => ({ name, description: `\t${name}` })),
    );
  });

  it("exports a file that creates the same products in another business", async () => {
    const [shop, other] = [
      await createBusiness({ currency: "EUR" }),
      await createBusiness({ currency: "EUR" }),
    ];
    await importFile(shop, bakery);
    await importFile(other, await exportFile(shop));
    expect(await selectProductRows(other)).toEqual(await selectProductRows(shop));
    expect(await exportFile(other)).toBe(await exportFile(shop));
  });

  it.runIf(apparel)("reproduces a Shopify export, apart from the format of amounts", async () => {
    const shop = await createBusiness({ currency: "EUR" });
    await importFile(shop, apparel ?? "");
    expect((await exportFile(shop)).trimEnd()).toBe(
      (apparel ?? "").trimEnd().replace(/(,manual,\d+),/g, "$1.00,"),
    );
  });

  it("exports products created by the API so that importing them changes nothing", async () => {
    const shop = await createBusiness();
    const variant = {
      isDefault: false,
      isActive: true,
      durationMinutes: 30,
      bufferMinutes: null,
      capacity: null,
      axisValues: {},
      priceAdjustmentMinor: 0,
    };
    await createProduct(shop, {
      name: "Named",
      variants: [
        { ...variant, name: "Short", sku: "N" },
        { ...variant, name: "Long", sku: null },
      ],
    });
    await createProduct(shop, { name: "One", variants: [{ ...variant, name: "Only", sku: null }] });
    const whole = await createProduct(shop, {
      name: "Whole",
      inventoryType: "tracked",
      variants: [
        { ...variant, name: "A", sku: null },
        { ...variant, name: "B", sku: null },
      ],
    });
    await setStock(shop, whole, 9);
    await createProduct(shop, {
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
    await createProduct(shop, { name: "Hidden", isActive: false });
    const before = await selectImportedTables(shop);
    const response = await importFile(shop, await exportFile(shop));
    expect(response.body).toMatchObject(
      success({ products_unchanged: 5, products_updated: 0, rejected: [] }),
    );
    expect(await selectImportedTables(shop)).toEqual(before);
  });

  it("exports columns that only some imported files had", async () => {
    const shop = await createBusiness();
    const file = "Handle,Title,Variant Price,Cost per item,Status\na,A,2.00,0.80,active\n";
    await importFile(shop, file);
    const text = await exportFile(shop);
    expect(text.split("\r\n")[0]).toMatch(/,Variant Tax Code,Cost per item,Status$/);
    expect(text.split("\r\n")[1]).toMatch(/,0\.80,active$/);
    expect((await importFile(shop, text)).body).toMatchObject(success({ products_unchanged: 1 }));
  });

  it("exports inactive products and quantities on hand, without archived products and other businesses", async () => {
    const [shop, other] = [await createBusiness(), await createBusiness()];
    await importFile(other, mugCsv("S,M-S,3,9.00"));
    await importFile(
      shop,
      productCsv("off,Off,,false,,,,,1.00", "gone,Gone,,true,,,,,1.00", "tea,Tea,,true,,,,7,1.00"),
    );
    const [gone] = await selectRows(
      shop,
      "select id from products where business_id = ? and slug = 'gone'",
      shop.business.id,
    );
    await merchant(shop)("DELETE", `/products/${gone?.id}`);
    await selectRows(
      shop,
      "update stock_levels set quantity_reserved = 2 where business_id = ?",
      shop.business.id,
    );
    const lines = (await exportFile(shop)).trimEnd().split("\r\n").slice(1);
    expect(
      lines.map((line) => [line.split(",")[0], line.split(",")[6], line.split(",")[16]]),
    ).toEqual([
      ["off", "false", ""],
      ["tea", "true", "7"],
    ]);
  });

  it("reads page by page and exports each product once, in the order of the file", async () => {
    const shop = await createBusiness();
    const slugs = Array.from({ length: 450 }, (_, at) => `p-${at}`);
    await importFile(
      shop,
      productCsv(...slugs.map((slug, at) => `${slug},P,,${at % 3 > 0},,,,,1.00`)),
    );
    const ctx = contextFor(shop);
    const cells: string[] = [];
    for await (const chunk of await exportProducts(ctx)) cells.push(chunk.split(",")[0] ?? "");
    expect(cells).toEqual(["Handle", ...slugs]);
    expect(ctx.meter.d1).toBe(4);
  });

  it("rejects a key without the scope", async () => {
    const shop = await createBusiness();
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["orders:read"] }) };
    expect((await merchant(shop)("GET", "/exports/products", { headers })).status).toBe(403);
  });

  it("is documented in OpenAPI as a CSV, and the import as a CSV or a form", async () => {
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
