import { expect, it } from "vitest";
import { type ApiClient, dataOf, shopper } from "../support/world.ts";
import { createShop, postProduct } from "./create-product.ts";
import { importFile } from "./product-files.ts";

const tea = {
  name: "Tea",
  default_price: "10",
  weight_grams: 100,
  variant_axes: [{ name: "size", label: "Size", values: ["S", "L"] }],
  variants: [
    { name: "Small", axis_values: { size: "S" } },
    { name: "Large", axis_values: { size: "L" }, weight_grams: 250 },
  ],
};

const weightsOf = ({ weight_grams, requires_shipping, variants }: Record<string, unknown>) => ({
  weight_grams,
  requires_shipping,
  variants: (variants as { weight_grams: unknown }[]).map((variant) => variant.weight_grams),
});

it("shows the weight and whether a product is shipped to merchants and shoppers", async () => {
  const { shop, ask } = await createShop();
  const { id, response } = await postProduct(ask, tea);
  const expected = { weight_grams: 100, requires_shipping: true, variants: [null, 250] };
  expect(weightsOf(dataOf(response))).toEqual(expected);
  const shown = await shopper(shop)("GET", `/catalogue/products/${id}`);
  expect(weightsOf(dataOf(shown))).toEqual(expected);

  const [small] = dataOf(response).variants;
  await ask("PATCH", `/products/${id}/variants/${small.id}`, { body: { weight_grams: 90 } });
  const body = { weight_grams: 0, requires_shipping: false };
  expect(weightsOf(dataOf(await ask("PATCH", `/products/${id}`, { body })))).toEqual({
    ...body,
    variants: [90, 250],
  });
  const variants = [{ id: small.id, name: "Small", axis_values: { size: "S" } }, tea.variants[1]];
  const reset = await ask("PATCH", `/products/${id}`, { body: { variants } });
  expect(weightsOf(dataOf(reset)).variants).toEqual([null, 250]);
});

it("never ships digital products and services", async () => {
  const { ask } = await createShop();
  const fields = { name: "Guide", default_price: "5", requires_shipping: true };
  const { id, response } = await postProduct(ask, { ...fields, product_type: "digital" });
  expect(dataOf(response)).toMatchObject({ weight_grams: 0, requires_shipping: false });
  const printed = await ask("PATCH", `/products/${id}`, { body: { product_type: "product" } });
  expect(dataOf(printed)).toMatchObject({ requires_shipping: true });
  const service = await ask("POST", "/services", { body: { ...fields, duration_minutes: 30 } });
  const product = await ask("GET", `/products/${dataOf(service).product_id}`);
  expect(dataOf(product)).toMatchObject({ requires_shipping: false });
});

const header =
  "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Grams,Variant Requires Shipping";

const findByName = async (ask: ApiClient, name: string) => {
  const { items } = dataOf(await ask("GET", "/products"));
  return items.find((product: { name: string }) => product.name === name);
};

it("reads weights and shipping from a file, and writes them to the export", async () => {
  const { shop, ask } = await createShop();
  const file = [
    header,
    "cup,Cup,Title,Default Title,5,320.4,false",
    "tea,Tea,Size,S,10,100,false",
    "tea,,Size,L,12,250,TRUE",
    "leaf,Leaf,Title,Default Title,5,,",
    "bad,Bad,Title,Default Title,5,heavy,true",
    "odd,Odd,Title,Default Title,5,1,maybe",
  ].join("\n");
  const report = dataOf(await importFile(shop, file));
  expect(report.rejected.map(({ field }: { field: string }) => field)).toEqual([
    "Variant Grams",
    "Variant Requires Shipping",
  ]);
  const read = async () =>
    Object.fromEntries(
      await Promise.all(
        ["Cup", "Tea", "Leaf"].map(async (name) => [name, weightsOf(await findByName(ask, name))]),
      ),
    );
  const expected = {
    Cup: { weight_grams: 320, requires_shipping: false, variants: [] },
    Tea: { weight_grams: 0, requires_shipping: true, variants: [100, 250] },
    Leaf: { weight_grams: 0, requires_shipping: true, variants: [] },
  };
  expect(await read()).toEqual(expected);

  const { id, variants } = await findByName(ask, "Tea");
  const [small] = variants;
  await ask("PATCH", `/products/${id}`, { body: { weight_grams: 70 } });
  await ask("PATCH", `/products/${id}/variants/${small.id}`, { body: { weight_grams: null } });
  const exported = String((await ask("GET", "/exports/products")).body);
  const unchanged = { products_created: 0, products_updated: 0, products_unchanged: 3 };
  expect(dataOf(await importFile(shop, exported))).toMatchObject(unchanged);
  expect((await read()).Tea).toEqual({ ...expected.Tea, weight_grams: 70, variants: [null, 250] });

  const blank = [
    header,
    "cup,Cup,Title,Default Title,5,,",
    "tea,Tea,Size,S,10,80,",
    "tea,,Size,L,12,,",
  ];
  expect(dataOf(await importFile(shop, blank.join("\n")))).toMatchObject({ products_updated: 1 });
  expect(await read()).toEqual({
    ...expected,
    Tea: { ...expected.Tea, weight_grams: 70, variants: [80, 250] },
  });
});
