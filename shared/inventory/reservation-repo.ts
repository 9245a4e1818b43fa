import { and, eq, type SQL, sql } from "drizzle-orm";
import { actorName, type ConstraintName, type Write } from "../database/index.ts";
import { itemLocationsQuery, lowStockRepo } from "./low-stock-repo.ts";
import type { StockReservation } from "./reservation.ts";
import type { StockContext } from "./stock-level.ts";
import { stockLevels, stockMovements, stockReservations } from "./tables.ts";

/** The quantity of an item that an order needs. */
export type StockRequirement = Readonly<{
  itemId: string;
  quantity: number;
  /** The part of `quantity` that may only come from the order's own location. */
  preferredOnlyQuantity: number;
}>;

/** By how much a level's two quantities change for each reserved unit. */
type LevelChange = Readonly<{
  reason: "reserve" | "release" | "fulfil";
  onHand: 0 | -1;
  reserved: 1 | -1;
}>;

const reservation: LevelChange = { reason: "reserve", onHand: 0, reserved: 1 };
const releasing: LevelChange = { reason: "release", onHand: 0, reserved: -1 };
const fulfilment: LevelChange = { reason: "fulfil", onHand: -1, reserved: -1 };

/**
 * Writes that reserve stock for an order at given locations. The batch fails on
 * `stock_not_oversold` when too little is available and on `stock_reservations_level` when a level
 * is missing. It fails on the primary key when the order already has reservations.
 */
export function reserveStock(
  ctx: StockContext,
  orderId: string,
  reservations: readonly StockReservation[],
): Write[] {
  if (reservations.length === 0) return [];
  const insert = ctx.db.insert(stockReservations).select(
    sql`select ${orderId}, ${ctx.business.id}, value ->> '$.itemId', value ->> '$.locationId', value ->> '$.quantity'
      from json_each(${JSON.stringify(reservations)})`,
  );
  return [insert, ...applyReservations(ctx, sql`(${orderId})`, itemLocationsQuery(reservations))];
}

/**
 * Writes that reserve stock for an order. The locations are chosen like in `planReservation`, but
 * inside the batch, so that no other order can take the stock in between. When too little is
 * available, the batch fails with an error that `isStockShortage` recognises.
 */
export function reserveStockAnywhere(
  ctx: StockContext,
  orderId: string,
  {
    requirements,
    preferredLocationId,
  }: { requirements: readonly StockRequirement[]; preferredLocationId: string },
): Write[] {
  if (requirements.length === 0) return [];
  const locationIds = ctx.business.locations.map(({ id }) => id);
  if (locationIds.every((id) => id === preferredLocationId)) {
    const here = requirements.map((item) => ({ ...item, locationId: preferredLocationId }));
    return reserveStock(ctx, orderId, here);
  }
  const allocation = stockAllocationQuery(requirements, {
    businessId: ctx.business.id,
    locationIds,
    preferredLocationId,
  });
  const insert = ctx.db.insert(stockReservations).select(
    sql`select ${orderId}, ${ctx.business.id}, allocated.item_id, allocated.location_id, allocated.quantity
      from (${allocation}) as allocated`,
  );
  const ids = sql`(${orderId})`;
  return [insert, ...applyReservations(ctx, ids, reservedLevelsQuery(ctx, ids))];
}

/** Writes that release an order's reservations. Without reservations they change nothing. */
export function releaseStock(ctx: StockContext, orderId: string): Write[] {
  const ids = sql`(${orderId})`;
  return [
    insertMovements(ctx, ids, releasing),
    updateReservedLevels(ctx, ids, releasing),
    lowStockRepo(ctx).updateFlags(reservedLevelsQuery(ctx, ids)),
    deleteReservations(ctx, ids),
  ];
}

/**
 * Writes that remove the reserved units of fulfilled orders from stock. The available quantity does
 * not change.
 */
export function fulfilStock(ctx: StockContext, orderIds: readonly string[]): Write[] {
  const ids = sql`(select value from json_each(${JSON.stringify(orderIds)}))`;
  return [
    insertMovements(ctx, ids, fulfilment),
    updateReservedLevels(ctx, ids, fulfilment),
    deleteReservations(ctx, ids),
  ];
}

/**
 * Writes that return an order's units to stock. Reserved units become available, and units that were
 * shipped or fulfilled are on hand again. They are returned only once, because of the primary key of
 * the movements.
 */
export function restockOrder(ctx: StockContext, orderId: string): Write[] {
  const { db, business } = ctx;
  const isFulfilment = and(
    eq(stockMovements.orderId, orderId),
    eq(stockMovements.businessId, business.id),
    eq(stockMovements.reason, fulfilment.reason),
  );
  const fulfilledQuantity = sql`(select -sum(${stockMovements.onHandDelta}) from ${stockMovements}
    where ${isFulfilment} and ${stockMovements.itemId} = ${stockLevels.itemId}
      and ${stockMovements.locationId} = ${stockLevels.locationId})`;
  const fulfilledLevels = sql`select ${stockMovements.itemId}, ${stockMovements.locationId} from ${stockMovements} where ${isFulfilment}`;
  return [
    ...releaseStock(ctx, orderId),
    db
      .update(stockLevels)
      .set({
        quantityOnHand: sql`${stockLevels.quantityOnHand} + ${fulfilledQuantity}`,
        updatedAt: ctx.now(),
      })
      .where(isOneOf(ctx, fulfilledLevels)),
    db.insert(stockMovements).select(
      sql`select ${`${orderId}:restock:`} || ${stockMovements.itemId} || ':' || ${stockMovements.locationId},
        ${business.id}, ${stockMovements.itemId}, ${stockMovements.locationId},
        -sum(${stockMovements.onHandDelta}), 0, 'restock', ${orderId}, ${actorName(ctx.actor)}, ${ctx.now()}
        from ${stockMovements} where ${isFulfilment}
        group by ${stockMovements.itemId}, ${stockMovements.locationId}`,
    ),
    lowStockRepo(ctx).updateFlags(fulfilledLevels),
  ];
}

/** Whether a batch failed because an order needs more stock than its allowed locations have. */
export const isStockShortage = (constraint: ConstraintName | null): boolean =>
  constraint !== null && stockShortageConstraints.includes(constraint);

const stockShortageConstraints: readonly ConstraintName[] = [
  "stock_reservations.quantity",
  "stock_reservations.location_id",
  "stock_reservations_level",
  "stock_not_oversold",
];

/**
 * Selects item_id, location_id and quantity, allocated to locations by the rule of
 * `planReservation`. An item with too little stock gets rows in which quantity or location_id is
 * null. Inserting such a row violates a NOT NULL constraint.
 */
export function stockAllocationQuery(
  requirements: readonly StockRequirement[],
  {
    businessId,
    locationIds,
    preferredLocationId,
  }: Readonly<{
    businessId: string;
    /** The locations that stock is sold from. */
    locationIds: readonly string[];
    /** The order's own location, whose stock is used first. */
    preferredLocationId: string;
  }>,
): SQL {
  const available = sql`(level.quantity_on_hand - level.quantity_reserved)`;
  const byPreference = sql`order by candidate.location_id = ${preferredLocationId} desc,
    candidate.available desc, candidate.location_id`;
  return sql`
    select allocation.item_id, allocation.location_id,
      case when allocation.available_at_preferred >= allocation.preferred_only
        and allocation.available_anywhere >= allocation.required
        then allocation.quantity end as quantity
    from (
      select candidate.*,
        min(candidate.available, candidate.required - coalesce(sum(candidate.available) over (
          partition by candidate.item_id ${byPreference}
          rows between unbounded preceding and 1 preceding), 0)) as quantity,
        sum(candidate.available) over (partition by candidate.item_id) as available_anywhere,
        sum(iif(candidate.location_id = ${preferredLocationId}, candidate.available, 0))
          over (partition by candidate.item_id) as available_at_preferred
      from (
        select item.value ->> '$.itemId' as item_id, item.value ->> '$.quantity' as required,
          item.value ->> '$.preferredOnlyQuantity' as preferred_only, level.location_id,
          coalesce(${available}, 0) as available
        from json_each(${JSON.stringify(requirements)}) as item
        left join stock_levels as level on level.business_id = ${businessId}
          and level.item_id = item.value ->> '$.itemId' and ${available} > 0
          and +level.location_id in (select value from json_each(${JSON.stringify(locationIds)}))
      ) as candidate
    ) as allocation
    where allocation.quantity > 0 or allocation.location_id is null`;
}

/** Writes that apply the order's new reservations to the stock levels and the ledger. */
const applyReservations = (ctx: StockContext, orderIds: SQL, levels: SQL): Write[] => [
  updateReservedLevels(ctx, orderIds, reservation),
  insertMovements(ctx, orderIds, reservation),
  ...lowStockRepo(ctx).insertEventsAndUpdateFlags(levels),
];

function updateReservedLevels(
  ctx: StockContext,
  orderIds: SQL,
  { onHand, reserved }: LevelChange,
): Write {
  const quantity = sql`(select sum(${stockReservations.quantity}) from ${stockReservations}
    where ${isReservedBy(ctx, orderIds)} and ${stockReservations.itemId} = ${stockLevels.itemId}
      and ${stockReservations.locationId} = ${stockLevels.locationId})`;
  return ctx.db
    .update(stockLevels)
    .set({
      quantityOnHand: sql`${stockLevels.quantityOnHand} + ${onHand} * ${quantity}`,
      quantityReserved: sql`${stockLevels.quantityReserved} + ${reserved} * ${quantity}`,
      updatedAt: ctx.now(),
    })
    .where(isOneOf(ctx, reservedLevelsQuery(ctx, orderIds)));
}

/**
 * Inserts movements. The id of a movement consists of order, reason, item and location, so that no
 * movement is recorded twice.
 */
const insertMovements = (
  ctx: StockContext,
  orderIds: SQL,
  { reason, onHand, reserved }: LevelChange,
): Write =>
  ctx.db.insert(stockMovements).select(
    sql`select ${stockReservations.orderId} || ${`:${reason}:`} || ${stockReservations.itemId} || ':' || ${stockReservations.locationId},
      ${ctx.business.id}, ${stockReservations.itemId}, ${stockReservations.locationId},
      ${onHand} * ${stockReservations.quantity}, ${reserved} * ${stockReservations.quantity},
      ${reason}, ${stockReservations.orderId}, ${actorName(ctx.actor)}, ${ctx.now()}
      from ${stockReservations} where ${isReservedBy(ctx, orderIds)}`,
  );

const deleteReservations = (ctx: StockContext, orderIds: SQL): Write =>
  ctx.db.delete(stockReservations).where(isReservedBy(ctx, orderIds));

/** Selects item_id and location_id of the levels from which the orders reserve stock. */
const reservedLevelsQuery = (ctx: StockContext, orderIds: SQL): SQL =>
  sql`select ${stockReservations.itemId}, ${stockReservations.locationId} from ${stockReservations} where ${isReservedBy(ctx, orderIds)}`;

const isReservedBy = ({ business }: StockContext, orderIds: SQL) =>
  and(
    sql`${stockReservations.orderId} in ${orderIds}`,
    eq(stockReservations.businessId, business.id),
  );

const isOneOf = ({ business }: StockContext, levels: SQL) =>
  and(
    eq(stockLevels.businessId, business.id),
    sql`(${stockLevels.itemId}, ${stockLevels.locationId}) in (${levels})`,
  );
