import { env } from "cloudflare:workers";
import { z } from "zod";
import { eventCatalogue } from "../../shared/events/catalogue.ts";
import { type EventType, eventTypes } from "../../shared/events/index.ts";

type OutboxEventRow = Readonly<{ type: unknown; data: unknown }>;

/**
 * Checks every event in the outboxes against the event catalogue: its type must be known, and its
 * data must match without any further field.
 *
 * @throws Error naming the event's type and the field.
 */
export async function assertEventsMatchCatalogue(): Promise<void> {
  for (const shard of [env.SHOP_1, env.SHOP_2]) {
    const { results } = await shard.prepare("select type, data from events").all<OutboxEventRow>();
    for (const event of results) assertEventMatchesCatalogue(event);
  }
}

/** @throws Error naming the event's type and the field. */
export function assertEventMatchesCatalogue({ type, data }: OutboxEventRow): void {
  const eventType = eventTypes.find((name) => name === type);
  const schema = eventType && strictSchemas.get(eventType);
  if (!schema) throw new Error(`The event ${type} is not in the catalogue`);
  const result = schema.safeParse(JSON.parse(String(data)));
  if (result.success) return;
  const [issue] = result.error.issues;
  const field = issue?.code === "unrecognized_keys" ? issue.keys.join(", ") : issue?.path.join(".");
  throw new Error(`The event ${type} does not match the catalogue: ${field}: ${issue?.message}`);
}

const strictSchemas: ReadonlyMap<EventType, z.ZodType> = new Map(
  eventTypes.map((type) => [type, z.strictObject(eventCatalogue[type].data.shape)]),
);
