import { record, records, text } from "../scripts/seed/api.ts";
import type { Row } from "./rows.ts";
import type { Runtime } from "./runtime.ts";
import { openBusiness } from "./shop.ts";

const days = 62;
const bookingCounts = [100, 10_000];
const dayMs = 24 * 60 * 60_000;

/** Forty slots a day begin in them, four times an hour. */
const hours = Object.fromEntries(
  ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((weekday) => [
    weekday,
    [{ open: "08:00", close: "18:00" }],
  ]),
);

/** What is free of services that have so many bookings in the next 62 days. */
export async function availabilityRowsOf(runtime: Runtime): Promise<readonly Row[]> {
  const { merchant, publishableKey } = await openBusiness(runtime.origin);
  const [location] = records((await merchant.get("/locations")).items);
  await merchant.patch(`/locations/${text(location?.id)}`, { operating_hours: hours });
  const rows: Row[] = [];
  for (const size of bookingCounts) {
    const service = record(
      await merchant.post("/services", {
        name: "Massage",
        default_price: "80",
        duration_minutes: 60,
        slot_interval_minutes: 15,
        capacity: 100,
      }),
    );
    const id = text(service.id);
    await book(runtime, id, size);
    const row = (measure: string, path: string): Row => ({
      name: `${measure}, of ${size} bookings`,
      publishableKey,
      kind: "cold",
      scale: { measure: `${measure}, of bookings`, size },
      work: (visitor) => () => visitor.call({ path: `/api/v1/scheduling${path}` }),
    });
    const range = `start_date=${dateIn(1)}&end_date=${dateIn(days)}`;
    rows.push(row("availability of 62 days", `/availability?service_id=${id}&${range}`));
    rows.push(row("slots of a day", `/slots?service_id=${id}&date=${dateIn(30)}`));
  }
  return rows;
}

/** Bookings as sales leave them, of one participant each; written as rows, since sales take minutes. */
async function book(runtime: Runtime, serviceId: string, count: number): Promise<void> {
  const first = Date.parse(dateIn(1)) + 8 * 60 * 60_000;
  for (const database of await runtime.shops()) {
    await database
      .prepare(
        `insert into slot_claims (id, business_id, kind, service_id, location_id, resource_ids,
            participants, capacity, starts_at, ends_at, occupied_until, claimed_at, order_id, order_line_id)
          with recursive number (value) as (
            select 0 union all select value + 1 from number where value < ?1 - 1)
          select service.id || ' ' || value, service.business_id, 'booking', service.id,
            service.location_ids ->> '$[0]', '[]', 1, service.capacity, start, start + 3600000,
            start + 3600000, 0, 'order', 'line'
          from (select value, ?2 + value % ?3 * 86400000 + value / ?3 % 32 * 900000 as start from number)
          join services as service on service.id = ?4`,
      )
      .bind(count, first, days, serviceId)
      .run();
  }
}

const dateIn = (count: number): string =>
  new Date(Date.now() + count * dayMs).toISOString().slice(0, 10);
