import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiClient,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { createShop, postProduct } from "./create-product.ts";

let shop: CreatedBusiness;
let ask: ApiClient;
let id: string;
/** The product before the call, with a small variant and a large one, which is the default. */
let tea: Record<string, unknown>;
let paths: Readonly<{ small: string; large: string; oat: string; first: string; second: string }>;

beforeEach(async () => {
  ({ shop, ask } = await createShop());
  const { id: productId } = await postProduct(ask);
  const withOptions = await ask("PATCH", `/products/${productId}`, {
    body: {
      add_ons: [{ name: "Milk", options: [{ name: "Oat", price: "0.50" }, { name: "Soy" }] }],
    },
  });
  id = productId;
  tea = dataOf(withOptions);
  const idAt = (path: string) => String(valueAt(withOptions, path));
  paths = {
    small: `/products/${id}/variants/${idAt("data.variants.0.id")}`,
    large: `/products/${id}/variants/${idAt("data.variants.1.id")}`,
    oat: `/products/${id}/add-ons/${idAt("data.add_ons.0.id")}/options/${idAt("data.add_ons.0.options.0.id")}`,
    first: `/products/${id}/images/${idAt("data.images.0.id")}`,
    second: `/products/${id}/images/${idAt("data.images.1.id")}`,
  };
});

const readProduct = async () => dataOf(await ask("GET", `/products/${id}`));
const namesOf = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);

describe("one part of a product", () => {
  it("is read as it is in the product", async () => {
    const response = await ask("GET", `/products/${id}`);
    const expected = {
      small: valueAt(response, "data.variants.0"),
      oat: valueAt(response, "data.add_ons.0.options.0"),
      first: valueAt(response, "data.images.0"),
    };
    for (const part of ["small", "oat", "first"] as const) {
      const read = await ask("GET", paths[part]);
      expect(read.body).toEqual(success(expected[part]));
      expect(roundTrips(read).d1).toBe(1);
    }
  });

  it.each([
    ["small", { price_adjustment: "2.5" }, { price_adjustment: "2.50" }],
    ["small", { sku: null, is_active: false }, { sku: null, is_active: false }],
    ["large", { name: "Huge", duration_minutes: 30 }, { name: "Huge", duration_minutes: 30 }],
    ["oat", { price: "0.75" }, { price: "0.75" }],
    ["oat", { name: "Oats" }, { name: "Oats" }],
    ["first", { url: "/cdn/c.png" }, { url: "/cdn/c.png" }],
    ["second", { is_primary: false }, { is_primary: false }],
    ["first", {}, {}],
  ] as const)("of kind %s changes only the fields of %j", async (part, body, fields) => {
    const before = dataOf(await ask("GET", paths[part]));
    const changed = await ask("PATCH", paths[part], { body });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body).toEqual(success({ ...before, ...fields }));
    expect(roundTrips(changed).d1).toBe(2);
    const product = await readProduct();
    const text = JSON.stringify(product).replace(
      JSON.stringify(dataOf(changed)),
      JSON.stringify(before),
    );
    expect({ ...JSON.parse(text), image_url: null, price_range: null }).toEqual({
      ...tea,
      image_url: null,
      price_range: null,
    });
  });

  it.each([
    ["small", { price_adjustment: "1" }],
    ["oat", { price: "1" }],
    ["first", { url: "/cdn/c.png" }],
  ] as const)(
    "of kind %s raises the version and is audited as a change of the product",
    async (part, body) => {
      const { version } = await countBusinessRows(shop);
      await ask("PATCH", paths[part], { body });
      await ask("DELETE", paths[part]);
      expect((await countBusinessRows(shop)).version).toBe(Number(version) + 2);
      expect((await listAuditActions(shop)).slice(-2)).toEqual([
        "product.updated",
        "product.updated",
      ]);
    },
  );

  it("is shown to shoppers as changed", async () => {
    await ask("PATCH", paths.small, { body: { price_adjustment: "3" } });
    await ask("PATCH", paths.first, { body: { is_primary: true } });
    const shown = await shopper(shop)("GET", `/catalogue/products/${id}`);
    expect(dataOf(shown)).toMatchObject({
      price_range: { min: "11.25", max: "15.50" },
      image_url: "https://cdn.test/a.png",
    });
  });

  it("keeps both of two changes that arrive at the same time", async () => {
    const changes = await Promise.all([
      ask("PATCH", paths.small, { body: { name: "Tiny" } }),
      ask("PATCH", paths.large, { body: { name: "Huge" } }),
      ask("PATCH", paths.oat, { body: { name: "Oats" } }),
    ]);
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { variants, add_ons } = await readProduct();
    expect(namesOf(variants)).toEqual(["Tiny", "Huge"]);
    expect(namesOf(add_ons[0].options)).toEqual(["Oats", "Soy"]);
  });

  it("accepts a record that is written back as it was read", async () => {
    for (const part of Object.values(paths)) {
      const read = await ask("GET", part);
      const written = await ask("PATCH", part, { body: dataOf(read) });
      expect(written.body).toEqual(read.body);
    }
  });

  it.each([
    ["small", "price_adjustment", { price_adjustment: "1.234" }],
    ["small", "axis_values.size", { axis_values: { size: "M" } }],
    ["small", "axis_values.colour", { axis_values: { size: "S", colour: "red" } }],
    ["small", "axis_values", { axis_values: { size: "L" } }],
    ["small", "name", { name: " " }],
    ["small", "capacity", { capacity: 0 }],
    ["small", "price", { price: "1" }],
    ["small", "id", { id: "var_other" }],
    ["oat", "price", { price: "-1" }],
    ["oat", "name", { name: null }],
    ["first", "url", { url: "javascript:alert(1)" }],
    ["first", "alt_text", { alt_text: "Tea" }],
  ] as const)("of kind %s rejects an invalid %s with its field", async (part, field, body) => {
    const response = await ask("PATCH", paths[part], { body });
    expect(response.status, JSON.stringify(response.body)).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await readProduct()).toEqual(tea);
  });

  it("of another product, of another business or of an archived product is 404", async () => {
    const { id: otherId } = await postProduct(ask, { name: "Cup", default_price: "1" });
    const other = merchant(await createBusinessOnSameShard(shop));
    const partsOf = (productId: string) =>
      Object.values(paths).map((path) => path.replace(id, productId));
    const assertNotFound = async (caller: ApiClient, partPaths: readonly string[]) => {
      for (const path of partPaths)
        for (const method of ["GET", "PATCH", "DELETE"]) {
          const response = await caller(method, path, method === "PATCH" ? { body: {} } : {});
          expect(response.status, `${method} ${path}`).toBe(404);
          expect(response.body).toMatchObject(refusal("NOT_FOUND"));
        }
    };
    await assertNotFound(ask, partsOf(otherId));
    await assertNotFound(other, partsOf(id));
    expect(await readProduct()).toEqual(tea);
    await ask("DELETE", `/products/${id}`);
    await assertNotFound(ask, partsOf(id));
  });

  it("needs the scope of the catalogue", async () => {
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["catalogue:read"] }) };
    expect((await ask("GET", paths.small, { headers })).status).toBe(200);
    for (const method of ["PATCH", "DELETE"])
      expect((await ask(method, paths.small, { headers, body: {} })).status).toBe(403);
  });
});

describe("DELETE of one part of a product", () => {
  it("removes a variant with its price at a location and archives its row", async () => {
    const location_id = String(shop.business.locations[0]?.id);
    const variant_id = paths.small.split("/").at(-1);
    const price_overrides = [{ location_id, variant_id, price: "9" }];
    await ask("PATCH", `/products/${id}`, { body: { price_overrides } });
    const before = await ask("GET", paths.small);
    const removed = await ask("DELETE", paths.small);
    expect(removed.body).toEqual(before.body);
    expect(roundTrips(removed).d1).toBe(2);
    const product = await readProduct();
    expect(namesOf(product.variants)).toEqual(["Large"]);
    expect(product.price_overrides).toEqual([]);
    expect(
      await selectRows(
        shop,
        "select name from product_variants where product_id = ? and archived_at is not null",
        id,
      ),
    ).toEqual([{ name: "Small" }]);
    expect((await ask("DELETE", paths.small)).status).toBe(404);
  });

  it("makes the first of the others the default in place of a removed default variant", async () => {
    await ask("DELETE", paths.large);
    expect((await readProduct()).variants).toMatchObject([{ name: "Small", is_default: true }]);
  });

  it("removes an option, but not the only one of its group", async () => {
    expect((await ask("DELETE", paths.oat)).body).toMatchObject(success({ name: "Oat" }));
    const { add_ons } = await readProduct();
    expect(namesOf(add_ons[0].options)).toEqual(["Soy"]);
    const last = paths.oat.replace(/[^/]+$/, add_ons[0].options[0].id);
    const refused = await ask("DELETE", last);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject(
      refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    );
  });

  it("removes an image", async () => {
    const removed = await ask("DELETE", paths.second);
    expect(removed.body).toMatchObject(success({ url: "https://cdn.test/b.png" }));
    expect(await readProduct()).toMatchObject({
      images: [{ url: "https://cdn.test/a.png" }],
      image_url: "https://cdn.test/a.png",
    });
  });

  it("is carried out once for one Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "one" };
    const first = await ask("DELETE", paths.oat, { headers });
    const second = await ask("DELETE", paths.oat, { headers });
    expect(second).toMatchObject({ status: 200, body: first.body });
  });
});

describe("the default variant and the primary image", () => {
  it("move to the variant and the image that are named", async () => {
    await ask("PATCH", paths.small, { body: { is_default: true } });
    await ask("PATCH", paths.first, { body: { is_primary: true } });
    expect(await readProduct()).toMatchObject({
      variants: [{ is_default: true }, { is_default: false }],
      images: [{ is_primary: true }, { is_primary: false }],
    });
  });

  it("cannot be taken from the default variant without another default", async () => {
    const refused = await ask("PATCH", paths.large, { body: { is_default: false } });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject(
      refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    );
    expect((await ask("PATCH", paths.small, { body: { is_default: false } })).status).toBe(200);
  });
});

describe("the ids of a product's images", () => {
  it("stay when images are sent with their id or URL", async () => {
    const [first, second] = tea.images as { id: string; url: string }[];
    const changed = await ask("PATCH", `/products/${id}`, {
      body: {
        images: [{ url: second?.url }, { id: first?.id, url: "/cdn/new.png" }, { url: "/n" }],
      },
    });
    const images = dataOf(changed).images as { id: string }[];
    expect(images.map((image) => image.id).slice(0, 2)).toEqual([second?.id, first?.id]);
    const unknown = await ask("PATCH", `/products/${id}`, {
      body: { images: [{ id: "img_unknown", url: "/n" }] },
    });
    expect(unknown.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "images.0.id" } }),
    );
  });

  it("are listed in the order into which images are moved", async () => {
    const [first, second] = (tea.images as { id: string }[]).map((image) => image.id);
    const { images } = dataOf(
      await ask("PATCH", `/products/${tea.id}`, {
        body: { images: [{ id: first, url: "/a" }, { id: second, url: "/b" }, { url: "/c" }] },
      }),
    );
    const third = images[2].id;
    const move = async (id: string | undefined, position: number) => {
      await ask("PATCH", `/products/${tea.id}/images/${id}`, { body: { position } });
      return (await readProduct()).images.map((image: { id: string }) => image.id);
    };
    expect(await move(third, 1)).toEqual([third, first, second]);
    expect(await move(third, 2)).toEqual([first, third, second]);
    expect(await move(first, 100)).toEqual([third, second, first]);
    await Promise.all([move(first, 1), move(second, 1)]);
    expect(new Set(await move(third, 3))).toEqual(new Set([first, second, third]));
    expect(
      await ask("PATCH", `/products/${tea.id}/images/${first}`, { body: { position: 0 } }),
    ).toMatchObject({ status: 400, body: { error: { context: { field: "position" } } } });
  });

  it("are the same at each read of images that were stored without ids", async () => {
    const stored = [
      { url: "/cdn/a.png", isPrimary: false },
      { url: "/cdn/b.png", isPrimary: true },
    ];
    await selectRows(
      shop,
      "update products set images = ? where id = ?",
      JSON.stringify(stored),
      id,
    );
    const [first, second] = (await readProduct()).images;
    expect(first.id).toMatch(/^img_[0-9a-z]{26}$/);
    expect(second.id).not.toBe(first.id);
    await ask("DELETE", `/products/${id}/images/${first.id}`);
    expect((await readProduct()).images).toEqual([second]);
  });
});
