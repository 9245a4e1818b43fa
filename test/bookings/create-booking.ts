import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { weekdays } from "../../shared/kernel/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { type ApiResponse, createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

/** A Monday, before the shop opens. */
export const start = Date.parse("2030-05-06T06:00:00Z");
/** A time on that day as ISO text; the business is in Accra, which has UTC all year. */
export const at = (hour: number, minutes = 0): string =>
  new Date(Date.UTC(2030, 4, 6, hour, minutes)).toISOString();

/** Creates a business that is open from 8:00 to 18:00 every day, with the clock frozen before opening. */
export async function createBookingShop() {
  vi.setSystemTime(start);
  const shop = await createBusiness();
  const operatingHours = Object.fromEntries(
    weekdays.map((day) => [day, [{ open: "08:00", close: "18:00" }]]),
  );
  await env.CORE.prepare("update locations set operating_hours = ? where business_id = ?")
    .bind(JSON.stringify(operatingHours), shop.business.id)
    .run();
  const locations = shop.business.locations.map((one) => ({ ...one, operatingHours }));
  return { ...shop, business: { ...shop.business, locations } };
}

export type BookingShop = Awaited<ReturnType<typeof createBookingShop>>;
export type ShopperClient = ReturnType<typeof shopper>;

/** Returns the data of a response, which must be a success. */
export async function requireData(call: Promise<ApiResponse>) {
  const answer = await call;
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return dataOf(answer);
}

/** Creates a service of one hour. */
export const createService = (shop: BookingShop, fields: object = {}) =>
  requireData(
    merchant(shop)("POST", "/services", {
      body: { name: "Massage", default_price: "80", duration_minutes: 60, ...fields },
    }),
  );

export const createStaffMember = async (
  shop: BookingShop,
  name = "Ama",
  fields: object = {},
): Promise<string> =>
  (await requireData(merchant(shop)("POST", "/staff", { body: { name, ...fields } }))).id;

export const createResource = async (shop: BookingShop, capacity: number): Promise<string> =>
  (await requireData(merchant(shop)("POST", "/resources", { body: { name: "Room", capacity } })))
    .id;

type BookableProduct = Readonly<{ product_id: string }>;

/** Adds a service at a time to the cart; the response may be a refusal. */
export const addSlotToCart = (
  ask: ShopperClient,
  { product_id }: BookableProduct,
  when: string,
  fields: object = {},
): Promise<ApiResponse> =>
  ask("POST", "/cart/items", {
    body: { item_id: product_id, scheduled_start: when, ...fields },
  });

export const cash = { payment_method: "cash" };
/** A mobile money payment whose sandbox result depends on the last digit of the number. */
export const mobileMoney = (digit: number) => ({
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: `024123456${digit}`, provider: "mtn" },
});

export async function checkOut(
  ask: ShopperClient,
  fields: object = cash,
  key?: string,
): Promise<ApiResponse> {
  const { id: cart_id } = await requireData(ask("GET", "/cart"));
  return ask("POST", "/checkout", {
    body: { cart_id, customer: { phone: "0241234567" }, ...fields },
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });
}

/** Places an order for a service and returns its booking with the order's id and bill token. */
export async function createBooking(
  shop: BookingShop,
  service: BookableProduct,
  { when = at(9), pay = mobileMoney(0), ask = shopper(shop), fields = {} }: BookingOptions = {},
) {
  await requireData(addSlotToCart(ask, service, when, fields));
  const { order_id: orderId, bill_token: token } = await requireData(checkOut(ask, pay));
  const order = await requireData(ask("GET", `/orders/${orderId}?token=${token}`));
  return { ask, orderId: String(orderId), token: String(token), booking: order.bookings[0] };
}

type BookingOptions = Readonly<{
  when?: string;
  pay?: object;
  ask?: ShopperClient;
  fields?: object;
}>;

/** Lists [kind, participants, start] of each slot allocation in the database, by start. */
export async function listSlotAllocations(shop: BookingShop): Promise<unknown[]> {
  const rows = await selectRows(
    shop,
    "select kind, participants, starts_at from slot_claims where business_id = ? order by starts_at, id",
    shop.business.id,
  );
  return rows.map(({ kind, participants, starts_at }) => [
    kind,
    participants,
    new Date(Number(starts_at)).toISOString(),
  ]);
}

/** The status of a response and the rule that refused it. */
export const ruleOf = ({ status, body }: ApiResponse) => [
  status,
  Object(body).error?.context?.rule,
];

export type PlacedBooking = Awaited<ReturnType<typeof createBooking>>;

/** Cancels a booking with the order's bill token. */
export const cancelBooking = (
  by: ShopperClient,
  { booking, token }: PlacedBooking,
  body: object = {},
  headers = {},
) => by("POST", `/scheduling/bookings/${booking.id}/cancel?token=${token}`, { body, headers });

/** Reschedules a one-hour booking with the order's bill token. */
export const rescheduleBooking = (
  by: ShopperClient,
  { orderId, token, booking }: PlacedBooking,
  when: string,
  fields: object = {},
): Promise<ApiResponse> =>
  by("POST", `/scheduling/bookings/reschedule?token=${token}`, {
    body: {
      order_id: orderId,
      line_item_id: booking.line_item_id,
      new_start_time: when,
      new_end_time: new Date(Date.parse(when) + 3_600_000).toISOString(),
      ...fields,
    },
  });

/** Reads the statuses of an order's bookings. */
export const readBookingStatuses = async (
  ask: ShopperClient,
  { orderId, token }: Pick<PlacedBooking, "orderId" | "token">,
): Promise<string[]> =>
  (await requireData(ask("GET", `/orders/${orderId}?token=${token}`))).bookings.map(
    ({ status }: { status: string }) => status,
  );
