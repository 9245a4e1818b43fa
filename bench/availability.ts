import { asRecord, asRecords, asText } from "./api-client.ts";
import { createBusiness } from "./create-shop.ts";
import type { BenchRow } from "./rows.ts";
import type { BenchRuntime } from "./runtime.ts";

const days = 62;
const bookingCounts = [100, 10_000];
const dayMs = 24 * 60 * 60_000;

/** Opening hours of ten hours a day, with forty slots that begin every quarter of an hour. */
const hours = Object.fromEntries(
  ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((weekday) => [
    weekday,
    [{ open: "08:00", close: "18:00" }],
  ]),
);

type BookedService = Readonly<{ id: string; size: number }>;

/** The names of the rows that `createAvailabilityRows` creates. */
export const availabilityRowNames: readonly string[] = bookingCounts.flatMap((size) =>
  rowsFor({ id: "", size }, "").map(({ name }) => name),
);

/**
 * Creates rows that read the availability and the slots of a service. One service has 100 bookings
 * in the next 62 days, the other has 10,000.
 */
export async function createAvailabilityRows(runtime: BenchRuntime): Promise<readonly BenchRow[]> {
  const { merchant, publishableKey } = await createBusiness(runtime.origin);
  const [location] = asRecords((await merchant.get("/locations")).items);
  await merchant.patch(`/locations/${asText(location?.id)}`, { operating_hours: hours });
  const rows: BenchRow[] = [];
  for (const size of bookingCounts) {
    const service = asRecord(
      await merchant.post("/services", {
        name: "Massage",
        default_price: "80",
        duration_minutes: 60,
        slot_interval_minutes: 15,
        capacity: 100,
      }),
    );
    const id = asText(service.id);
    await insertBookings(runtime, id, size);
    rows.push(...rowsFor({ id, size }, publishableKey));
  }
  return rows;
}

function rowsFor({ id, size }: BookedService, publishableKey: string): BenchRow[] {
  const row = (measure: string, path: string): BenchRow => ({
    name: `${measure}, of ${size} bookings`,
    publishableKey,
    kind: "cold",
    scale: { measure: `${measure}, of bookings`, size },
    work: (visitor) => () => visitor.send({ path: `/api/v1/scheduling${path}` }),
  });
  const range = `start_date=${dateInDays(1)}&end_date=${dateInDays(days)}`;
  return [
    row("availability of 62 days", `/availability?service_id=${id}&${range}`),
    row("slots of a day", `/slots?service_id=${id}&date=${dateInDays(30)}`),
  ];
}

/**
 * Inserts bookings for one participant each directly into the database, because selling them takes
 * minutes.
 */
async function insertBookings(
  runtime: BenchRuntime,
  serviceId: string,
  count: number,
): Promise<void> {
  const first = Date.parse(dateInDays(1)) + 8 * 60 * 60_000;
  for (const database of await runtime.shopDatabases()) {
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

function dateInDays(count: number): string {
  return new Date(Date.now() + count * dayMs).toISOString().slice(0, 10);
}
