import { type Business, businessRepo, isSelling } from "../../shared/businesses/index.ts";
import type { PayOrderContext } from "../../shared/checkout/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createTtlCache, findRefusal } from "../../shared/kernel/index.ts";
import { type OrderDetails, orderRepo, tryVerifyPayment } from "../../shared/orders/index.ts";
import type { RequestContext } from "../http/context.ts";
import { parsePaymentLinkToken } from "../runtime/order-links.ts";
import { runtime } from "../runtime/runtime.ts";
import { createOrderContextFor, withFxProvider } from "./order-context.ts";
import { paymentStateOf } from "./pages/payment/payment-state.ts";

/** An order that was opened by its payment link. */
export type OpenedLink = Readonly<{
  ctx: PayOrderContext;
  details: OrderDetails;
  path: string;
  isExpired: boolean;
}>;

const businesses = createTtlCache<Business>(1_000);

/** Opens the order of a link's token; null for a forged one, and for a business that is gone. */
export async function openPaymentLink(
  c: RequestContext,
  token: string,
): Promise<OpenedLink | null> {
  const link = await parsePaymentLinkToken(c.get("settings"), token);
  if (link === null) return null;
  const now = runtime.now();
  const business = await businesses.get(link.businessId, now, () =>
    businessRepo(openDb(c.env.CORE, c.get("meter"))).find(link.businessId),
  );
  if (business === null || business.status.type === "closed") return null;
  const actor = { type: "anonymous" } as const;
  const ctx = withFxProvider(c, createOrderContextFor(c, { business, actor }));
  const details = await orderRepo(ctx).get(link.orderId);
  return { ctx, details, path: `/pay/${token}`, isExpired: link.expiresAt <= now };
}

/** Asks the provider about a payment that waits, so that reloading the page shows its outcome. */
export async function verifyOpenPayment(
  link: OpenedLink,
  { isShopperDone, mayAsk }: Readonly<{ isShopperDone: boolean; mayAsk: () => Promise<boolean> }>,
): Promise<OrderDetails> {
  const { ctx, details } = link;
  const { type } = stateOf(link);
  const isWaiting =
    type === "confirm_on_phone" || type === "continue_at_provider" || type === "starting";
  if (!isWaiting || !(await mayAsk())) return details;
  try {
    const verified = await tryVerifyPayment(
      ctx,
      details,
      isShopperDone ? { requestedBy: "shopper" } : {},
    );
    return verified === "no_answer" ? details : verified;
  } catch (error) {
    if (findRefusal(error) === null) throw error; // otherwise the order changed meanwhile
    return orderRepo(ctx).get(details.order.id);
  }
}

/** What the page says about the link's order. */
export const stateOf = ({ ctx, details, isExpired }: OpenedLink) =>
  paymentStateOf({ details, isExpired, isSelling: isSelling(ctx.business) });
