import { coveredLines } from "../cart/index.ts";
import { type Companion, companionOf } from "../catalogue/index.ts";
import { type LiveDeal, type Offer, redemptionRepo } from "../deals/index.ts";
import {
  type CoveredLine,
  cartTotals,
  couponRefused,
  type Discount,
  discountsOn,
  discountTotal,
} from "../pricing/index.ts";
import type { Checkout, CheckoutRequest, Plan } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { refitted } from "./pay-currency.ts";
import { type Replaced, withReturnedUses } from "./replaced-orders.ts";

/** By their ids, the deals that a customer cannot have any more. */
export type UsedUp = ReadonlySet<string>;

/** Whose use of a deal an order is: a guest is known by the e-mail address, else by the phone. */
export const customerKeyOf = (
  { login }: Pick<Plan, "login">,
  { customer }: Pick<CheckoutRequest, "customer">,
): string => login?.customerId ?? customer.email ?? customer.phone ?? "";

export type SoughtUses = Readonly<{
  companions: readonly Companion[];
  /** What came along with another read; null when none was made. */
  known: () => UsedUp | null;
  find: () => Promise<UsedUp>;
}>;

type SoughtSale = Readonly<{
  customerKey: string;
  couponCode: string | null;
  /** The orders whose uses are given back as it is placed. */
  givenBack: readonly string[];
}>;

/** What is used up of the deals on offer, as a companion of the products' read. */
export function soughtUses(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { customerKey, ...sale }: SoughtSale,
): SoughtUses {
  const query = redemptionRepo(ctx).usedUp(customerKey, sale);
  const idsIn = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id));
  let taken: UsedUp | null = null;
  const companion = companionOf(query, (rows) => {
    taken = idsIn(rows);
  });
  return {
    companions: [companion],
    known: () => taken,
    find: async () => taken ?? idsIn(await query),
  };
}

type Sale = Readonly<{ lines: readonly CoveredLine[]; offer: Offer; now: number }>;

/**
 * Whether the uses have to be known before the order is placed: where the next best deal may be used up
 * as well as the best. Of one, the batch that fails on it says so.
 */
export function mustKnowUses({ lines, offer, now }: Sale): boolean {
  const best = limitedIn(discountsOn(lines, offer, now), offer);
  if (!best) return false;
  const next = withoutDeals(offer, new Set([best.id]));
  return limitedIn(discountsOn(lines, next, now), next) !== undefined;
}

/** The automatic deal among discounts, where its uses are limited. */
const limitedIn = (discounts: readonly Discount[], { automatic }: Offer): LiveDeal | undefined =>
  automatic.find(
    ({ id, usageLimit, perCustomerLimit }) =>
      (usageLimit !== null || perCustomerLimit !== null) &&
      discounts.some(({ dealId }) => dealId === id),
  );

/** The offer to a customer who used some of it up; a coupon stays, to be refused by its name. */
export const withoutDeals = (offer: Offer, usedUp: UsedUp): Offer => ({
  ...offer,
  automatic: offer.automatic.filter(({ id }) => !usedUp.has(id)),
});

/**
 * The checkout as it can be had by a customer who used up some deals since it was planned. No round
 * trip where the catalogue is remembered, one otherwise.
 *
 * @throws Refusal COUPON_EXHAUSTED when the coupon is one of them (completions.md 5), COUPON_INVALID
 * when it has gone altogether.
 */
export async function withoutUsedUp(
  ctx: CheckoutContext,
  checkout: Checkout,
  { usedUp, replaced }: Readonly<{ usedUp: UsedUp; replaced: readonly Replaced[] }>,
): Promise<Checkout> {
  const { plan } = checkout;
  if (!plan.discounts.some(({ dealId }) => usedUp.has(dealId))) return checkout;
  const all = new Set([...(plan.usedUp ?? []), ...usedUp]);
  const { offer, lines } = await findOffer(ctx, plan, replaced);
  const discounts = discountsOn(lines, withoutDeals(offer, all), plan.createdAt);
  if (isExhausted(discounts, all)) throw couponRefused("COUPON_EXHAUSTED");
  const totals = totalsWith(ctx, plan, discounts);
  const fx = refitted(plan.fx, totals.totalPriceMinor);
  return { ...checkout, plan: { ...plan, discounts, totals, fx, usedUp: [...all] } };
}

/** The same for what its batch failed on. @throws as `withoutUsedUp`. */
export async function withoutRefused(
  ctx: CheckoutContext,
  checkout: Checkout,
  {
    refused,
    replaced,
  }: Readonly<{ refused: "coupon" | "automatic"; replaced: readonly Replaced[] }>,
): Promise<Checkout> {
  if (refused === "coupon") throw couponRefused("COUPON_EXHAUSTED");
  const automatic = checkout.plan.discounts.filter(({ code }) => code === null);
  const usedUp = new Set(automatic.map(({ dealId }) => dealId));
  return withoutUsedUp(ctx, checkout, { usedUp, replaced });
}

async function findOffer(ctx: CheckoutContext, plan: Plan, replaced: readonly Replaced[]) {
  const couponCode = couponIn(plan);
  const ids = plan.lines.map(({ configuration }) => configuration.productId);
  const products = await ctx.findProducts(ids, couponCode);
  const offer = withReturnedUses(await ctx.findDeals(couponCode), replaced);
  if (couponCode !== null && offer.coupon === null) throw couponRefused("COUPON_INVALID");
  return { offer, lines: coveredLines(plan.lines, products) };
}

/** Whether a coupon that is used up takes something off: one that takes nothing uses nothing. */
export const isExhausted = (discounts: readonly Discount[], usedUp: UsedUp): boolean =>
  discounts.some(({ code, dealId }) => code !== null && usedUp.has(dealId));

/** The code that the order came with. */
export const couponIn = ({ couponCode, discounts }: Plan): string | null =>
  couponCode ?? discounts.find(({ code }) => code !== null)?.code ?? null;

const totalsWith = (ctx: CheckoutContext, { lines }: Plan, discounts: Plan["discounts"]) =>
  cartTotals({
    lines: lines.map(({ quantity, snapshot }) => ({
      quantity,
      unitPriceMinor: snapshot.unitPriceMinor,
    })),
    discountMinor: discountTotal(discounts),
    tax: ctx.business.settings.tax,
  });
