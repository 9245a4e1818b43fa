import type { z } from "@hono/zod-openapi";
import { minute, notFound } from "../../shared/kernel/index.ts";
import { isPayable, linkProof, type OrderDetails, orderRepo } from "../../shared/orders/index.ts";
import { requireKey } from "../http/context.ts";
import { assertWithinLimit, type RateLimitedContext } from "../http/rate-limits/rate-limit.ts";
import { type OrderLink, parsePaymentLinkToken } from "../runtime/order-links.ts";
import { runtime } from "../runtime/runtime.ts";
import type { OrderView } from "../wire/views/order.ts";
import type { StorefrontContext } from "./env.ts";
import { createOrderContext } from "./order-context.ts";
import { readTokenProof } from "./order-token.ts";

/** What one payment link may do in a minute. A submission may send a prompt to a phone. */
const limitsPerMinute = { submission: 10, check: 10 } as const;

/** The link of a payment link's token; null for any other token, and another business's link. */
export async function findPaymentLink(
  c: StorefrontContext,
  token: string,
): Promise<OrderLink | null> {
  const link = await parsePaymentLinkToken(c.get("settings"), token);
  return link?.businessId === requireKey(c).business.id ? link : null;
}

/** What a token proves: as `readTokenProof`, and the order of a payment link, whether expired or not. */
export const readPaymentProof = async (
  c: StorefrontContext,
  { token, link }: Readonly<{ token: string; link: OrderLink | null }>,
): Promise<string> => (link === null ? readTokenProof(c, token) : linkProof(link.orderId));

/** An order that a token opens, and the payment link when the token is one. */
type OrderOfToken = Readonly<{ details: OrderDetails; link: OrderLink | null }>;

/**
 * Opens an order for reading and paying. A payment link that has expired still shows what became
 * of an order that cannot be paid any more.
 *
 * @throws Refusal NOT_FOUND for a wrong token, and for an expired link of a payable order.
 */
export async function loadOrderOfToken(
  c: StorefrontContext,
  { orderId, token }: Readonly<{ orderId: string; token: string }>,
): Promise<OrderOfToken> {
  const link = await findPaymentLink(c, token);
  const proof = await readPaymentProof(c, { token, link });
  const details = await orderRepo(createOrderContext(c)).getByToken(orderId, proof);
  if (link !== null && isExpired(link) && isPayable(details)) throw notFound("order");
  return { details, link };
}

export const isExpired = ({ expiresAt }: OrderLink): boolean => expiresAt <= runtime.now();

/** Counts a call with a link by its order. @throws Refusal RATE_LIMITED. */
export async function assertWithinLinkLimit(
  c: RateLimitedContext,
  link: OrderLink | null,
  action: keyof typeof limitsPerMinute,
): Promise<void> {
  if (link === null) return;
  await assertWithinLimit(c, {
    name: `payment-link-${action}:${link.orderId}`,
    limit: limitsPerMinute[action],
    windowMs: minute,
  });
}

/** The order without what is only its customer's business: somebody else may have the link. */
export const withoutCustomer = (order: z.infer<typeof OrderView>): z.infer<typeof OrderView> => ({
  ...order,
  customer_id: null,
  customer_name: null,
  address_info: null,
  special_instructions: null,
  cancellation_reason: null,
  delivery: order.delivery && { ...order.delivery, address: null },
  items: order.items.map((item) => ({ ...item, special_instructions: null })),
  bookings: order.bookings.map((booking) => ({
    ...booking,
    customer_id: null,
    cancellation_reason: null,
  })),
  shipments: [],
});
