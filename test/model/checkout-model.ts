/** What a checkout with cash does, from the contract alone (interface.md, Checkout; completions.md 5 and 6). */
import {
  type Cart,
  couponReasons,
  dealOf,
  discounted,
  emptyCart,
  type Moment,
  needsOfLines,
  repriced,
  viewOf,
} from "./cart-model.ts";
import { availableOf, broken, type Refusal } from "./cart-rules.ts";
import { faultsOf, productOf, type Shop, type Stock } from "./shop-model.ts";

export type CheckoutOutcome =
  | Readonly<{
      type: "not sold";
      refusal: Refusal;
      /** The cart afterwards: one of these; null, exactly as it was. */
      leaves: readonly Cart[] | null;
      /** The products that are named, should any be. */
      names?: readonly string[];
    }>
  | Readonly<{ type: "sold"; cart: Cart; order: OrderView; shop: Shop }>;

export type OrderView = ReturnType<typeof orderView>;

/**
 * What may come of it: prices and deals as `seen` has them, stock and uses as they are in `truth`.
 * Several refusals may apply, and which comes first is nobody's promise.
 */
export function checkoutOutcomes(
  { seen, truth, ...at }: { seen: Shop; truth: Shop } & Pick<Moment, "now" | "quotes">,
  cart: Cart,
  { cartIsOwn, customer }: { cartIsOwn: boolean; customer: string },
): readonly CheckoutOutcome[] {
  const early = [
    ...(cartIsOwn ? [] : [{ status: 404 }]),
    ...(cart.lines.length === 0 ? [broken("CART_EMPTY")] : []),
  ];
  if (early.length > 0) return early.map((refusal) => notSold(refusal, null));
  const moment = { shop: seen, ...at };
  const gone = goneLines(moment, cart);
  const current = repriced(moment, cart);
  const reasons = cart.coupon === null ? [] : couponReasons(seen, current.lines, cart.coupon);
  const late = [
    ...reasons.map((rule) => notSold(broken(rule), withoutCoupon(cart, current))),
    ...exhausted(truth, discounted(seen, current), customer).map((refusal) =>
      notSold(refusal, withoutCoupon(cart, current)),
    ),
    ...shortages(truth, seen, current).map((refusal) => notSold(refusal, null)),
  ];
  if (gone) return [gone];
  if (late.length > 0) return late;
  const sold = discounted(seen, current);
  return [
    {
      type: "sold",
      cart: emptyCart,
      order: orderView(seen, sold),
      shop: afterSale(truth, seen, { sold, customer }),
    },
  ];
}

const notSold = (refusal: Refusal, leaves: readonly Cart[] | null): CheckoutOutcome => ({
  type: "not sold",
  refusal,
  leaves,
});

/** The contract does not say whether a refused sale takes prices anew. */
const withoutCoupon = (...carts: readonly Cart[]): readonly Cart[] =>
  carts.map((cart) => ({ ...cart, coupon: null, discount: 0n }));

/** Lines that cannot be bought any more are dropped, and named. */
function goneLines(moment: Moment, cart: Cart): CheckoutOutcome | null {
  const { shop } = moment;
  const isGone = ({ configuration }: Cart["lines"][number]) =>
    faultsOf(shop, configuration).length > 0;
  const gone = cart.lines.filter(isGone);
  if (gone.length === 0) return null;
  const lines = cart.lines.filter((line) => !isGone(line));
  const left = discounted(shop, repriced(moment, { ...cart, lines }));
  const names = gone.map(({ configuration }) => nameOf(shop, configuration.productId));
  return { type: "not sold", refusal: broken("ITEM_UNAVAILABLE"), leaves: [left], names };
}

const nameOf = (shop: Shop, productId: string): string => productOf(shop, productId)?.name ?? "";

/** Used up since it was applied; what takes nothing off uses nothing. */
function exhausted(truth: Shop, cart: Cart, customer: string): Refusal[] {
  const deal = dealOf(truth, cart.coupon);
  if (!deal || cart.discount === 0n) return [];
  const { usedBy, limit, limitOfCustomer } = deal;
  const ofCustomer = usedBy.filter((one) => one === customer).length;
  const isUsedUp =
    (limit !== null && usedBy.length >= limit) ||
    (limitOfCustomer !== null && ofCustomer >= limitOfCustomer);
  return isUsedUp ? [broken("COUPON_EXHAUSTED")] : [];
}

const shortages = (truth: Shop, seen: Shop, { lines }: Cart): Refusal[] =>
  [...needsOfLines(seen, lines)].flatMap(([item, pieces]) => {
    const available = availableOf(truth, item);
    return pieces > available ? [{ ...broken("OUT_OF_STOCK"), available }] : [];
  });

function afterSale(
  truth: Shop,
  seen: Shop,
  { sold, customer }: { sold: Cart; customer: string },
): Shop {
  const taken = [...needsOfLines(seen, sold.lines)].map(([item, pieces]): [string, Stock] => {
    const { onHand, reserved } = truth.stock[item] ?? { onHand: 0, reserved: 0 };
    return [item, { onHand, reserved: reserved + pieces }];
  });
  const isUsed = (code: string) => code === sold.coupon && sold.discount > 0n;
  return {
    ...truth,
    stock: { ...truth.stock, ...Object.fromEntries(taken) },
    deals: truth.deals.map((deal) =>
      isUsed(deal.code) ? { ...deal, usedBy: [...deal.usedBy, customer] } : deal,
    ),
  };
}

/** The order as whoever holds its bill_token reads it. */
function orderView(shop: Shop, cart: Cart) {
  const { items, pricing } = viewOf(shop, cart);
  const { subtotal, discount_total, tax_total, total_price, currency } = pricing;
  return {
    status: "pending",
    payment_status: "pending",
    payment_method: "cash",
    subtotal,
    discount_total,
    tax_amount: tax_total,
    total_price,
    currency,
    items: items.map((item) => ({
      product_id: item.item_id,
      product_name: item.name,
      variant_name: item.variant_name,
      quantity: item.quantity,
      unit_price: item.unit_price,
      total: item.line_total,
    })),
  };
}
