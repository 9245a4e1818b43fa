/** An order that becomes older, so that the demo shops have a past. */
export type MovedOrder = Readonly<{
  orderId: string;
  byMs: number;
  /** How much earlier its bookings begin; they stay when it is left out. */
  bookingsByMs?: number;
}>;

/** The times of an order's records, by table and the column that names the order. */
const timesByTable: readonly (readonly [
  table: string,
  order: string,
  columns: readonly string[],
])[] = [
  ["orders", "id", ["created_at", "updated_at"]],
  ["order_history", "order_id", ["at"]],
  ["payments", "order_id", ["created_at", "updated_at", "settled_at"]],
  ["refunds", "order_id", ["created_at", "updated_at", "settled_at"]],
  ["stock_movements", "order_id", ["at"]],
  ["bookings", "order_id", ["created_at", "updated_at"]],
];

const bookingTimes: typeof timesByTable = [
  ["bookings", "order_id", ["start_time", "end_time"]],
  ["slot_claims", "order_id", ["starts_at", "ends_at", "occupied_until"]],
];

/** SQL that makes the times of the orders in ?1 earlier, each by its own `field`. */
const moveTimes = (
  [table, order, columns]: (typeof timesByTable)[number],
  field: keyof MovedOrder,
) =>
  `update ${table} set ${columns
    .map((column) => `${column} = ${column} - (moved.value ->> '${field}')`)
    .join(", ")}
  from json_each(?1) as moved
  where ${table}.${order} = moved.value ->> 'orderId' and moved.value ->> '${field}' is not null`;

/** The statements that move the orders. They go to each database; each has its own orders. */
export const moveStatements: readonly string[] = [
  ...timesByTable.map((times) => moveTimes(times, "byMs")),
  ...bookingTimes.map((times) => moveTimes(times, "bookingsByMs")),
];
