import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { valueAt } from "../support/responses.ts";
import { createBusiness, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const add = (body: object) => ask("POST", "/cart/items", { body });

async function createBundle(productId: string, quantity: number) {
  const created = await merchant(shop)("POST", "/bundles", {
    body: {
      name: "Box",
      components: [{ name: "Part", product_id: productId, quantity, is_swappable: true }],
      pricing: { type: "fixed", value: "30" },
    },
  });
  return {
    item_id: String(valueAt(created, "data.product_id")),
    component_id: valueAt(created, "data.components.0.component_id"),
  };
}

it("uses the bundle's quantity of a component, sent or omitted", async () => {
  const { item_id, component_id } = await createBundle((await createProduct(shop)).id, 500);
  for (const selection of [{ component_id }, { component_id, quantity: 500 }]) {
    const selections = { bundle_selections: [selection] };
    expect(await add({ item_id, ...selections })).toMatchObject({
      status: 200,
      body: { data: { item: { bundle_selections: [{ component_id, quantity: 500 }] } } },
    });
    const quoted = await ask("POST", "/catalogue/quotes", {
      body: { product_id: item_id, ...selections },
    });
    expect(quoted).toMatchObject({
      status: 200,
      body: { data: { bundle_selections: [{ component_id, quantity: 500 }] } },
    });
    const quote_id = valueAt(quoted, "data.quote_id");
    const read = await ask("GET", `/catalogue/quotes/${quote_id}`);
    expect(read.body).toEqual(quoted.body);
    expect(await add({ item_id, quote_id, bundle_selections: [{ component_id }] })).toMatchObject({
      status: 200,
    });
  }
  expect(await ask("GET", "/cart/count")).toMatchObject({ body: { data: 4 } });
  const other = { component_id, quantity: 499 };
  expect(await add({ item_id, bundle_selections: [other] })).toMatchObject({
    status: 422,
    body: { error: { context: { rule: "SELECTION_INVALID" } } },
  });
});

it("prices, quotes and sells any composite that a merchant can define", async () => {
  const components = Array.from({ length: 200 }, (_, index) => ({
    name: `Bead ${index}`,
    price: "0.01",
  }));
  const created = await merchant(shop)("POST", "/composites", {
    body: {
      name: "Necklace",
      base_price: "5",
      groups: [{ name: "Beads", min_selections: 10_000, max_selections: 10_000, components }],
    },
  });
  const ids = components.map((_, index) =>
    valueAt(created, `data.groups.0.components.${index}.component_id`),
  );
  const selections = ids.map((component_id) => ({ component_id, quantity: 50 }));
  const product_id = valueAt(created, "data.product_id");
  const path = `/catalogue/composites/${valueAt(created, "data.id")}/calculate-price`;
  const ways = (chosen: readonly object[]) => [
    ask("POST", path, { body: { selections: chosen } }),
    ask("POST", "/catalogue/quotes", { body: { product_id, composite_selections: chosen } }),
    add({ item_id: product_id, composite_selections: chosen }),
  ];
  const one = [{ component_id: ids[0], quantity: 10_000 }];
  for (const answer of await Promise.all([...ways(selections), ...ways(one)])) {
    expect(answer).toMatchObject({ status: 200 });
  }
  const tooMany = [{ component_id: ids[0], quantity: 10_001 }];
  for (const answer of await Promise.all([...ways(tooMany), ...ways([...selections, ...one])])) {
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
  }
});

it("returns the available number of bundles, not of components", async () => {
  const part = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, part, 5);
  const { item_id } = await createBundle(part.id, 2);
  const outOfStock = (quantity_available: number) => ({
    status: 422,
    body: { error: { context: { rule: "OUT_OF_STOCK", quantity_available } } },
  });
  expect(await add({ item_id, quantity: 3 })).toMatchObject(outOfStock(2));
  await add({ item_id: part.id, quantity: 2 });
  expect(await add({ item_id, quantity: 2 })).toMatchObject(outOfStock(1));
});
