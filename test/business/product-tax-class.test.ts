import { describe, expect, it } from "vitest";
import { success, valueAt } from "../support/responses.ts";
import { countBusinessRows } from "../support/row-counts.ts";
import {
  type ApiClient,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { createShop, postProduct } from "./create-product.ts";
import { exportFile, importCounts, importFile, productCsv } from "./product-files.ts";

const tea = { name: "Tea", default_price: "9" };

const postClass = (ask: ApiClient, code = "reduced") =>
  ask("POST", "/tax/classes", { body: { code, name: code } });

/** A file of products without options: each row is `handle,title` with the class of the product. */
const classCsv = (...rows: string[]): string =>
  ["Handle,Title,Tax Class,Variant Price", ...rows.map((row) => `${row},9.00`), ""].join("\n");

describe("a product's tax_class", () => {
  it("is standard unless it is set, and shoppers see it", async () => {
    const { shop, ask } = await createShop();
    await postClass(ask);
    const { id, response } = await postProduct(ask, tea);
    expect(valueAt(response, "data.tax_class")).toBe("standard");
    const changed = await ask("PATCH", `/products/${id}`, { body: { tax_class: "reduced" } });
    expect(valueAt(changed, "data.tax_class")).toBe("reduced");
    expect(roundTrips(changed).d1).toBe(2);
    const renamed = await ask("PATCH", `/products/${id}`, { body: { name: "Green tea" } });
    expect(valueAt(renamed, "data.tax_class")).toBe("reduced");
    const detail = await shopper(shop)("GET", `/catalogue/products/${id}`);
    expect(detail.body).toMatchObject(success({ tax_class: "reduced" }));
    const bundle = {
      ...{ name: "Set", tax_class: "reduced", pricing: { type: "fixed", value: "5" } },
      components: [{ name: "Tea", product_id: id }],
    };
    const { product_id } = dataOf(await ask("POST", "/bundles", { body: bundle }));
    const ofBundle = await ask("GET", `/products/${product_id}`);
    expect(valueAt(ofBundle, "data.tax_class")).toBe("reduced");
  });

  it("must be a class of the business; any other is rejected and stores nothing", async () => {
    const { shop, ask } = await createShop();
    await postClass(merchant(await createBusinessOnSameShard(shop)), "foreign");
    await postClass(ask, "archived");
    await ask("DELETE", "/tax/classes/archived");
    const { id } = await postProduct(ask, tea);
    const before = await countBusinessRows(shop);
    for (const tax_class of ["unknown", "foreign", "archived"])
      for (const response of [
        await ask("POST", "/products", { body: { ...tea, tax_class } }),
        await ask("PATCH", `/products/${id}`, { body: { tax_class } }),
      ])
        expect(response).toMatchObject({
          status: 400,
          body: { error: { code: "VALIDATION_ERROR", context: { field: "tax_class" } } },
        });
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("keeps the class until no product has it", async () => {
    const { ask } = await createShop();
    await postClass(ask);
    const { id } = await postProduct(ask, { ...tea, tax_class: "reduced", is_active: false });
    const refused = await ask("DELETE", "/tax/classes/reduced");
    expect(valueAt(refused, "error.context.rule")).toBe("INVALID_STATE");
    await ask("DELETE", `/products/${id}`);
    expect((await ask("DELETE", "/tax/classes/reduced")).status).toBe(200);
  });

  it("is never an archived class, also when both calls run at once", async () => {
    const { ask } = await createShop();
    await postClass(ask);
    const [created, archived] = await Promise.all([
      ask("POST", "/products", { body: { ...tea, tax_class: "reduced" } }),
      ask("DELETE", "/tax/classes/reduced"),
    ]);
    expect([
      [201, 422],
      [400, 200],
    ]).toContainEqual([created.status, archived.status]);
  });
});

describe("the tax class in files", () => {
  it("is imported and exported, and importing an export changes nothing", async () => {
    const { shop, ask } = await createShop();
    await postClass(ask);
    const created = await importFile(shop, classCsv("tea,Tea,reduced", "mug,Mug,"));
    expect(created.body).toMatchObject(success(importCounts(2, 0, 0)));
    const file = await exportFile(shop);
    expect(file.split("\n")[0]).toContain(",Tax Class");
    expect((await importFile(shop, file)).body).toMatchObject(success(importCounts(0, 0, 2)));
    const blank = await importFile(shop, classCsv("tea,Tea,", "mug,Mug,Reduced"));
    expect(blank.body).toMatchObject(success(importCounts(0, 1, 1)));
    const { items } = dataOf(await ask("GET", "/products"));
    expect(items).toMatchObject([{ tax_class: "reduced" }, { tax_class: "reduced" }]);
    await importFile(shop, classCsv("tea,Tea,standard", "mug,Mug,standard"));
    expect((await exportFile(shop)).split("\n")[0]).not.toContain("Tax Class");
  });

  it("rejects the product when the class is unknown", async () => {
    const { shop, ask } = await createShop();
    await importFile(shop, productCsv("mug,Mug,,true,,,,,9.00"));
    const response = await importFile(shop, classCsv("tea,Tea,unknown", "mug,Cup,unknown"));
    expect(response.body).toMatchObject(
      success({
        ...importCounts(0, 0, 0),
        rejected: [2, 3].map((row) => ({
          row,
          field: "Tax Class",
          message: "no such tax class: unknown",
        })),
      }),
    );
    expect(dataOf(await ask("GET", "/products")).items).toMatchObject([{ name: "Mug" }]);
  });
});
