import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Product } from "../../shared/catalogue/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, merchant } from "../support/world.ts";
import { type AgentClient, agentClient } from "./agent-client.ts";
import { createPlatform, hostProfiles } from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

const start = Date.parse("2030-05-01T12:00:00Z");

const payment = {
  instruments: [
    {
      ...{ id: "pi_1", handler_id: "sandbox", type: "card" },
      credential: { type: "token", token: "success_token" },
    },
  ],
};

describe("a code that a checkout loses before its completion", () => {
  let shop: Awaited<ReturnType<typeof createBusiness>>;
  let tea: Product;
  let agent: AgentClient;

  beforeAll(async () => {
    vi.setSystemTime(start);
    shop = await createBusiness();
    tea = await createProduct(shop, { defaultPriceMinor: 1_000 });
  });

  beforeEach(async () => {
    vi.setSystemTime(Date.now() + 6_000); // isolates cache the catalogue for 5 s
    agent = agentClient(shop, await createPlatform());
  });

  const createReady = async (code: string) => {
    const { body } = await agent("POST", "/checkout-sessions", {
      line_items: [{ item: { id: tea.id }, quantity: 2 }],
      buyer: { email: "ama@example.com" },
      discounts: { codes: [code] },
    });
    expect(body).toMatchObject({
      status: "ready_for_complete",
      discounts: { applied: [{ code }] },
    });
    return body;
  };
  const complete = async (id: string) => {
    const { body } = await agent("POST", `/checkout-sessions/${id}/complete`, { payment });
    await assertValid("2026-08-25", "checkout", body);
    return body;
  };

  /** Completes a checkout that has lost its code, and then again at the total without it. */
  const assertLost = async (checkout: Awaited<ReturnType<typeof createReady>>, code: string) => {
    const shown = await complete(checkout.id);
    expect(shown).toMatchObject({ status: "ready_for_complete", discounts: { applied: [] } });
    expect(shown.totals.at(-1).amount).toBeGreaterThan(0);
    expect(shown.messages).toEqual([
      expect.objectContaining({ type: "error", code: "price_changed", severity: "recoverable" }),
      expect.objectContaining({ type: "warning", code, path: "$.discounts.codes[0]" }),
    ]);
    expect(await complete(checkout.id)).toMatchObject({ status: "completed" });
    return shown.messages[1].content;
  };

  it("says that the code has expired", async () => {
    await createDeal(shop, { code: "TODAY", endsAt: start + hour });
    const checkout = await createReady("TODAY");
    vi.setSystemTime(start + hour);
    expect(await assertLost(checkout, "discount_code_expired")).toContain("has expired");
  });

  it("says that the items no longer meet its minimum", async () => {
    await createDeal(shop, { code: "BIG", minOrderSubtotalMinor: 2_000 });
    const checkout = await createReady("BIG");
    await merchant(shop)("PATCH", `/products/${tea.id}`, { body: { default_price: "9.00" } });
    vi.setSystemTime(Date.now() + 6_000);
    expect(await assertLost(checkout, "discount_code_user_ineligible")).toContain("conditions");
    await merchant(shop)("PATCH", `/products/${tea.id}`, { body: { default_price: "10.00" } });
  });

  it.each(["usageLimit", "perCustomerLimit"])("says that its %s is reached", async (limit) => {
    const code = `ONCE-${limit}`;
    await createDeal(shop, { code, [limit]: 1 });
    const [first, second] = [await createReady(code), await createReady(code)];
    expect(await complete(first.id)).toMatchObject({ status: "completed" });
    expect(await assertLost(second, "discount_code_expired")).toContain("used up");
  });

  it("says that the merchant has removed it", async () => {
    const { id } = await createDeal(shop, { code: "GONE" });
    const checkout = await createReady("GONE");
    expect(await merchant(shop)("DELETE", `/deals/${id}`)).toMatchObject({ status: 200 });
    vi.setSystemTime(Date.now() + 6_000);
    expect(await assertLost(checkout, "discount_code_invalid")).toContain("does not exist");
  });
});
