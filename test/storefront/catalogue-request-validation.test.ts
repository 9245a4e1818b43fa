import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { valueAt } from "../support/responses.ts";
import { call, createBusiness, merchant, shopper } from "../support/world.ts";

const start = Date.parse("2030-05-01T12:00:00Z");

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let sell: ReturnType<typeof merchant>;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  ask = shopper(shop);
  sell = merchant(shop);
});

describe("a slug of the maximum length", () => {
  const slug = "s".repeat(200);

  it("finds its product at every endpoint that accepts a slug", async () => {
    const body = { name: "Tea", slug, default_price: "1.00", variants: [{ name: "Small" }] };
    const made = await sell("POST", "/products", { body });
    const variantId = String(valueAt(made, "data.variants.0.id"));
    const locationId = shop.business.locations[0]?.id;
    for (const row of [
      "",
      "/schedules",
      `/available-now?location_id=${locationId}`,
      "/billing-plans/eligible",
      "/variants",
      "/variant-axes",
      `/variants/${variantId}`,
    ]) {
      expect(await ask("GET", `/catalogue/products/${slug}${row}`), row).toMatchObject({
        status: 200,
      });
    }
    const none = { axis_selections: { size: "S" } };
    expect(
      await ask("POST", `/catalogue/products/${slug}/variants/find`, { body: none }),
    ).toMatchObject({ status: 404, body: { error: { message: "No such variant." } } });
  });

  it("finds its collection, its products and its attributes", async () => {
    await sell("POST", "/collections", { body: { name: "Teas", slug, product_ids: [] } });
    for (const row of ["", "/products", "/attributes"]) {
      expect(await ask("GET", `/catalogue/collections/${slug}${row}`), row).toMatchObject({
        status: 200,
      });
    }
  });
});

describe("a refusal", () => {
  const issuesOf = async (method: string, path: string, body?: object) => {
    const answer = await ask(method, path, body && { body });
    expect(answer.status).toBe(400);
    return valueAt(answer, "error.context.issues");
  };

  it.each([
    ["/catalogue/products?limit=abc", "limit"],
    ["/catalogue/categories/cat_x/products?offset=abc", "offset"],
    ["/catalogue/collections/col_x/products?limit=1.5", "limit"],
    ["/catalogue/collections/col_x/products?page=one", "page"],
  ])("of %s names only the invalid number", async (path, field) => {
    expect(await issuesOf("GET", path)).toEqual([{ field, message: "must be a whole number" }]);
  });

  it("says that a missing field is required", async () => {
    const required = (field: string) => ({ field, message: "is required" });
    expect(await issuesOf("POST", "/cart/items", {})).toEqual([required("item_id")]);
    expect(await issuesOf("GET", "/inventory/products/prod_x/availability")).toEqual([
      required("quantity"),
    ]);
    const deal = await sell("POST", "/deals", { body: {} });
    expect(valueAt(deal, "error.context.issues")).toEqual(["name", "discount_type"].map(required));
  });

  it.each([
    ["item_id", 5, "must be a string"],
    ["item_id", "", "must not be empty"],
    ["item_id", "x".repeat(129), "must have at most 128 characters"],
    ["quantity", "2", "must be a number"],
    ["quantity", 1.5, "must be a whole number"],
    ["quantity", 0, "must be at least 1"],
    ["quantity", 101, "must be at most 100"],
  ])("says of a wrong %s (%j) what it must be", async (field, value, message) => {
    const body = { item_id: "prod_x", [field]: value };
    expect(await issuesOf("POST", "/cart/items", body)).toEqual([{ field, message }]);
  });

  it("lists the values that a field may have", async () => {
    const body = { cart_id: "cart_x", payment_method: "cash", order_type: "drone" };
    expect(await issuesOf("POST", "/checkout", body)).toEqual([
      { field: "order_type", message: expect.stringMatching(/^must be one of delivery, pickup, /) },
    ]);
  });

  it("describes the format of an amount", async () => {
    const message = "must be a decimal amount such as 12.50";
    for (const order_subtotal of [null, true, "a lot", undefined]) {
      const body = { discount_code: "TEN", order_subtotal };
      expect(await issuesOf("POST", "/catalogue/deals/validate", body)).toEqual([
        { field: "order_subtotal", message },
      ]);
    }
  });

  it("names the body if it is too long", async () => {
    const answer = await ask("POST", "/cart/items", { body: { item_id: "x".repeat(1024 * 1024) } });
    expect(answer).toMatchObject({
      status: 413,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "body" } } },
    });
  });
});

describe("an archived location", () => {
  it("is not found by a cached read, in any encoding of the parameter", async () => {
    const made = await sell("POST", "/locations", { body: { name: "Osu" } });
    const id = String(valueAt(made, "data.id"));
    const product = await sell("POST", "/products", { body: { name: "Tea", default_price: "1" } });
    const paths = ["products", `products/${valueAt(product, "data.id")}`, "collections"].flatMap(
      (path) => [`/catalogue/${path}?location_id=${id}`, `/catalogue/${path}?location%5Fid=${id}`],
    );
    const statuses = () =>
      Promise.all(
        paths.map(
          async (path) =>
            (
              await call("GET", `/api/v1${path}`, {
                headers: { "X-Public-Key": shop.keys.publishable },
              })
            ).status,
        ),
      );
    vi.setSystemTime(start + 6_000); // keys and their business are cached for 5 s
    expect(await statuses()).toEqual(paths.map(() => 200));
    await sell("DELETE", `/locations/${id}`);
    vi.setSystemTime(start + 12_000);
    await statuses();
    vi.setSystemTime(start + 18_000);
    await ask("GET", "/catalogue/categories"); // loads the catalogue's version again
    expect(await statuses()).toEqual(paths.map(() => 404));
  });
});
