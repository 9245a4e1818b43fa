import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { weekdays } from "../../shared/businesses/index.ts";
import { dataOf } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, merchant, shopper } from "../support/world.ts";

/** A Monday, before the shop opens. */
export const start = Date.parse("2030-05-06T06:00:00Z");
/** The first slot of that day, and the others by their hours: the shop is in Accra, at UTC. */
export const at = (hour: number, minutes = 0): string =>
  new Date(Date.UTC(2030, 4, 6, hour, minutes)).toISOString();

/** A shop that is open from 8 to 18 every day, on a clock that stands. */
export async function givenShop() {
  vi.setSystemTime(start);
  const shop = await givenBusiness();
  const operatingHours = Object.fromEntries(
    weekdays.map((day) => [day, [{ open: "08:00", close: "18:00" }]]),
  );
  await env.CORE.prepare("update locations set operating_hours = ? where business_id = ?")
    .bind(JSON.stringify(operatingHours), shop.business.id)
    .run();
  const locations = shop.business.locations.map((one) => ({ ...one, operatingHours }));
  return { ...shop, business: { ...shop.business, locations } };
}

export type Shop = Awaited<ReturnType<typeof givenShop>>;
export type Ask = ReturnType<typeof shopper>;

/** The data of an answer that has to be a success. */
export async function had(asked: Promise<Answer>) {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return dataOf(answer);
}

/** A service of an hour; `fields` are what matters to the test. */
export const givenService = (shop: Shop, fields: object = {}) =>
  had(
    merchant(shop)("POST", "/services", {
      body: { name: "Massage", default_price: "80", duration_minutes: 60, ...fields },
    }),
  );

export const givenStaff = async (shop: Shop, name = "Ama", fields: object = {}): Promise<string> =>
  (await had(merchant(shop)("POST", "/staff", { body: { name, ...fields } }))).id;

export const givenResource = async (shop: Shop, capacity: number): Promise<string> =>
  (await had(merchant(shop)("POST", "/resources", { body: { name: "Room", capacity } }))).id;

type Service = Readonly<{ product_id: string }>;

/** Puts a service into the cart for a time; the answer, whatever it is. */
export const book = (
  ask: Ask,
  { product_id }: Service,
  when: string,
  fields: object = {},
): Promise<Answer> =>
  ask("POST", "/cart/items", {
    body: { item_id: product_id, scheduled_start: when, ...fields },
  });

export const cash = { payment_method: "cash" };
/** By a number's last digit (completions.md 6). */
export const mobileMoney = (digit: number) => ({
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: `024123456${digit}`, provider: "mtn" },
});

export async function checkOut(ask: Ask, fields: object = cash, key?: string): Promise<Answer> {
  const { id: cart_id } = await had(ask("GET", "/cart"));
  return ask("POST", "/checkout", {
    body: { cart_id, customer: { phone: "0241234567" }, ...fields },
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });
}

/** A booking that was placed: its order, with the token that opens it. */
export async function givenBooking(
  shop: Shop,
  service: Service,
  { when = at(9), pay = mobileMoney(0), ask = shopper(shop), fields = {} }: BookingOptions = {},
) {
  await had(book(ask, service, when, fields));
  const { order_id: orderId, bill_token: token } = await had(checkOut(ask, pay));
  const order = await had(ask("GET", `/orders/${orderId}?token=${token}`));
  return { ask, orderId: String(orderId), token: String(token), booking: order.bookings[0] };
}

type BookingOptions = Readonly<{ when?: string; pay?: object; ask?: Ask; fields?: object }>;

/** What occupies time, by the database: [kind, participants, start] of each claim, in their order. */
export async function claimsOf(shop: Shop): Promise<unknown[]> {
  const rows = await rowsOf(
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

/** What a rule refused. */
export const ruleOf = ({ status, body }: Answer) => [status, Object(body).error?.context?.rule];

export type Placed = Awaited<ReturnType<typeof givenBooking>>;

/** Cancels with the order's token. */
export const cancel = (by: Ask, { booking, token }: Placed, body: object = {}, headers = {}) =>
  by("POST", `/scheduling/bookings/${booking.id}/cancel?token=${token}`, { body, headers });

/** Moves an hour's booking, with the order's token. */
export const move = (
  by: Ask,
  { orderId, token, booking }: Placed,
  when: string,
  fields: object = {},
): Promise<Answer> =>
  by("POST", `/scheduling/bookings/reschedule?token=${token}`, {
    body: {
      order_id: orderId,
      line_item_id: booking.line_item_id,
      new_start_time: when,
      new_end_time: new Date(Date.parse(when) + 3_600_000).toISOString(),
      ...fields,
    },
  });

/** The statuses of an order's bookings. */
export const statusesOf = async (
  ask: Ask,
  { orderId, token }: Pick<Placed, "orderId" | "token">,
): Promise<string[]> =>
  (await had(ask("GET", `/orders/${orderId}?token=${token}`))).bookings.map(
    ({ status }: { status: string }) => status,
  );
