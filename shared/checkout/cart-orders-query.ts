import { type SQL, sql } from "drizzle-orm";
import { batchedRead, createPrefetch, knownPrefetch, type Prefetch } from "../database/index.ts";
import { type DealUser, dealUserGroupsQuery, redemptionRepo } from "../deals/index.ts";
import {
  type OrderDetails,
  type OrderRecord,
  orderDetailsQueries,
  orderIdsOfCart,
  toOrderRecords,
} from "../orders/index.ts";
import type { CheckoutContext } from "./context.ts";
import { type DealRights, toDealRights } from "./used-up-deals.ts";

/** What a resumed checkout reads before it places its order. */
type ResumedPlacing = Readonly<{
  /** The order that an earlier run of this checkout placed; null when there is none. */
  order: OrderDetails | null;
  cartOrders: CartOrders;
  rights: DealRights;
}>;

/** The earlier orders of a cart. */
type CartOrders = Readonly<{
  /** The orders that were requested by id, and the cart's other orders that are not cancelled. */
  orders: readonly OrderDetails[];
  /**
   * The number of the cart's next order, counted from 1. The unique index `orders_of_cart` rejects
   * a number that another order has taken meanwhile.
   */
  turn: number;
}>;

/**
 * The result for a cart without known orders. If the cart has an order after all, number 1 is taken
 * and the batch that places the order fails.
 */
const noCartOrders: CartOrders = { orders: [], turn: 1 };

type ResumedPlacingQuery = Readonly<{
  orderId: string;
  cartId: string;
  /** The ids of the orders that the plan replaces. Other orders of the cart are read too. */
  earlierIds: readonly string[];
  user: DealUser;
  couponCodes: readonly string[];
}>;

/** Prefetches what a resumed run needs in addition to the catalogue. */
export function prefetchResumedPlacing(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { orderId, cartId, earlierIds, user, couponCodes }: ResumedPlacingQuery,
): Prefetch<ResumedPlacing> {
  const uses = { couponCodes, releasedOrderIds: earlierIds };
  const isOwn = ({ details }: OrderRecord) => details.order.id === orderId;
  return createPrefetch(ctx.db, () => {
    const orderIds = orderIdsQuery(ctx, [orderId, ...earlierIds], cartId);
    const queries = [
      redemptionRepo(ctx).exhaustedDealsQuery(user, uses),
      dealUserGroupsQuery(ctx, user),
      ...orderDetailsQueries(ctx, orderIds),
    ] as const;
    return batchedRead(queries, ([usedUp, groups, ...rows]) => {
      const records = toOrderRecords(rows);
      const others = records.filter((record) => !isOwn(record));
      return {
        order: records.find(isOwn)?.details ?? null,
        cartOrders: toCartOrders(others, { orderIds: earlierIds, cartId }),
        rights: toDealRights(usedUp, groups),
      };
    });
  });
}

type CartOrdersQuery = Readonly<{ orderIds: readonly string[]; cartId: string | null }>;

/** Prefetches the orders with these ids and, with a cart id, all orders of that cart. */
export function prefetchCartOrders(
  ctx: Pick<CheckoutContext, "db" | "business">,
  query: CartOrdersQuery,
): Prefetch<CartOrders> {
  const { orderIds, cartId } = query;
  if (orderIds.length === 0 && cartId === null) return knownPrefetch(noCartOrders);
  return createPrefetch(ctx.db, () =>
    batchedRead(orderDetailsQueries(ctx, orderIdsQuery(ctx, orderIds, cartId)), (rows) =>
      toCartOrders(toOrderRecords(rows), query),
    ),
  );
}

/** Loads the orders with these ids and all orders of a cart in one round trip. */
export const loadCartOrders = async (
  ctx: Pick<CheckoutContext, "db" | "business">,
  query: CartOrdersQuery,
): Promise<readonly OrderDetails[]> => (await prefetchCartOrders(ctx, query).load()).orders;

function orderIdsQuery(
  ctx: Pick<CheckoutContext, "business">,
  ids: readonly string[],
  cartId: string | null,
): SQL {
  const named = sql`select value from json_each(${JSON.stringify(ids)})`;
  return cartId === null ? sql`(${named})` : sql`(${named} union ${orderIdsOfCart(ctx, cartId)})`;
}

/**
 * Leaves out the cart's cancelled orders, because their payments were checked when they were
 * cancelled.
 */
function toCartOrders(
  records: readonly OrderRecord[],
  { orderIds, cartId }: CartOrdersQuery,
): CartOrders {
  const turns = records.map(({ cartTurn }) => (cartTurn?.cartId === cartId ? cartTurn.turn : 0));
  const orders = records
    .map(({ details }) => details)
    .filter(({ order }) => order.status !== "cancelled" || orderIds.includes(order.id));
  return { orders, turn: Math.max(0, ...turns) + 1 };
}
