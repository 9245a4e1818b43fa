import {
  assertCartFits,
  type Cart,
  type CartContext,
  cartPrice,
  cartProductIds,
  findCoupon,
  findOffer,
  findOptions,
  maxCartLines,
  prefetchDeliveryOptions,
  prefetchTerms,
  pricedLines,
  requiresHandover,
  toCartCoupon,
  withCurrentTax,
  withDiscounts,
  withOption,
} from "../../cart/index.ts";
import type { DeliveryOption } from "../../delivery/index.ts";
import { ruleViolation } from "../../kernel/index.ts";
import { linesRejection, type ProductSet } from "../../pricing/index.ts";
import type {
  AgentCartRequest,
  AgentCoupon,
  AgentProblem,
  AgentSession,
} from "../agent-session.ts";
import { type DeliveryWish, deliveryWishOf } from "./delivery-wish.ts";
import {
  invalidAddress,
  missingDestination,
  missingOption,
  optionUnavailable,
  undeliverable,
} from "./problems.ts";
import { findConfigurations, mergeRepeatedItems } from "./requested-items.ts";
import { findShortages, priceRequestedLines, unpricedLine } from "./requested-lines.ts";

/** What follows from an agent's request for its cart. */
type PricedRequest = Readonly<{ cart: Cart }> &
  Pick<AgentSession, "deliveryOptions" | "coupons" | "problems" | "needsHandover">;

type CartOfferRead = Awaited<ReturnType<typeof findOffer>>;

/**
 * The cart with exactly what the request says, at current prices. What cannot be bought is left out
 * and becomes a problem. Makes at most three round trips, and one when the catalogue is cached.
 *
 * @throws Refusal CART_FULL, LINE_TOO_LARGE, VALIDATION_ERROR for a total too large to charge.
 */
export async function priceAgentRequest(
  ctx: CartContext,
  cart: Cart,
  request: AgentCartRequest,
): Promise<PricedRequest> {
  const items = mergeRepeatedItems(request.lines);
  if (items.length > maxCartLines) {
    throw ruleViolation("CART_FULL", `A cart holds at most ${maxCartLines} lines.`);
  }
  const wish = deliveryWishOf(ctx.business, request.fulfilment);
  const configurations = await findConfigurations(ctx, cart, items);
  const requested = items.map((line) => ({
    line,
    configuration: configurations.get(line.itemId) ?? null,
  }));
  const unread = requested.flatMap(({ configuration }) =>
    configuration ? [unpricedLine(configuration)] : [],
  );
  const read = { ...cart, lines: unread, delivery: wish.target };
  const products = await ctx.findProducts(cartProductIds(read), request.couponCodes, [
    ...prefetchTerms(ctx, read),
    ...prefetchDeliveryOptions(ctx, read, wish.place),
  ]);
  const priced = priceRequestedLines(ctx, cart, requested, products);
  const current = { ...cart, lines: priced.lines, delivery: null, coupons: [], notices: [] };
  assertCartFits(current);
  const shortages = await findShortages(ctx, current.lines, products);
  const offer = await findOffer(ctx, request.couponCodes);
  const { discounted, coupons } = withCodes(ctx, current, { request, products, offer });
  const delivered = await deliverCart(ctx, discounted, { wish, products, offer });
  const deliveryAddress = wish.type === "shipping" ? wish.address : null;
  const taxed = await withCurrentTax(ctx, { ...delivered.cart, deliveryAddress });
  cartPrice(taxed, ctx.business.settings.tax); // rejects totals too large to charge
  return {
    cart: { ...taxed, updatedAt: ctx.now() },
    deliveryOptions: delivered.options,
    needsHandover: delivered.needsHandover,
    coupons,
    problems: [...priced.problems, ...shortages, ...delivered.problems],
  };
}

type PricingTerms = Readonly<{ products: ProductSet; offer: CartOfferRead }>;

/** The cart with the codes that apply, as many as a cart may have. */
function withCodes(
  { business, now: clock }: CartContext,
  cart: Cart,
  { request, products, offer }: PricingTerms & Readonly<{ request: AgentCartRequest }>,
): Readonly<{ discounted: Cart; coupons: readonly AgentCoupon[] }> {
  const now = clock();
  const lines = pricedLines(cart.lines, products);
  let applied: Cart["coupons"] = [];
  const coupons: AgentCoupon[] = [];
  for (const code of request.couponCodes) {
    const deal = findCoupon(offer, code);
    if (findCoupon({ coupons: applied }, code)) continue; // sent twice
    const reason = linesRejection(deal, { lines, now });
    const isFull = applied.length >= business.settings.maxCoupons;
    const rejection = reason ?? (isFull ? "COUPON_LIMIT" : null);
    if (rejection === null && deal) applied = [...applied, toCartCoupon(deal)];
    coupons.push({ code, rejection });
  }
  const discounted = withDiscounts({ ...cart, coupons: applied }, { products, offer, now });
  return { discounted: { ...discounted, notices: [] }, coupons };
}

type Delivered = Readonly<{
  cart: Cart;
  options: readonly DeliveryOption[];
  needsHandover: boolean;
  problems: readonly AgentProblem[];
}>;

/** The cart with the chosen option, and what can be chosen. */
export async function deliverCart(
  ctx: CartContext,
  cart: Cart,
  { wish, products, offer }: PricingTerms & Readonly<{ wish: DeliveryWish }>,
): Promise<Delivered> {
  const needsHandover = cart.lines.length > 0 && requiresHandover(cart, products);
  if (!needsHandover) return { cart, options: [], needsHandover, problems: [] };
  const offered = await ctx.delivery.offers.find(wish.place);
  const zones = wish.type === "shipping" ? offered.zones : [];
  const terms = { products, offer, delivery: { zones } };
  const options = (await findOptions(ctx, cart, terms)).filter(({ type }) =>
    wish.type === null ? true : (type === "pickup") === (wish.type === "pickup"),
  );
  const { optionId, destinationId, address } = wish;
  const hasChoice =
    offered.hasMethods || ctx.business.locations.some(({ offersPickup }) => offersPickup);
  const problem = (found: AgentProblem | null): Delivered => ({
    ...{ cart, options, needsHandover },
    problems: found ? [found] : [],
  });
  if (!hasChoice) return problem(null);
  if (wish.type === "shipping" && destinationId !== null) {
    if (wish.place === null) return problem(invalidAddress(destinationId));
    if (options.length === 0) return problem(undeliverable(destinationId));
  }
  if (optionId === null) return problem(options.length > 0 ? missingOption : missingDestination);
  const chosen = options.some(({ id }) => id === optionId)
    ? await withOption(ctx, cart, { ...terms, optionId, address })
    : null;
  return chosen ? { ...problem(null), cart: chosen } : problem(optionUnavailable);
}
