import type { Release } from "../../shared/agents/index.ts";
import { type CheckoutRequest, runCheckout } from "../../shared/checkout/index.ts";
import type { OrderAgent } from "../../shared/orders/index.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
  readsOf,
} from "../checkout/create-checkout.ts";
import type { TestBusiness } from "./world.ts";

export const profileUrl = "https://agent.example.com/.well-known/ucp";
export const platformWebhookUrl = "https://agent.example.com/webhooks/orders";
export const businessAddress = "https://shop.example.com";

type AgentOrderOptions = Readonly<{
  release?: Release;
  agent?: Partial<OrderAgent>;
  fields?: Partial<CheckoutRequest>;
  quantity?: number;
  /** How often the checkout is run, as after a crash. */
  runs?: number;
}>;

/** Places an order of an agent that is paid in cash, and returns its id. */
export async function createAgentOrder(
  shop: TestBusiness,
  productId: string,
  {
    release = "2026-08-25",
    agent = {},
    fields = {},
    quantity = 2,
    runs = 1,
  }: AgentOrderOptions = {},
): Promise<string> {
  const ctx = checkoutContextFor(shop);
  const cart = await createCart(ctx, newItem(productId, { quantity }));
  const checkout = await createPlannedCheckout(ctx, cart, {
    paymentMethod: "cash",
    mobileMoney: null,
    agent: {
      checkoutId: "chk_01jd0000000000000000000000",
      profileUrl,
      release,
      businessAddress,
      webhookUrl: platformWebhookUrl,
      ...agent,
    },
    ...fields,
  });
  await runCheckout(ctx, checkout, () => {}, readsOf(checkout));
  for (let run = 1; run < runs; run += 1) await runCheckout(ctx, checkout, () => {});
  return checkout.plan.orderId;
}
