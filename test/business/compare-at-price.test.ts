import { describe, expect, it, vi } from "vitest";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows } from "../support/row-counts.ts";
import { type ApiClient, dataOf, roundTrips, shopper } from "../support/world.ts";
import { createShop, postProduct } from "./create-product.ts";
import { importFile } from "./product-files.ts";

const cup = { name: "Cup", default_price: "10", compare_at_price: "15" };
const sizes = {
  name: "Tea",
  default_price: "10",
  compare_at_price: "15",
  variant_axes: [{ name: "size", label: "Size", values: ["S", "M", "L"] }],
  variants: [
    { name: "Small", axis_values: { size: "S" } },
    { name: "Medium", axis_values: { size: "M" }, price_adjustment: "2" },
    { name: "Large", axis_values: { size: "L" }, price_adjustment: "4", compare_at_price: "30" },
  ],
};

const compareAtOf = (list: unknown) =>
  (list as { compare_at_price: unknown }[]).map(({ compare_at_price }) => compare_at_price);

describe("compare_at_price in the business API", () => {
  it("is null unless it is set, and is changed like other fields", async () => {
    const { ask } = await createShop();
    const { id, response } = await postProduct(ask, { name: "Cup", default_price: "10" });
    expect(valueAt(response, "data.compare_at_price")).toBeNull();
    const set = await ask("PATCH", `/products/${id}`, { body: { compare_at_price: 15.5 } });
    expect(valueAt(set, "data.compare_at_price")).toBe("15.50");
    const renamed = await ask("PATCH", `/products/${id}`, { body: { name: "Mug" } });
    expect(valueAt(renamed, "data.compare_at_price")).toBe("15.50");
    const unset = await ask("PATCH", `/products/${id}`, { body: { compare_at_price: null } });
    expect(valueAt(unset, "data.compare_at_price")).toBeNull();
    expect((await ask("GET", `/products/${id}`)).body).toEqual(unset.body);
  });

  it("is shown to the merchant as it was written, also when it is not above the price", async () => {
    const { ask } = await createShop();
    const { id, response } = await postProduct(ask, { ...sizes, compare_at_price: "1" });
    expect(dataOf(response)).toMatchObject({ compare_at_price: "1.00" });
    expect(compareAtOf(dataOf(response).variants)).toEqual([null, null, "30.00"]);
    const path = `/products/${id}/variants/${valueAt(response, "data.variants.0.id")}`;
    const patched = await ask("PATCH", path, { body: { compare_at_price: "0" } });
    expect(patched.body).toMatchObject(success({ name: "Small", compare_at_price: "0.00" }));
    const { variants } = dataOf(await ask("GET", `/products/${id}`));
    expect(compareAtOf(variants)).toEqual(["0.00", null, "30.00"]);
    const written = await ask("PATCH", `/products/${id}`, { body: { variants } });
    expect(valueAt(written, "data.variants")).toEqual(variants);
  });

  it.each([
    ["compare_at_price", { compare_at_price: "-1" }],
    ["compare_at_price", { compare_at_price: "1.234" }],
    ["compare_at_price", { compare_at_price: "cheap" }],
    ["variants.0.compare_at_price", { variants: [{ name: "Big", compare_at_price: "-0.01" }] }],
    ["variants.0.compare_at_price", { variants: [{ name: "Big", compare_at_price: "0.001" }] }],
  ])("rejects an invalid %s with its field", async (field, fields) => {
    const { shop, ask } = await createShop();
    const { id } = await postProduct(ask, cup);
    const before = await countBusinessRows(shop);
    for (const [method, path, body] of [
      ["POST", "/products", { ...cup, ...fields }],
      ["PATCH", `/products/${id}`, fields],
    ] as const) {
      const response = await ask(method, path, { body });
      expect(response.status, JSON.stringify(response.body)).toBe(400);
      expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    }
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("is a field of services, bundles and composites too", async () => {
    const { shop, ask } = await createShop();
    const { id } = await postProduct(ask, cup);
    const components = [{ name: "Cup", product_id: id }];
    const created = [
      await ask("POST", "/services", {
        body: {
          name: "Tasting",
          default_price: "10",
          compare_at_price: "15",
          duration_minutes: 30,
        },
      }),
      await ask("POST", "/bundles", {
        body: { name: "Set", default_price: "10", compare_at_price: "15", components },
      }),
      await ask("POST", "/composites", {
        body: {
          name: "Bowl",
          base_price: "10",
          compare_at_price: "15",
          groups: [{ name: "Base", components: [{ name: "Rice" }] }],
        },
      }),
    ];
    expect(created.map((response) => valueAt(response, "data.compare_at_price"))).toEqual([
      "15.00",
      "15.00",
      "15.00",
    ]);
    const services = await shopper(shop)("GET", "/scheduling/services");
    const bundles = await shopper(shop)("GET", "/catalogue/bundles");
    expect(compareAtOf(dataOf(services))).toEqual(["15.00"]);
    expect(compareAtOf(dataOf(bundles))).toEqual(["15.00"]);
  });
});

describe("compare_at_price in the storefront API", () => {
  it("is shown on the product and its list entry without another round trip", async () => {
    const { shop, ask } = await createShop();
    const { id } = await postProduct(ask, cup);
    await shopper(shop)("GET", "/catalogue/categories"); // looks up the key
    const list = await shopper(shop)("GET", "/catalogue/products?in_stock=true");
    expect(compareAtOf(dataOf(list).items)).toEqual(["15.00"]);
    expect(roundTrips(list).d1).toBe(1);
    const shown = await shopper(shop)("GET", `/catalogue/products/${id}`);
    expect(dataOf(shown)).toMatchObject({ default_price: "10.00", compare_at_price: "15.00" });
  });

  it.each(["10", "9.99", "0", null])(
    "is null for %s, which is not above the price",
    async (compare_at_price) => {
      const { shop, ask } = await createShop();
      const { id } = await postProduct(ask, { ...cup, compare_at_price });
      const call = shopper(shop);
      const list = await call("GET", "/catalogue/products");
      const shown = await call("GET", `/catalogue/products/${id}`);
      const added = await call("POST", "/cart/items", { body: { item_id: id } });
      expect(compareAtOf(dataOf(list).items)).toEqual([null]);
      expect(valueAt(shown, "data.compare_at_price")).toBeNull();
      expect(compareAtOf(dataOf(added).items)).toEqual([null]);
    },
  );

  it("is the variant's own, or the product's with the variant's price adjustment", async () => {
    const { shop, ask } = await createShop();
    const { id, response } = await postProduct(ask, sizes);
    const call = shopper(shop);
    const shown = await call("GET", `/catalogue/products/${id}`);
    expect(compareAtOf(dataOf(shown).variants)).toEqual(["15.00", "17.00", "30.00"]);
    const variants = await call("GET", `/catalogue/products/${id}/variants`);
    expect(dataOf(variants)).toEqual(dataOf(shown).variants);
    const found = await call("POST", `/catalogue/products/${id}/variants/find`, {
      body: { axis_selections: { size: "M" } },
    });
    expect(valueAt(found, "data.compare_at_price")).toBe("17.00");
    const path = `/products/${id}/variants/${valueAt(response, "data.variants.1.id")}`;
    await ask("PATCH", path, { body: { compare_at_price: "0" } });
    const without = await shopper(shop)("POST", `/catalogue/products/${id}/variants/find`, {
      body: { axis_selections: { size: "M" } },
    });
    expect(valueAt(without, "data.compare_at_price")).toBeNull();
  });

  it("is compared with the price of the location", async () => {
    const { shop, ask } = await createShop();
    const location_id = String(shop.business.locations[0]?.id);
    const { id, response } = await postProduct(ask, sizes);
    const variant_id = valueAt(response, "data.variants.1.id");
    await ask("PATCH", `/products/${id}`, {
      body: {
        price_overrides: [
          { location_id, price: "15" },
          { location_id, variant_id, price: "13" },
        ],
      },
    });
    const call = shopper(shop);
    const shown = await call("GET", `/catalogue/products/${id}?location_id=${location_id}`);
    expect(dataOf(shown)).toMatchObject({ default_price: "15.00", compare_at_price: null });
    expect(compareAtOf(dataOf(shown).variants)).toEqual([null, "17.00", "30.00"]);
    const list = await call("GET", `/catalogue/products?location_id=${location_id}`);
    expect(compareAtOf(dataOf(list).items)).toEqual([null]);
    const added = await call("POST", "/cart/items", {
      body: { item_id: id, variant_id, location_id },
    });
    expect(dataOf(added).items).toMatchObject([{ unit_price: "13.00", compare_at_price: "17.00" }]);
  });
});

describe("compare_at_price of a cart line", () => {
  const addLine = async (call: ApiClient, body: object) =>
    dataOf(await call("POST", "/cart/items", { body })).items.at(-1);

  it("has what options add to the price, and follows the catalogue at the next write", async () => {
    const { shop, ask } = await createShop();
    const add_ons = [{ name: "Milk", options: [{ name: "Oat", price: "0.50" }] }];
    const { id, response } = await postProduct(ask, { ...cup, add_ons });
    const call = shopper(shop);
    const option = valueAt(response, "data.add_ons.0.options.0.id");
    const line = await addLine(call, { item_id: id, add_on_options: [option] });
    expect(line).toMatchObject({ unit_price: "10.50", compare_at_price: "15.50" });
    await ask("PATCH", `/products/${id}`, { body: { compare_at_price: "12" } });
    vi.setSystemTime(Date.now() + 6_000); // the catalogue is cached for 5 seconds
    await addLine(call, { item_id: id });
    expect(compareAtOf(dataOf(await call("GET", "/cart")).items)).toEqual(["12.50", "12.00"]);
  });

  it("is the chosen or the default variant's", async () => {
    const { shop, ask } = await createShop();
    const { id, response } = await postProduct(ask, sizes);
    const call = shopper(shop);
    expect(await addLine(call, { item_id: id })).toMatchObject({ compare_at_price: "15.00" });
    const variant_id = valueAt(response, "data.variants.2.id");
    expect(await addLine(call, { item_id: id, variant_id })).toMatchObject({
      unit_price: "14.00",
      compare_at_price: "30.00",
    });
  });

  it("is null with a billing plan, whose price replaces the product's", async () => {
    const { shop, ask } = await createShop();
    const plan = await ask("POST", "/billing-plans", {
      body: { name: "Monthly", interval: "month", price: "9" },
    });
    const billing_plan_id = valueAt(plan, "data.id");
    const { id } = await postProduct(ask, { ...cup, billing_plan_ids: [billing_plan_id] });
    const line = await addLine(shopper(shop), { item_id: id, billing_plan_id });
    expect(line).toMatchObject({ unit_price: "9.00", compare_at_price: null });
  });

  it("is compared with the price that a quote locks", async () => {
    const { shop, ask } = await createShop();
    const { id } = await postProduct(ask, cup);
    const call = shopper(shop);
    const quote = await call("POST", "/catalogue/quotes", { body: { product_id: id } });
    const quote_id = valueAt(quote, "data.quote_id");
    expect(await addLine(call, { item_id: id, quote_id })).toMatchObject({
      unit_price: "10.00",
      compare_at_price: "15.00",
    });
  });
});

describe("Variant Compare At Price in a file", () => {
  const csv = (...rows: string[]) =>
    ["Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Compare At Price", ...rows]
      .map((row) => `${row}\n`)
      .join("");
  const importCsv = async (shop: Parameters<typeof importFile>[0], text: string) =>
    dataOf(await importFile(shop, text));

  it("becomes the compare_at_price of the product and of its variants", async () => {
    const { shop, ask } = await createShop();
    const text = csv(
      "mug,Mug,Title,Default Title,5,8.5",
      "tea,Tea,Size,S,10,15",
      "tea,,,M,12,",
      "tea,,,L,14,20",
    );
    expect(await importCsv(shop, text)).toMatchObject({ products_created: 2, rejected: [] });
    const { items } = dataOf(await ask("GET", "/products"));
    const [tea, mug] = [items, items].map((list, index) =>
      list.find(({ slug }: { slug: string }) => slug === ["tea", "mug"][index]),
    );
    expect(mug).toMatchObject({ default_price: "5.00", compare_at_price: "8.50" });
    expect(tea).toMatchObject({ default_price: "10.00", compare_at_price: "15.00" });
    const shown = await shopper(shop)("GET", `/catalogue/products/${tea.id}`);
    expect(compareAtOf(dataOf(shown).variants)).toEqual(["15.00", null, "20.00"]);
    expect(await importCsv(shop, text)).toMatchObject({ products_unchanged: 2 });
  });

  it("is exported with what a variant takes from its product, and changes nothing when imported", async () => {
    const { shop, ask } = await createShop();
    const { id } = await postProduct(ask, sizes);
    await postProduct(ask, cup);
    const before = dataOf(await ask("GET", `/products/${id}`));
    const file = await ask("GET", "/exports/products");
    const rows = String(file.body)
      .trim()
      .split("\r\n")
      .map((row) => row.split(","));
    const column = rows[0]?.indexOf("Variant Compare At Price") ?? -1;
    expect(rows.slice(1).map((row) => row[column])).toEqual(["15.00", "17.00", "30.00", "15.00"]);
    expect(await importCsv(shop, String(file.body))).toMatchObject({ products_unchanged: 2 });
    expect(dataOf(await ask("GET", `/products/${id}`))).toEqual(before);
  });

  it("replaces the stored prices where the file has others", async () => {
    const { shop, ask } = await createShop();
    const { id } = await postProduct(ask, sizes);
    const text = csv("tea,Tea,Size,S,10,", "tea,,,M,12,17", "tea,,,L,14,20");
    expect(await importCsv(shop, text)).toMatchObject({ products_updated: 1 });
    const shown = await shopper(shop)("GET", `/catalogue/products/${id}`);
    expect(compareAtOf(dataOf(shown).variants)).toEqual([null, "17.00", "20.00"]);
    expect(dataOf(shown)).toMatchObject({ compare_at_price: null });
  });
});
