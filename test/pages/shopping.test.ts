import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";
import { createBrowser, linkOf, type OpenPage, textOf } from "./browse.ts";

let shop: CreatedBusiness;
let home: string;

beforeEach(async () => {
  shop = await createBusiness({ name: "Corner bakery" });
  home = `/shop/${shop.business.slug}`;
});

const create = async (path: string, body: object) =>
  dataOf(await merchant(shop)("POST", path, { body }));

/** The radio button of a page with this text. */
const optionOf = (page: OpenPage, text: string): string =>
  new RegExp(`<label><input[^>]*/?><span>${text}`).exec(page.html)?.[0] ?? "";

it("marks sold-out variants before they are chosen, and chooses one that is left", async () => {
  const sizes = ["S", "M", "L"];
  const shirt = await create("/products", {
    name: "Shirt",
    default_price: "12",
    inventory_type: "variant_level",
    variant_axes: [
      { name: "size", label: "Size", values: sizes },
      { name: "colour", label: "Colour", values: ["Red", "Blue"] },
    ],
    variants: sizes.flatMap((size) =>
      ["Red", "Blue"].map((colour) => ({
        name: `${size}, ${colour}`,
        axis_values: { size, colour },
        is_default: size === "S" && colour === "Red",
      })),
    ),
  });
  const [location] = shop.business.locations;
  for (const name of ["S, Red", "M, Blue"]) {
    const { id } = shirt.variants.find((one: { name: string }) => one.name === name);
    const path = `/inventory/${id}/locations/${location?.id}`;
    await merchant(shop)("PUT", path, { body: { quantity_on_hand: 1 } });
  }
  const page = await createBrowser().open(`${home}/products/${shirt.slug}`);
  expect(optionOf(page, "S")).toContain("checked");
  expect(optionOf(page, "M")).not.toContain("disabled");
  expect(optionOf(page, "L")).toContain("disabled");
  expect(textOf(page)).toContain("L Sold out");
  expect(textOf(page)).toContain("Sold out: S, Blue, M, Red.");
  const flavours = await create("/products", {
    name: "Tea",
    default_price: "3",
    inventory_type: "variant_level",
    variants: [{ name: "Mint", is_default: true }, { name: "Rooibos" }],
  });
  const rooibos = flavours.variants.find((one: { name: string }) => one.name === "Rooibos");
  const path = `/inventory/${rooibos.id}/locations/${location?.id}`;
  await merchant(shop)("PUT", path, { body: { quantity_on_hand: 1 } });
  const tea = await createBrowser().open(`${home}/products/${flavours.slug}`);
  expect(optionOf(tea, "Mint")).toContain("disabled");
  expect(optionOf(tea, "Rooibos")).toContain("checked");
});

it("leads through the collections, which the sitemap has too", async () => {
  const tea = await create("/products", { name: "House tea", default_price: "12.50" });
  const { slug } = await create("/collections", { name: "Summer", product_ids: [tea.id] });
  await create("/collections", { name: "Nothing", product_ids: [] });
  const browser = createBrowser();
  const start = await browser.open(home);
  const list = await browser.open(linkOf(start, "All collections"));
  expect(textOf(list)).toContain("Summer");
  expect(textOf(list)).not.toContain("Nothing");
  const collection = await browser.open(linkOf(list, "Summer"));
  expect(collection).toMatchObject({ status: 200, path: `${home}/collections/${slug}` });
  expect(linkOf(collection, "House tea")).toBe(`${home}/products/house-tea`);
  expect((await browser.open(`${home}/collections/none`)).status).toBe(404);
  expect((await browser.open(`${home}/sitemap.xml`)).html).toContain(`/collections/${slug}<`);
});

it("subscribes with a plan: the login leads back to a checkout that knows the shopper", async () => {
  const plan = { name: "Monthly box", interval: "month", price: "10", trial_days: 7 };
  const { id } = await create("/billing-plans", plan);
  await create("/products", { name: "Coffee", default_price: "12", billing_plan_ids: [id] });
  const browser = createBrowser();
  const plans = await browser.open(linkOf(await browser.open(home), "Subscribe"));
  expect(textOf(plans)).toContain("Monthly box GH₵10.00 every month, the first 7 days free");
  const coffee = await browser.open(linkOf(plans, "Coffee"));
  expect(optionOf(coffee, "Monthly box")).toContain("checked");
  expect(optionOf(coffee, "Once")).not.toContain("checked");
  const cart = await browser.press(coffee, "Add to cart");
  expect(textOf(cart)).toContain("Monthly box: GH₵10.00 every month");
  const checkout = await browser.open(`${home}/checkout`);
  const contact = { name: "Ama Serwaa", email: "ama@example.com", payment_method: "cash" };
  const refused = await browser.press(checkout, "Place order", { fields: contact });
  expect(refused.status).toBe(422);
  expect(linkOf(refused, "Log in and come back")).toContain("next=checkout");
  const logIn = await browser.open(linkOf(checkout, "Log in to subscribe"));
  const fields = { contact: "ama@example.com" };
  const coded = await browser.press(logIn, "Send a code", { fields });
  const back = await browser.press(coded, "Log in", { fields: { code: "123456" } });
  expect(back.path).toBe(`${home}/checkout`);
  expect(textOf(back)).not.toContain("Log in to");
  expect(back.html).toContain('value="ama@example.com"');
  const placed = await browser.press(back, "Place order", { fields: { name: "Ama Serwaa" } });
  expect(placed.path).toMatch(/^\/orders\/ord_/);
});

it("fills a logged-in shopper's checkout with the address of the last delivery", async () => {
  await create("/products", { name: "House tea", default_price: "12.50" });
  const zone = await create("/delivery/zones", { name: "Ghana", areas: [{ country: "GH" }] });
  await create("/delivery/methods", {
    ...{ zone_id: zone.id, name: "Courier" },
    price: { type: "flat", amount: "5.00" },
  });
  const browser = createBrowser();
  const order = async (fields: Record<string, string>) => {
    await browser.press(await browser.open(`${home}/products/house-tea`), "Add to cart");
    const checkout = await browser.open(`${home}/checkout`);
    return { checkout, placed: await browser.press(checkout, "Place order", { fields }) };
  };
  const address = { street_address: "12 Ring Road", city: "Accra" };
  const contact = { name: "Ama Serwaa", email: "ama@example.com", payment_method: "cash" };
  const { placed } = await order({ ...contact, ...address });
  expect(placed.path).toMatch(/^\/orders\/ord_/);
  const logIn = await browser.open(`${home}/account`);
  const coded = await browser.press(logIn, "Send a code", { fields: { contact: contact.email } });
  await browser.press(coded, "Log in", { fields: { code: "123456" } });
  const again = await order({});
  expect(again.checkout.html).toContain('value="12 Ring Road"');
  expect(again.placed.path).toMatch(/^\/orders\/ord_/);
  expect(again.placed.path).not.toBe(placed.path);
});

it("says beside the field which quantity is wrong, with what was typed", async () => {
  await create("/products", { name: "House tea", default_price: "12.50" });
  const browser = createBrowser();
  const page = await browser.open(`${home}/products/house-tea`);
  for (const [button, open] of [
    ["Add to cart", page],
    ["Update", await browser.press(page, "Add to cart")],
  ] as const) {
    const refused = await browser.press(open, button, { fields: { quantity: "500" } });
    expect([400, 422]).toContain(refused.status);
    expect(refused.html).toContain('value="500"');
    expect(refused.html).toMatch(/class="error" id="quantity[^"]*">Enter a quantity from 1 to 100/);
  }
});
