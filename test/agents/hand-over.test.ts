import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createBrowser, type OpenPage, textOf } from "../pages/browse.ts";
import { createDeliveryMethod } from "../support/create-delivery.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { type AgentClient, agentClient, origin } from "./agent-client.ts";
import { createPlatform, hostProfiles, type TestPlatform } from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

const release = "2026-08-25";
const address = {
  first_name: "Ama",
  street_address: "1 Oxford Street",
  address_locality: "Accra",
  address_country: "GH",
};
const buyer = { email: "ama@example.com", first_name: "Ama", last_name: "Mensah" };

let shop: CreatedBusiness;
let tea: Product;
let rare: Product;
let courierId: string;
let platform: TestPlatform;
let agent: AgentClient;
/** The checkout that the agent has prepared, and where its buyer continues. */
let id: string;
let continuePath: string;

beforeAll(async () => {
  shop = await createBusiness();
  tea = await createProduct(shop, { name: "Tea", slug: "tea", defaultPriceMinor: 1_000 });
  rare = await createProduct(shop, { name: "Rare", slug: "rare", inventoryType: "tracked" });
  await setStock(shop, rare, 3);
  ({ id: courierId } = await createDeliveryMethod(shop, {}));
});

beforeEach(async () => {
  platform = await createPlatform({ release });
  agent = agentClient(shop, platform);
  const { body } = await agent("POST", "/checkout-sessions", checkoutOf(1));
  expect(body).toMatchObject({ status: "ready_for_complete" });
  id = body.id;
  continuePath = new URL(body.continue_url).pathname;
});

const checkoutOf = (quantity: number) => ({
  line_items: [{ item: { id: tea.id }, quantity }],
  buyer,
  fulfillment: {
    methods: [
      {
        id: "shipping",
        type: "shipping",
        destinations: [{ id: "home", ...address }],
        selected_destination_id: "home",
        groups: [{ id: "shipping_1", selected_option_id: courierId }],
      },
    ],
  },
});

/** The checkout as the agent reads it, checked against the protocol's schema. */
async function readCheckout() {
  const { body } = await agent("GET", `/checkout-sessions/${id}`);
  await assertValid(release, "checkout", body);
  return body;
}

const payment = {
  payment: {
    instruments: [
      {
        ...{ id: "pi_1", handler_id: "sandbox", type: "card" },
        credential: { type: "token", token: "success_token" },
      },
    ],
  },
};

type BuyerBrowser = ReturnType<typeof createBrowser>;

const home = () => `/shop/${shop.business.slug}`;

async function addToCart(browser: BuyerBrowser, slug: string, quantity: string): Promise<OpenPage> {
  const page = await browser.open(`${home()}/products/${slug}`);
  return browser.press(page, "Add to cart", { fields: { quantity } });
}

describe("a checkout that an agent hands over", () => {
  it("is paid by its buyer in the shop, and read by the agent with its order", async () => {
    const browser = createBrowser();
    const checkout = await browser.open(continuePath);
    expect(textOf(checkout)).toContain("1 × Tea");
    const placed = await browser.press(checkout, "Place order", {
      fields: { payment_method: "cash" },
    });
    expect(placed.path).toMatch(/^\/orders\/ord_/);
    const read = await readCheckout();
    expect(read).toMatchObject({
      status: "completed",
      line_items: [{ item: { id: tea.id }, quantity: 1 }],
      fulfillment: { methods: [{ groups: [{ selected_option_id: courierId }] }] },
      order: { id: new URL(placed.path, origin).pathname.slice("/orders/".length) },
    });
    expect(read).not.toHaveProperty("continue_url");
    const order = await agent(
      "GET",
      `/orders/${read.order.id}`,
      undefined,
      await platform.sign({
        method: "GET",
        url: `${origin}/agents/${shop.business.slug}/ucp/orders/${read.order.id}`,
      }),
    );
    await assertValid(release, "order", order.body);
    expect(order.body).toMatchObject({ id: read.order.id, line_items: [{ item: { id: tea.id } }] });
    const audited = await selectRows(
      shop,
      "select actor from audit_entries where business_id = ? and entity = ? and action = 'order.placed'",
      shop.business.id,
      read.order.id,
    );
    expect(audited).toEqual([]);
    const reopened = await createBrowser().open(continuePath);
    expect(reopened).toMatchObject({ status: 200, path: placed.path });
  });

  it("shows the agent the lines, totals and stock of a cart that the buyer has changed", async () => {
    const browser = createBrowser();
    await browser.open(continuePath);
    await addToCart(browser, "rare", "3");
    expect(await readCheckout()).toMatchObject({
      status: "ready_for_complete",
      line_items: [{ quantity: 1 }, { item: { id: rare.id }, quantity: 3 }],
    });
    await setStock(shop, rare, 2);
    const { line_items } = await readCheckout();
    await addToCart(browser, "tea", "1");
    const read = await readCheckout();
    expect(read).toMatchObject({
      status: "incomplete",
      messages: [{ code: "out_of_stock", path: expect.stringContaining("line_items[1]") }],
    });
    expect(read.line_items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 3]);
    expect(line_items[0].id).toBe(read.line_items[0].id);
    await setStock(shop, rare, 3);
  });

  it("drops a problem that the buyer has solved, and is completed by the agent", async () => {
    const { groups: _, ...undecided } = checkoutOf(1).fulfillment.methods[0] ?? {};
    const fulfillment = { methods: [undecided] };
    const path = `/checkout-sessions/${id}`;
    const sent = await agent("PUT", path, { ...checkoutOf(1), fulfillment });
    expect(sent.body).toMatchObject({ status: "incomplete" });
    const browser = createBrowser();
    const checkout = await browser.open(continuePath);
    const updated = await browser.press(checkout, "Update", {
      fields: { delivery_option: courierId },
    });
    expect(updated.status).toBe(200);
    expect(await readCheckout()).toMatchObject({
      status: "ready_for_complete",
      fulfillment: { methods: [{ groups: [{ selected_option_id: courierId }] }] },
    });
    const completed = await agent("POST", `${path}/complete`, payment);
    expect(completed.body).toMatchObject({ status: "completed" });
  });

  it("is incomplete once the buyer has emptied the cart", async () => {
    const browser = createBrowser();
    await browser.open(continuePath);
    const cart = await browser.open(`${home()}/cart`);
    await browser.press(cart, "Remove");
    expect(await readCheckout()).toMatchObject({ status: "incomplete", line_items: [] });
  });
});
