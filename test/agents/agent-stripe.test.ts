import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { businessRepo, type CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { mockStripe, stripeKeys } from "../payments/stripe/mock-stripe.ts";
import type { StripeAccount } from "../payments/stripe/stand-in/account.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant } from "../support/world.ts";
import { createAgentSession, requestFor, sessionOf } from "./create-agent-session.ts";

let shop: CreatedBusiness;
let stripe: StripeAccount;
let productId: string;

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  stripe = mockStripe();
  shop = await createBusiness({ currency: "USD" });
  ({ id: productId } = await createProduct(shop, { defaultPriceMinor: 2_500 }));
  const connected = await merchant(shop)("PUT", "/payment-providers/stripe", { body: stripeKeys });
  expect(connected.status).toBe(200);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A checkout of one product, with the business as it is after its account was connected. */
async function createCheckout() {
  const business = await businessRepo(openDb(env.CORE, createMeter())).find(shop.business.id);
  if (business === null) throw new Error("The business does not exist.");
  const agent = createAgentSession({ ...shop, business });
  await sessionOf(agent.create(requestFor({ [productId]: 1 })));
  return agent;
}

const cardToken = (token: string) => ({
  method: "card" as const,
  handler: "stripe" as const,
  token,
});

const listCharges = () =>
  [...stripe.intents.values()].filter(({ status }) => status === "succeeded");

const listOrders = (sessionId: string) =>
  selectRows(shop, "select payment_status from orders where session_id = ?", sessionId);

describe("a completion with a token of the business's Stripe account", () => {
  it("charges the card once, also when it is repeated", async () => {
    const agent = await createCheckout();
    for (const token of ["pm_card_visa", "pm_card_visa"])
      expect(await sessionOf(agent.complete(cardToken(token)))).toMatchObject({
        status: "completed",
        order: { paymentStatus: "captured" },
      });
    expect(listCharges()).toMatchObject([{ amount: 2_500 }]);
    expect(await listOrders(agent.sessionId)).toHaveLength(1);
  });

  it("leaves the checkout ready after a declined card, and charges the next one", async () => {
    const agent = await createCheckout();
    expect(await sessionOf(agent.complete(cardToken("pm_card_chargeDeclined")))).toMatchObject({
      status: "ready_for_complete",
      order: null,
      problems: [{ code: "payment_failed", severity: "recoverable" }],
    });
    expect(await sessionOf(agent.complete(cardToken("pm_card_visa")))).toMatchObject({
      status: "completed",
      order: { paymentStatus: "captured" },
    });
    expect(listCharges()).toMatchObject([{ amount: 2_500 }]);
    expect(await listOrders(agent.sessionId)).toHaveLength(1);
  });

  it("sends the buyer to the bank's page when the card asks for it", async () => {
    const agent = await createCheckout();
    expect(
      await sessionOf(agent.complete(cardToken("pm_card_authenticationRequired"))),
    ).toMatchObject({
      status: "requires_escalation",
      order: { paymentStatus: "requires_action", nextAction: { type: "redirect" } },
    });
    expect(listCharges()).toEqual([]);
  });
});
