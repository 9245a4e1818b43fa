import { hour } from "../../../shared/kernel/index.ts";

/** The expected state of an agent's checkout, computed from the contract (docs/agents.md#checkouts). */

/** The prices, taxes and codes of the shop, chosen so that no amount has to be rounded. */
export const shopTerms = {
  bookPrice: 200,
  teaPrices: [1_000, 1_200],
  courierPrice: 500,
  taxPercent: 10,
  /** Ten percent of the items. */
  tenCode: "TEN",
  /** An amount off, from a subtotal on. */
  bigCode: "BIG",
  bigAmount: 500,
  bigMinimum: 3_000,
} as const;

const idleMs = 6 * hour;
const totalMs = 24 * hour;

export type WantedRecord = Readonly<{
  tea: number;
  book: number;
  hasBuyer: boolean;
  delivery: "none" | "address" | "courier" | "abroad";
  codes: readonly string[];
}>;

export type ShopModel = { teaPrice: number; onHand: number };

/** An order that is not cancelled, and so reserves its tea. */
export type OrderModel = Readonly<{ tea: number; total: number; revision: number }>;

/** The state of the shop in which a call is made. */
export type Circumstances = Readonly<{
  shop: ShopModel;
  checkouts: readonly CheckoutModel[];
  now: number;
}>;

export type CheckoutModel = {
  wanted: WantedRecord;
  /** What the agent was last shown. */
  teaPrice: number;
  codes: readonly string[];
  isShort: boolean;
  /** Changes with every write. */
  revision: number;
  createdAt: number;
  changedAt: number;
  isCanceled: boolean;
  /** The code of the message that the last completion left, until the next write. */
  left: "payment_failed" | "price_changed" | "out_of_stock" | null;
  unpaid: OrderModel | null;
  sold: OrderModel | null;
};

export type Amounts = Readonly<Record<string, number>>;

/** The entries of `totals` by their types; zero discounts and taxes are no entries. */
export function totalsFor(
  { tea, book, delivery }: WantedRecord,
  { teaPrice, codes }: Pick<CheckoutModel, "teaPrice" | "codes">,
): Amounts {
  const subtotal = tea * teaPrice + book * shopTerms.bookPrice;
  const discount = subtotal === 0 ? 0 : discountOf(codes, subtotal);
  const courier = subtotal > 0 && delivery === "courier" ? shopTerms.courierPrice : null;
  // The business's own rate is one of its items and not of their delivery.
  const tax = ((subtotal - discount) * shopTerms.taxPercent) / 100;
  return {
    subtotal,
    ...(discount > 0 && { items_discount: -discount }),
    ...(courier !== null && { fulfillment: courier }),
    ...(tax > 0 && { tax }),
    total: subtotal - discount + (courier ?? 0) + tax,
  };
}

/** A cart takes one code. */
function discountOf([code]: readonly string[], subtotal: number): number {
  if (code === shopTerms.tenCode) return subtotal / 10;
  return code === shopTerms.bigCode ? shopTerms.bigAmount : 0;
}

/** The first of the codes that exists and whose conditions the items meet. */
export const appliedCodes = (
  { tea, book, codes }: WantedRecord,
  teaPrice: number,
): readonly string[] => {
  const subtotal = tea * teaPrice + book * shopTerms.bookPrice;
  const valid = codes.filter(
    (code) =>
      subtotal > 0 &&
      (code === shopTerms.tenCode ||
        (code === shopTerms.bigCode && subtotal >= shopTerms.bigMinimum)),
  );
  return valid.slice(0, 1);
};

export const totalOf = (checkout: CheckoutModel): number =>
  totalsFor(checkout.wanted, checkout).total ?? 0;

export const isExpired = ({ createdAt, changedAt }: CheckoutModel, now: number): boolean =>
  now >= Math.min(changedAt + idleMs, createdAt + totalMs);

const isShort = (checkout: CheckoutModel): boolean =>
  checkout.isShort || checkout.left === "out_of_stock";

export function statusOf(checkout: CheckoutModel, now: number): string {
  if (checkout.sold) return "completed";
  if (checkout.isCanceled || isExpired(checkout, now)) return "canceled";
  const { tea, book, hasBuyer, delivery } = checkout.wanted;
  const isComplete = tea + book > 0 && hasBuyer && delivery === "courier" && !isShort(checkout);
  return isComplete ? "ready_for_complete" : "incomplete";
}

/** The order that reserves stock for a checkout. */
export const activeOrder = ({ sold, unpaid }: CheckoutModel): OrderModel | null => sold ?? unpaid;

export const reservedTea = (checkouts: readonly CheckoutModel[]): number =>
  checkouts.reduce((sum, checkout) => sum + (activeOrder(checkout)?.tea ?? 0), 0);

/** The tea that a checkout can have; that of its own unpaid order counts. */
const availableTea = (own: CheckoutModel, { shop, checkouts }: Circumstances): number =>
  Math.max(shop.onHand - reservedTea(checkouts.filter((other) => other !== own)), 0);

/** Prices the record again and checks the stock, as every write does. */
export function replaceRecord(
  checkout: CheckoutModel,
  wanted: WantedRecord,
  circumstances: Circumstances,
): void {
  const { shop, now } = circumstances;
  checkout.wanted = wanted;
  checkout.teaPrice = shop.teaPrice;
  checkout.codes = appliedCodes(wanted, shop.teaPrice);
  checkout.isShort = wanted.tea > availableTea(checkout, circumstances);
  checkout.left = null;
  checkout.revision += 1;
  checkout.changedAt = now;
}

/** Applies a completion to the model. */
export function completeCheckout(
  checkout: CheckoutModel,
  isAccepted: boolean,
  circumstances: Circumstances,
): void {
  const { shop, now } = circumstances;
  if (statusOf(checkout, now) !== "ready_for_complete") return;
  // An order that was declined is charged again without another check.
  if (checkout.unpaid?.revision !== checkout.revision) {
    const codes = appliedCodes({ ...checkout.wanted, codes: checkout.codes }, shop.teaPrice);
    const current = { teaPrice: shop.teaPrice, codes };
    if (totalsFor(checkout.wanted, current).total !== totalOf(checkout)) {
      Object.assign(checkout, { ...current, left: "price_changed" });
      return;
    }
    if (checkout.wanted.tea > availableTea(checkout, circumstances)) {
      checkout.left = "out_of_stock";
      return;
    }
  }
  const { revision, wanted } = checkout;
  const order = { tea: wanted.tea, total: totalOf(checkout), revision };
  checkout.unpaid = isAccepted ? null : order;
  checkout.sold = isAccepted ? order : null;
  checkout.left = isAccepted ? null : "payment_failed";
}
