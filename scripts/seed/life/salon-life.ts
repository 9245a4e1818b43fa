import type { Business } from "../../../sdk/src/index.ts";
import type { MovedOrder } from "./move-to-past.ts";
import { people } from "./people.ts";
import { createShopper, type DemoService, placeOrder } from "./shopper.ts";

/** A booking of the week. The days count from its Monday; the hour is that of Berlin. */
type Visit = Readonly<{
  day: number;
  hour: number;
  minute?: number;
  service: string;
  variant?: number;
}>;

const visits: readonly Visit[] = [
  { day: 0, hour: 10, service: "Cut and Finish" },
  { day: 0, hour: 13, service: "Manicure" },
  { day: 0, hour: 15, service: "Quiet Hour" },
  { day: 1, hour: 9, service: "Braids" },
  { day: 1, hour: 11, service: "Cut and Finish", variant: 1 },
  { day: 1, hour: 14, service: "Quiet Hour" },
  { day: 2, hour: 9, minute: 30, service: "Manicure" },
  { day: 2, hour: 12, service: "Cut and Finish" },
  { day: 2, hour: 16, service: "Cut and Finish", variant: 1 },
  { day: 3, hour: 10, service: "Braids", variant: 1 },
  { day: 3, hour: 15, service: "Manicure" },
  { day: 3, hour: 17, service: "Cut and Finish" },
  { day: 4, hour: 9, service: "Quiet Hour" },
  { day: 4, hour: 11, minute: 15, service: "Cut and Finish" },
  { day: 4, hour: 14, service: "Braids" },
  { day: 5, hour: 9, service: "Cut and Finish" },
  { day: 5, hour: 11, service: "Manicure" },
  { day: 6, hour: 11, service: "Quiet Hour" },
  { day: 6, hour: 13, service: "Cut and Finish" },
];

const zone = "Europe/Berlin";
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;

/**
 * What happens in the salon: the bookings of a week. They are made for the next week, where each
 * time is free, and then become a week earlier.
 */
export async function liveSalon(service: DemoService, merchant: Business): Promise<MovedOrder[]> {
  const { services, orders } = merchant;
  const { items } = await services.list({ limit: 100 }).page();
  const now = Date.now();
  const nextMonday = mondayOf(now) + weekMs;
  const moved = await Promise.all(
    people.salon.map(async (person, turn) => {
      const shopper = createShopper(service, person);
      const own: MovedOrder[] = [];
      for (const [index, visit] of visits.entries()) {
        if (index % people.salon.length !== turn) continue;
        const { day, hour, minute = 0 } = visit;
        const booked = items.find(({ name }) => name === visit.service);
        const start = atBerlinTime(nextMonday + day * dayMs, hour + minute / 60);
        const orderId = await placeOrder(
          shopper,
          [
            {
              item_id: booked?.product_id ?? "",
              variant_id: booked?.variants[visit.variant ?? 0]?.id ?? null,
              scheduled_start: new Date(start).toISOString(),
            },
          ],
          { order_type: "walk-in", payment_method: "cash" },
        );
        if (start - weekMs < now) await finishVisit(merchant, orderId);
        else if (index % 4 !== 3) await orders.markPaid(orderId, payment);
        own.push({ orderId, byMs: (1 + (day % 5)) * dayMs, bookingsByMs: weekMs });
      }
      return own;
    }),
  );
  return moved.flat();
}

const payment = { method: "card terminal" };

/** A visit that is over took place and was paid. */
async function finishVisit({ orders, bookings }: Business, orderId: string): Promise<void> {
  const { data } = await orders.markPaid(orderId, payment);
  await Promise.all(
    data.bookings.map(({ id }) => bookings.changeStatus(id, { status: "completed" })),
  );
  await orders.changeStatus(orderId, { status: "completed" });
}

/** The start of the week's Monday in UTC. */
function mondayOf(time: number): number {
  const midnight = Math.floor(time / dayMs) * dayMs;
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * dayMs;
}

/** The time at which clocks in Berlin show an hour of a day. */
function atBerlinTime(midnight: number, hour: number): number {
  const guess = midnight + hour * hourMs;
  const shown = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    hourCycle: "h23",
  });
  const ahead = Number(shown.format(midnight + 12 * hourMs)) - 12;
  return guess - ahead * hourMs;
}
