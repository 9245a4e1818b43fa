import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, dataOf, merchant, operator } from "../support/world.ts";
import { createBrowser, linkOf, type OpenPage, textOf } from "./browse.ts";

let shop: CreatedBusiness;
let home: string;
let product: { id: string; slug: string };

beforeEach(async () => {
  shop = await createBusiness({ name: "Corner shop" });
  home = `/shop/${shop.business.slug}`;
  product = dataOf(
    await merchant(shop)("POST", "/products", {
      body: {
        name: "House tea",
        default_price: "12.50",
        inventory_type: "tracked",
        variant_axes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
        variants: [
          { name: "Small", axis_values: { size: "Small" }, is_default: true },
          { name: "Large", axis_values: { size: "Large" }, price_adjustment: "2.50" },
        ],
        add_ons: [
          {
            name: "Milk",
            selection_type: "single",
            is_required: true,
            options: [{ name: "Oat", price: "1.00" }],
          },
        ],
      },
    }),
  );
  await stock(10);
});

const stock = (quantity: number) =>
  merchant(shop)("PUT", `/inventory/${product.id}/locations/${shop.business.locations[0]?.id}`, {
    body: { quantity_on_hand: quantity },
  });

const choiceOf = (page: OpenPage, name: string) => {
  const label = new RegExp(`name="([^"]+)" value="([^"]*)"[^>]*/?><span>${name}`).exec(page.html);
  return { [label?.[1] ?? ""]: label?.[2] ?? "" };
};

const contact = { name: "Ama Serwaa", email: "ama@example.com" };

/** A browser with two large teas in its cart, and its checkout. */
async function openCheckout() {
  const browser = createBrowser();
  const page = await browser.open(`${home}/products/${product.slug}`);
  const fields = { ...choiceOf(page, "Large"), ...choiceOf(page, "Oat"), quantity: "2" };
  const cart = await browser.press(page, "Add to cart", { fields });
  expect(textOf(cart)).toContain("Large, Oat");
  return { browser, cart, checkout: await browser.open(`${home}/checkout`) };
}

const countOrders = async () =>
  dataOf(await merchant(shop)("GET", "/orders?limit=10")).items.length;

it("sells to a browser without scripts, from the home page to the order", async () => {
  const browser = createBrowser();
  const found = await browser.open(linkOf(await browser.open(home), "House tea"));
  const missing = await browser.press(found, "Add to cart");
  expect(missing.status).toBe(400);
  expect(textOf(missing)).toContain("Choose: Milk.");
  const { browser: buyer, cart, checkout } = await openCheckout();
  expect(textOf(cart)).toContain("GH₵32.00");
  const wrong = { name: "", email: "nobody", payment_method: "cash", notes: "Ring twice" };
  const refused = await buyer.press(checkout, "Place order", { fields: wrong });
  expect(refused.status).toBe(400);
  expect(textOf(refused)).toContain("Enter your name.");
  expect(refused.html).toContain('value="Ring twice"');
  const unread = await buyer.press(refused, "Place order", { fields: { ...contact, email: "no" } });
  expect(unread).toMatchObject({ status: 400, html: expect.stringContaining('id="email-error"') });
  const order = await buyer.press(unread, "Place order", { fields: contact });
  expect(order).toMatchObject({ status: 200, path: expect.stringMatching(/^\/orders\/ord_/) });
  expect(textOf(order)).toContain("You pay GH₵32.00 in cash");
  expect(textOf(await buyer.open(linkOf(order, "Receipt")))).toContain("Large, Oat");
  expect(textOf(await buyer.open(`${home}/cart`))).toContain("Your cart is empty.");
});

it("pays by card after a declined payment, with one order in the end", async () => {
  const { browser, checkout } = await openCheckout();
  const phone = {
    payment_method: "mobile_money",
    mobile_phone: "0551234563",
    mobile_network: "mtn",
  };
  const declined = await browser.press(checkout, "Place order", {
    fields: { ...contact, ...phone },
  });
  expect(declined.status).toBe(422);
  expect(textOf(declined)).toContain("Nothing was paid.");
  expect(textOf(declined)).not.toContain("Idempotency-Key");
  const waiting = await browser.press(declined, "Place order", {
    fields: { payment_method: "card" },
  });
  const card = linkOf(waiting, "Continue to the payment page");
  expect(waiting.headers.get("refresh")).toContain(card);
  const paid = await browser.press(await browser.open(card), "Approve", {});
  expect(textOf(paid)).toContain("GH₵32.00 paid by card. Thank you.");
  const orders = dataOf(await merchant(shop)("GET", "/orders?limit=10")).items;
  expect(orders.filter((one: { status: string }) => one.status !== "cancelled")).toHaveLength(1);
});

it("pays again on the order's page after the provider's page was declined", async () => {
  const { browser, checkout } = await openCheckout();
  const fields = { ...contact, payment_method: "card" };
  const waiting = await browser.press(checkout, "Place order", { fields });
  const card = await browser.open(linkOf(waiting, "Continue to the payment page"));
  const failed = await browser.press(card, "Decline", {});
  expect(textOf(failed)).toContain("The payment did not go through.");
  const phone = {
    payment_method: "mobile_money",
    mobile_phone: "0551234561",
    mobile_network: "mtn",
  };
  const challenged = await browser.press(failed, "Pay GH₵32.00", { fields: phone });
  const wrong = await browser.press(challenged, "Confirm", { fields: { code: "000000" } });
  expect(textOf(wrong)).toContain("Tries left: 2.");
  const paid = await browser.press(wrong, "Confirm", { fields: { code: "123456" } });
  expect(textOf(paid)).toContain("paid by mobile money");
  const { items } = dataOf(await merchant(shop)("GET", "/orders?limit=10"));
  expect(JSON.stringify(items)).not.toMatch(/bt_[0-9a-z]{26}/);
});

it("places one order for a form that is sent twice, at once or later, and shows it each time", async () => {
  const { browser, checkout } = await openCheckout();
  const fields = { ...contact, payment_method: "cash" };
  const cookies = [...browser.cookies];
  const send = () => browser.press(checkout, "Place order", { fields });
  const sent = [...(await Promise.all([send(), send()])), await send()];
  // A second click is sent with the cookies of before the first one's response.
  browser.cookies.clear();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  sent.push(await send());
  const [path] = sent.map((page) => page.path);
  expect(path).toMatch(/^\/orders\/ord_/);
  for (const page of sent) expect(page).toMatchObject({ status: 200, path });
  expect(await countOrders()).toBe(1);
});

it("adds once what is sent twice, and again after a change of the form", async () => {
  const browser = createBrowser();
  const page = await browser.open(`${home}/products/${product.slug}`);
  const fields = { ...choiceOf(page, "Oat"), quantity: "2" };
  await browser.press(page, "Add to cart", { fields });
  expect(textOf(await browser.press(page, "Add to cart", { fields }))).toContain("GH₵27.00");
  const more = await browser.press(page, "Add to cart", { fields: { ...fields, quantity: "1" } });
  expect(textOf(more)).toContain("GH₵40.50");
});

it("shows a changed price before it orders anything", async () => {
  const { browser, checkout } = await openCheckout();
  await merchant(shop)("PATCH", `/products/${product.id}`, { body: { default_price: "20.00" } });
  const fields = { ...contact, payment_method: "cash" };
  const changed = await browser.press(checkout, "Place order", { fields });
  expect(changed.status).toBe(422);
  expect(textOf(changed)).toContain("Nothing was ordered yet");
  expect(await countOrders()).toBe(0);
  expect((await browser.press(changed, "Place order", {})).path).toMatch(/^\/orders\//);
});

it("says what is sold out, and keeps what was typed", async () => {
  const { browser, checkout } = await openCheckout();
  await stock(1);
  const fields = { ...contact, payment_method: "cash" };
  const refused = await browser.press(checkout, "Place order", { fields });
  expect(textOf(refused)).toContain("sold out");
  expect(refused).toMatchObject({ status: 422, html: expect.stringContaining("Ama Serwaa") });
  const cart = await browser.open(`${home}/cart`);
  const fewer = await browser.press(cart, "Update", { fields: { quantity: "1" } });
  expect(textOf(fewer)).toContain("Total GH₵16.00");
});

it("changes the cart: quantity, code, removal", async () => {
  await merchant(shop)("POST", "/deals", {
    body: { name: "Welcome", code: "HELLO", discount_type: "percentage", value: "10" },
  });
  const { browser, cart } = await openCheckout();
  const wrong = await browser.press(cart, "Apply", { fields: { code: "NOPE" } });
  expect(textOf(wrong)).toContain("This code does not apply to your cart.");
  const reduced = await browser.press(wrong, "Apply", { fields: { code: "hello" } });
  expect(textOf(reduced)).toContain("Total GH₵28.80");
  const many = await browser.press(reduced, "Update", { fields: { quantity: "99" } });
  expect(textOf(many)).toContain("Only 10 can be bought");
  const empty = await browser.press(reduced, "Remove House tea", {});
  expect(textOf(empty)).toContain("Your cart is empty.");
});

it("cancels an order, and puts another one back into the cart", async () => {
  for (const [button, text] of [
    ["Cancel order", "Nothing was charged."],
    ["Put everything back", "GH₵32.00"],
  ] as const) {
    const { browser, checkout } = await openCheckout();
    const fields = { ...contact, payment_method: "cash" };
    const order = await browser.press(checkout, "Place order", { fields });
    expect(textOf(await browser.press(order, button, {}))).toContain(text);
  }
});

it("starts over for a visitor whose cart is lost, and closes with its business", async () => {
  const visitor = createBrowser();
  expect((await visitor.open(`${home}/checkout`)).path).toBe(`${home}/cart`);
  expect(textOf(await visitor.open(`${home}/cart`))).toContain("Your cart is empty.");
  expect((await visitor.open(`${home}/products/none`)).status).toBe(404);
  expect((await visitor.open("/shop/none")).status).toBe(404);
  await operator("POST", `/v1/businesses/${shop.business.id}/suspend`);
  const other = createBrowser();
  expect([200, 403]).toContain((await other.open(home)).status); // kept for a few seconds
});
