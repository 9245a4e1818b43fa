import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { withBindings } from "../support/bindings.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const size = (name: string, priceAdjustmentMinor: number, isActive = true) => ({
  name,
  priceAdjustmentMinor,
  isActive,
  isDefault: false,
  sku: null,
  axisValues: {},
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
});

const listEntries = async (query = "") =>
  dataOf(await ask("GET", `/catalogue/products${query}`)).items;

describe("the price range of a product", () => {
  it("covers its active variants, and is its own price without variants", async () => {
    await createProduct(shop, {
      name: "Shirt",
      variants: [size("S", -250), size("L", 300), size("XXL", 900, false)],
    });
    await createProduct(shop, { name: "Tea" });
    const byName = "?sort_by=name&sort_order=asc";
    const expected = [
      { name: "Shirt", default_price: "10.00", price_range: { min: "7.50", max: "13.00" } },
      { name: "Tea", default_price: "10.00", price_range: { min: "10.00", max: "10.00" } },
    ];
    expect(await listEntries(byName)).toMatchObject(expected);
    for (const entry of await listEntries(byName)) {
      const detail = dataOf(await ask("GET", `/catalogue/products/${entry.id}`));
      expect(detail.price_range).toEqual(entry.price_range);
    }
  });

  it("is never below zero", async () => {
    await createProduct(shop, { variants: [size("Free", -2_000)] });
    expect(await listEntries()).toMatchObject([{ price_range: { min: "0.00", max: "0.00" } }]);
  });

  it("has the prices of the requested location", async () => {
    const { id } = await createProduct(shop, { variants: [size("S", 0), size("L", 300)] });
    const locationId = shop.business.locations[0]?.id ?? "";
    const { variants } = dataOf(await ask("GET", `/catalogue/products/${id}`));
    await merchant(shop)("PATCH", `/products/${id}`, {
      body: {
        price_overrides: [
          { location_id: locationId, variant_id: null, price: "20" },
          { location_id: locationId, variant_id: variants[1].id, price: "21.50" },
        ],
      },
    });
    const at = `?location_id=${locationId}`;
    const price_range = { min: "20.00", max: "21.50" };
    expect(await listEntries(at)).toMatchObject([{ price_range }]);
    expect(dataOf(await ask("GET", `/catalogue/products/${id}${at}`))).toMatchObject({
      price_range,
    });
    expect(await listEntries()).toMatchObject([{ price_range: { min: "10.00", max: "13.00" } }]);
  });
});

describe("in_stock", () => {
  it("says whether a unit is left, in every list and in the detail", async () => {
    const counted = await createProduct(shop, { name: "Cup", inventoryType: "tracked" });
    const collection = dataOf(
      await merchant(shop)("POST", "/collections", {
        body: { name: "Picks", product_ids: [counted.id] },
      }),
    );
    const paths = ["/catalogue/products", `/catalogue/collections/${collection.id}/products`];
    for (const path of paths) {
      expect(dataOf(await ask("GET", path)).items).toMatchObject([{ in_stock: false }]);
    }
    const detail = `/catalogue/products/${counted.id}`;
    expect(dataOf(await ask("GET", detail))).toMatchObject({ in_stock: false });
    await setStock(shop, counted, 1);
    vi.setSystemTime(Date.now() + 5_000);
    for (const path of paths) {
      expect(dataOf(await ask("GET", path)).items).toMatchObject([{ in_stock: true }]);
    }
    expect(dataOf(await ask("GET", detail))).toMatchObject({ in_stock: true });
  });

  it("is true for products whose stock is not counted", async () => {
    await createProduct(shop);
    expect(await listEntries()).toMatchObject([{ in_stock: true }]);
  });

  it("counts the requested location only", async () => {
    const product = await createProduct(shop, { inventoryType: "tracked" });
    await setStock(shop, product, 3);
    const other = dataOf(await merchant(shop)("POST", "/locations", { body: { name: "Kumasi" } }));
    expect(await listEntries()).toMatchObject([{ in_stock: true }]);
    const empty = `?location_id=${other.id}`;
    expect(await listEntries(empty)).toMatchObject([{ in_stock: false }]);
    expect(dataOf(await ask("GET", `/catalogue/products/${product.id}${empty}`))).toMatchObject({
      in_stock: false,
    });
  });
});

describe("an image that is a path of this service", () => {
  const images = [{ url: "/cdn/assets/a/b.png", isPrimary: true }];

  it("has the address under which the caller reached the service", async () => {
    const { id } = await createProduct(shop, { images });
    for (const host of ["duka.test", "other.test"]) {
      const url = `https://${host}/cdn/assets/a/b.png`;
      const entries = await ask("GET", "/catalogue/products", { host });
      expect(dataOf(entries).items).toMatchObject([{ image_url: url }]);
      expect(dataOf(await ask("GET", `/catalogue/products/${id}`, { host }))).toMatchObject({
        image_url: url,
        images: [{ url }],
      });
    }
  });

  it("has the deployment's own address of files where there is one", async () => {
    await createProduct(shop, { images });
    const fetch = withBindings({ CDN_URL: "https://files.test/" });
    const { items } = dataOf(await ask("GET", "/catalogue/products", { fetch }));
    expect(items).toMatchObject([{ image_url: "https://files.test/assets/a/b.png" }]);
  });

  it("is returned to its merchant as it was written", async () => {
    const { id } = await createProduct(shop, { images });
    expect(dataOf(await merchant(shop)("GET", `/products/${id}`))).toMatchObject({
      image_url: "/cdn/assets/a/b.png",
      images: [{ url: "/cdn/assets/a/b.png" }],
    });
  });
});
