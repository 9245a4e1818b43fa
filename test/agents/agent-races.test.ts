import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant } from "../support/world.ts";
import {
  createAgentSession,
  failToken,
  refusalOf,
  requestFor,
  sessionOf,
  successToken,
  type TestAgentSession,
} from "./create-agent-session.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
let shop: CreatedBusiness;
let tea: string;

beforeAll(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  const product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 1_000);
  tea = product.id;
});

beforeEach(() => {
  vi.setSystemTime(Date.now() + 6_000); // isolates cache the catalogue for 5 s
});

const createReady = async (): Promise<TestAgentSession> => {
  const agent = createAgentSession(shop);
  await sessionOf(agent.create(requestFor({ [tea]: 1 })));
  return agent;
};

const activeOrdersOf = (agent: TestAgentSession) =>
  selectRows(
    shop,
    "select total_price_minor, payment_status from orders where session_id = ? and status <> 'cancelled'",
    agent.sessionId,
  );

describe("calls beside each other", () => {
  it("places one order when a checkout is completed twice at once", async () => {
    const agent = await createReady();
    const replies = await Promise.all([1, 2, 3].map(() => sessionOf(agent.complete(successToken))));
    for (const { status } of replies) {
      expect(["completed", "complete_in_progress"]).toContain(status);
    }
    expect(await sessionOf(agent.get())).toMatchObject({ status: "completed" });
    expect(await activeOrdersOf(agent)).toHaveLength(1);
  });

  it("orders what was last shown when a checkout is completed beside an update", async () => {
    const agent = await createReady();
    const [update, completion] = await Promise.all([
      agent.replace(requestFor({ [tea]: 2 })),
      agent.complete(successToken),
    ]);
    const orders = await activeOrdersOf(agent);
    expect(completion.outcome.ok && orders).toHaveLength(1);
    const total = update.outcome.ok ? 2_000 : 1_000;
    expect(orders[0]?.total_price_minor).toBe(total);
  });

  it("cancels or completes, and never both", async () => {
    const agent = await createReady();
    const [cancelled] = await Promise.all([agent.cancel(), agent.complete(successToken)]);
    const { status } = await sessionOf(agent.get());
    expect(status).toBe(cancelled.outcome.ok ? "canceled" : "completed");
    expect(await activeOrdersOf(agent)).toHaveLength(cancelled.outcome.ok ? 0 : 1);
  });
});

describe("a completion", () => {
  it("does not charge another total than the one that was shown", async () => {
    const agent = await createReady();
    await merchant(shop)("PATCH", `/products/${tea}`, { body: { default_price: "12.00" } });
    const shown = await sessionOf(agent.complete(successToken));
    expect(shown).toMatchObject({
      status: "ready_for_complete",
      order: null,
      price: { totalPriceMinor: 1_200 },
      problems: [{ code: "price_changed", isBlocking: false }],
    });
    expect(await sessionOf(agent.complete(successToken))).toMatchObject({ status: "completed" });
    expect(await activeOrdersOf(agent)).toMatchObject([{ total_price_minor: 1_200 }]);
    await merchant(shop)("PATCH", `/products/${tea}`, { body: { default_price: "10.00" } });
  });

  it("replaces the order of a declined payment when the cart has changed since", async () => {
    const agent = await createReady();
    await sessionOf(agent.complete(failToken));
    await sessionOf(agent.replace(requestFor({ [tea]: 3 })));
    expect(await sessionOf(agent.complete(successToken))).toMatchObject({ status: "completed" });
    expect(await activeOrdersOf(agent)).toMatchObject([{ total_price_minor: 3_000 }]);
  });

  it("cancels the order of a declined payment with its checkout", async () => {
    const agent = await createReady();
    await sessionOf(agent.complete(failToken));
    expect(await sessionOf(agent.cancel())).toMatchObject({ status: "canceled" });
    expect(await activeOrdersOf(agent)).toEqual([]);
    expect(await refusalOf(agent.complete(successToken))).toMatchObject({
      context: { rule: "AGENT_SESSION_CLOSED" },
    });
  });

  it("waits for the phone of the payer, and can be tried again when they do not pay", async () => {
    const agent = await createReady();
    const pay = (lastDigit: number) =>
      sessionOf(
        agent.complete({
          method: "mobile_money",
          phoneNumber: `024123456${lastDigit}`,
          provider: "mtn",
        }),
      );
    const waiting = await pay(2);
    expect(waiting).toMatchObject({
      status: "complete_in_progress",
      order: { nextAction: { type: "await" } },
    });
    expect((await pay(2)).order).toEqual(waiting.order);
    await selectRows(
      shop,
      "update payments set status = 'failed', next_action = '{\"type\":\"none\"}' where order_id = ? returning 1",
      waiting.order?.id,
    );
    await selectRows(
      shop,
      "update sandbox_charges set status = 'declined' where order_id = ? returning 1",
      waiting.order?.id,
    );
    expect(await sessionOf(agent.get())).toMatchObject({
      status: "ready_for_complete",
      order: null,
      problems: [{ code: "payment_failed" }],
      cart: { lines: [{ quantity: 1 }] },
    });
    expect(await sessionOf(agent.complete(successToken))).toMatchObject({ status: "completed" });
    expect(await activeOrdersOf(agent)).toHaveLength(1);
  });

  it("leads the buyer to the order when the payment needs a code", async () => {
    const agent = await createReady();
    const payment = { method: "mobile_money", phoneNumber: "0241234561", provider: "mtn" } as const;
    expect(await sessionOf(agent.complete(payment))).toMatchObject({
      status: "requires_escalation",
      problems: [{ code: "buyer_action", severity: "requires_buyer_input" }],
    });
  });

  it("is complete at once when the courier collects the money", async () => {
    const agent = await createReady();
    expect(await sessionOf(agent.complete({ method: "cash" }))).toMatchObject({
      status: "completed",
      order: { paymentStatus: "pending" },
    });
  });
});

describe("the hand-over to the buyer", () => {
  it("reads as completed with the order that the buyer placed in the shop", async () => {
    const agent = await createReady();
    expect(await agent.continue()).toMatchObject({ state: "open", itemCount: 1, generation: 0 });
    const call = {
      ...{ business: shop.business, requestId: "test", network: "local", idempotent: null },
      address: { origin: "https://shop.example", cdnUrl: "https://shop.example" },
    };
    const { cart } = await sessionOf(agent.get());
    const reply = await agent.object().run(0, "checkOut", call, {
      request: {
        cartId: cart.id,
        customer: {
          name: null,
          email: "ama@example.com",
          phone: null,
          notes: null,
          savesDetails: false,
        },
        ...{ orderType: null, addressInfo: null, paymentMethod: "cash", mobileMoney: null },
        returnUrls: { success: null, cancel: null },
        origin: "https://shop.example",
        ...{ payCurrency: null, fxQuoteId: null, specialInstructions: null, metadata: {} },
      },
      key: "from-the-browser",
      fingerprint: "one",
    });
    expect(reply).toMatchObject({ outcome: { ok: true } });
    const completed = await sessionOf(agent.get());
    expect(completed).toMatchObject({ status: "completed", cart: { lines: [{ quantity: 1 }] } });
    expect(await agent.continue()).toMatchObject({
      state: "completed",
      order: { id: completed.order?.id },
    });
  });
});

describe("time", () => {
  it("ends a session six hours after its last change", async () => {
    const agent = await createReady();
    vi.setSystemTime(Date.now() + 5 * hour);
    expect(await sessionOf(agent.replace(requestFor({ [tea]: 2 })))).toMatchObject({
      status: "ready_for_complete",
    });
    vi.setSystemTime(Date.now() + 6 * hour);
    expect(await sessionOf(agent.get())).toMatchObject({ status: "canceled" });
    expect(await agent.continue()).toMatchObject({ state: "canceled" });
    expect(await refusalOf(agent.complete(successToken))).toMatchObject({
      context: { rule: "AGENT_SESSION_CLOSED" },
    });
  });
});
