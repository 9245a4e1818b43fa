import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { capabilityNames, releases } from "../../shared/agents/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createDeliveryMethod } from "../support/create-delivery.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";
import { type AgentClient, type AgentResponse, agentClient, origin } from "./agent-client.ts";
import { createPlatform, hostProfiles } from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

const address = {
  first_name: "Ama",
  street_address: "1 Oxford Street",
  address_locality: "Accra",
  address_country: "GH",
};
const buyer = { email: "ama@example.com", first_name: "Ama", last_name: "Mensah" };
const payment = (token = "success_token") => ({
  payment: {
    instruments: [
      { id: "pi_1", handler_id: "sandbox", type: "card", credential: { type: "token", token } },
    ],
  },
});

type TotalRow = Readonly<{ type: string; amount: number }>;

/** Asserts that the entries before the total add up to it, and returns the total. */
function sumOf(totals: readonly TotalRow[]): number {
  const total = totals.at(-1);
  expect(total?.type).toBe("total");
  const sum = totals.slice(0, -1).reduce((before, { amount }) => before + amount, 0);
  expect(sum).toBe(total?.amount);
  return sum;
}

describe.each(releases)("carts and checkouts in %s", (release) => {
  let shop: Awaited<ReturnType<typeof createBusiness>>;
  let tea: Product;
  let last: Product;
  let agent: AgentClient;
  let courierId: string;
  const idempotent = () => ({ "Idempotency-Key": crypto.randomUUID() });

  beforeAll(async () => {
    shop = await createBusiness();
    tea = await createProduct(shop);
    last = await createProduct(shop, { name: "Last", inventoryType: "tracked" });
    await setStock(shop, last, 1);
    ({ id: courierId } = await createDeliveryMethod(shop, { minDays: 2, maxDays: 5 }));
    await createDeal(shop, { code: "TEN", value: "10" });
  });

  beforeEach(async () => {
    agent = agentClient(shop, await createPlatform({ release }));
  });

  const assertAnswer = async (name: "cart" | "checkout", response: Promise<AgentResponse>) => {
    const answer = await response;
    await assertValid(release, name, answer.body);
    sumOf(answer.body.totals);
    for (const line of answer.body.line_items) sumOf(line.totals);
    for (const { amount, allocations } of answer.body.discounts?.applied ?? [])
      expect(
        allocations.reduce((sum: number, one: { amount: number }) => sum + one.amount, 0),
      ).toBe(amount);
    return answer;
  };
  const cart = (...call: Parameters<AgentClient>) => assertAnswer("cart", agent(...call));
  const checkout = (...call: Parameters<AgentClient>) => assertAnswer("checkout", agent(...call));
  const assertFailure = async (status: number, ...call: Parameters<AgentClient>) => {
    const response = await agent(...call);
    expect(response.status).toBe(status);
    await assertValid(release, "error_response", response.body);
    return response.body.messages[0];
  };

  const lineItems = (product: Product, quantity = 1) => [{ item: { id: product.id }, quantity }];
  const shipping = (optionId: string | null = null) => ({
    methods: [
      {
        id: "shipping",
        type: "shipping",
        destinations: [{ id: "home", ...address }],
        selected_destination_id: "home",
        groups: [{ id: "shipping_1", selected_option_id: optionId }],
      },
    ],
  });
  const readyCheckout = async (product = tea) => {
    const body = { line_items: lineItems(product), buyer, fulfillment: shipping(courierId) };
    const created = await checkout("POST", "/checkout-sessions", body);
    expect(created.body).toMatchObject({ status: "ready_for_complete" });
    return { id: created.body.id, body };
  };

  it("buys from a search to an order", async () => {
    const found = await agent("POST", "/catalog/search", { query: "tea" });
    const itemId = found.body.products[0].variants[0].id;
    const lines = [{ item: { id: itemId }, quantity: 2 }];
    const created = await cart("POST", "/carts", { line_items: lines });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: expect.stringMatching(/^agc_/),
      currency: shop.business.currency,
      line_items: [{ item: { id: itemId, title: "Tea", price: 1_000 }, quantity: 2 }],
      continue_url: expect.stringContaining(`${origin}/shop/${shop.business.slug}/continue/`),
    });

    const started = await checkout("POST", "/checkout-sessions", {
      cart_id: created.body.id,
      line_items: [],
    });
    expect(started.status).toBe(201);
    expect(started.body).toMatchObject({
      id: created.body.id.replace("agc_", "chk_"),
      status: "incomplete",
      ucp: { payment_handlers: { "dev.duka.sandbox": [{ id: "sandbox" }] } },
    });
    const path = `/checkout-sessions/${started.body.id}`;
    const line = { id: started.body.line_items[0].id, ...lines[0] };

    const addressed = await checkout("PUT", path, {
      line_items: [line],
      buyer,
      fulfillment: shipping(),
    });
    expect(addressed.body.fulfillment.methods).toMatchObject([
      {
        id: "shipping",
        line_item_ids: [line.id],
        selected_destination_id: "home",
        destinations: [{ id: "home", ...address }],
        groups: [{ id: "shipping_1", options: [{ id: courierId, title: "Courier" }] }],
      },
    ]);

    const ready = await checkout("PUT", path, {
      line_items: [line],
      buyer,
      fulfillment: shipping(courierId),
      discounts: { codes: ["TEN", "NONE"] },
    });
    expect(ready.body).toMatchObject({
      status: "ready_for_complete",
      discounts: {
        codes: ["TEN", "NONE"],
        applied: [{ code: "TEN", amount: 200, allocations: [{ path: "$.line_items[0]" }] }],
      },
    });
    expect(ready.body.messages).toContainEqual(
      expect.objectContaining({
        type: "warning",
        code: "discount_code_invalid",
        path: "$.discounts.codes[1]",
      }),
    );
    expect(sumOf(ready.body.totals)).toBe(2_300);
    expect((await checkout("GET", path)).body).toEqual(ready.body);

    const done = await checkout("POST", `${path}/complete`, payment(), idempotent());
    expect(done.body).toMatchObject({ status: "completed", order: { id: expect.any(String) } });
    expect(done.body.order.permalink_url).toContain(`${origin}/orders/${done.body.order.id}`);
    expect(done.body).not.toHaveProperty("continue_url");
  });

  it("replaces a cart as a whole, cancels it, and forgets it", async () => {
    const created = await cart("POST", "/carts", { line_items: lineItems(tea, 3), buyer });
    const path = `/carts/${created.body.id}`;
    expect((await cart("GET", path)).body).toEqual(created.body);
    const replaced = await cart("PUT", path, { line_items: lineItems(last) });
    expect(replaced.status).toBe(200);
    expect(replaced.body).not.toHaveProperty("buyer");
    expect(replaced.body.line_items).toMatchObject([{ item: { id: last.id }, quantity: 1 }]);
    const canceled = await cart("POST", `${path}/cancel`);
    expect(canceled.body.line_items).toHaveLength(1);
    expect(await assertFailure(200, "GET", path)).toMatchObject({ code: "not_found" });
  });

  it("says what is missing, and where", async () => {
    const { body } = await checkout("POST", "/checkout-sessions", {
      line_items: lineItems(last, 3),
    });
    expect(body.status).toBe("incomplete");
    expect(body.messages).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: "out_of_stock", path: "$.line_items[0].quantity" }),
        expect.objectContaining({ code: "missing", path: "$.buyer", severity: "recoverable" }),
        expect.objectContaining({ code: "missing", path: "$.fulfillment.methods[0]" }),
      ]),
    );
  });

  it("hands over to the page what a platform without the extension cannot choose", async () => {
    const capabilities = capabilityNames.filter((name) => name !== "dev.ucp.shopping.fulfillment");
    agent = agentClient(shop, await createPlatform({ release, capabilities }));
    const { body } = await checkout("POST", "/checkout-sessions", {
      line_items: lineItems(tea),
      buyer,
    });
    expect(body).toMatchObject({
      status: "requires_escalation",
      continue_url: expect.any(String),
      messages: [{ severity: "requires_buyer_input" }],
    });
    expect(body).not.toHaveProperty("fulfillment");
    expect(body.ucp.capabilities).not.toHaveProperty("dev.ucp.shopping.fulfillment");
  });

  it("echoes the buyer's consent in the release's form", async () => {
    const consent =
      release === "2026-04-08"
        ? { marketing: true, analytics: false }
        : {
            "dev.ucp.consent.marketing": {
              granted: false,
              source: "platform",
              segments: {
                "dev.ucp.consent.marketing.sms": { granted: true, source: "platform" },
              },
            },
          };
    const { body } = await checkout("POST", "/checkout-sessions", {
      line_items: lineItems(tea),
      buyer: { ...buyer, consent },
    });
    expect(body.buyer).toMatchObject({ ...buyer, consent });
  });

  it("shows a declined payment and takes another one", async () => {
    const { id } = await readyCheckout();
    const path = `/checkout-sessions/${id}/complete`;
    const declined = await checkout("POST", path, payment("fail_token"), idempotent());
    expect(declined.status).toBe(200);
    expect(declined.body.messages).toContainEqual(
      expect.objectContaining({ code: "payment_failed", path: "$.payment" }),
    );
    expect(JSON.stringify(declined.body)).not.toContain("fail_token");
    const paid = await checkout("POST", path, payment(), idempotent());
    expect(paid.body.status).toBe("completed");
  });

  it("answers a repeated request alike, and refuses its key with another body", async () => {
    const headers = idempotent();
    const body = { line_items: lineItems(tea) };
    const first = await checkout("POST", "/checkout-sessions", body, headers);
    const second = await checkout("POST", "/checkout-sessions", body, headers);
    expect(second.body).toEqual(first.body);
    const other = { line_items: lineItems(tea, 2) };
    expect(await agent("POST", "/checkout-sessions", other, headers)).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
  });

  it("leaves a completed or canceled checkout as it is", async () => {
    const { id, body } = await readyCheckout();
    const path = `/checkout-sessions/${id}`;
    await checkout("POST", `${path}/complete`, payment(), idempotent());
    for (const [method, target, sent] of [
      ["PUT", path, body],
      ["POST", `${path}/cancel`, undefined],
    ] as const) {
      const unchanged = await checkout(method, target, sent);
      expect(unchanged.status).toBe(200);
      expect(unchanged.body.status).toBe("completed");
      expect(unchanged.body.messages).toContainEqual(
        expect.objectContaining({ type: "error", code: "checkout_closed" }),
      );
    }
    const other = await readyCheckout();
    const canceled = await checkout("POST", `/checkout-sessions/${other.id}/cancel`);
    expect(canceled.body).toMatchObject({ status: "canceled" });
    const closed = await checkout("PUT", `/checkout-sessions/${other.id}`, other.body);
    expect(closed.body).toMatchObject({ status: "canceled", messages: [{ type: "error" }] });
  });

  it("creates nothing of items that cannot be bought", async () => {
    const message = await assertFailure(200, "POST", "/checkout-sessions", {
      line_items: [{ item: { id: "var_none" }, quantity: 1 }],
    });
    expect(message).toMatchObject({ code: "item_unavailable", severity: "unrecoverable" });
  });

  it("hides the records of another platform and business", async () => {
    const { id } = await readyCheckout();
    const path = `/checkout-sessions/${id}`;
    const own = agent;
    const platform = await createPlatform({ release });
    for (const client of [
      agentClient(shop, platform),
      agentClient(await createBusiness(), platform),
    ]) {
      agent = client;
      expect(await assertFailure(200, "GET", path)).toMatchObject({ code: "not_found" });
      await assertFailure(200, "POST", `${path}/cancel`);
      await assertFailure(200, "POST", `${path}/complete`, payment(), idempotent());
      await assertFailure(200, "POST", "/checkout-sessions", {
        cart_id: id.replace("chk_", "agc_"),
      });
    }
    agent = own;
    await assertFailure(200, "GET", "/checkout-sessions/chk_none");
    await assertFailure(200, "GET", "/carts/%00");
  });

  it.each([
    ["POST", "/carts", {}, "line_items"],
    ["POST", "/carts", { line_items: [{ item: {}, quantity: 1 }] }, "line_items[0].item.id"],
    ["POST", "/carts", { line_items: [{ item: { id: "x" }, quantity: 0 }] }, "quantity"],
    ["POST", "/carts", { line_items: [{ item: { id: "x" }, quantity: 1.5 }] }, "quantity"],
    ["POST", "/checkout-sessions", { cart_id: 5 }, "cart_id"],
    ["POST", "/checkout-sessions", { line_items: [], buyer: { email: 5 } }, "buyer.email"],
    ["POST", "/checkout-sessions/chk_x/complete", {}, "payment"],
    ["POST", "/checkout-sessions/chk_x/complete", payment(""), "token"],
    [
      "POST",
      "/checkout-sessions/chk_x/complete",
      { payment: { instruments: [{ handler_id: "none" }] } },
      "handler_id",
    ],
  ])("refuses %s %s with %j", async (method, path, body, content) => {
    const response = await agent(method, path, body);
    expect(response.status).toBe(400);
    expect(response.body.content).toContain(content);
  });

  it("refuses another unit than that of whole items", async () => {
    const unit = { unit: "LBR", scale: 2 };
    const response = await agent("POST", "/carts", {
      line_items: [{ item: { id: tea.id, quantity_unit: unit }, quantity: 150 }],
    });
    expect(response).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });
});
