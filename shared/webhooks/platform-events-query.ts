import { type SQL, sql } from "drizzle-orm";

/** SQL for the condition that a platform whose agent placed the order receives the event. */
export const isAboutOrder = (event: string): SQL =>
  sql.raw(
    `(${event}.type like 'order.%' or ${event}.type like 'payment.%' or ${event}.type like 'shipment.%')`,
  );

/** SQL for the id of the order that such an event is about. A shipment's event has another subject. */
export const orderIdOf = (event: string): SQL => sql.raw(`(${event}.data ->> '$.order_id')`);
