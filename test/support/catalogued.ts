import { env } from "cloudflare:workers";
import { z } from "zod";
import { eventCatalogue } from "../../shared/events/catalogue.ts";
import { type EventType, eventTypes } from "../../shared/events/index.ts";

type Recorded = Readonly<{ type: unknown; data: unknown }>;

/**
 * Holds every event that stands in the outboxes against the catalogue of events: its type must be there,
 * its snapshot must parse, and hold no field that is not written down.
 *
 * @throws Error naming the event's type and the field.
 */
export async function demandCatalogued(): Promise<void> {
  for (const shard of [env.SHOP_1, env.SHOP_2]) {
    const { results } = await shard.prepare("select type, data from events").all<Recorded>();
    for (const event of results) demandOne(event);
  }
}

/** One event of the outbox, as its row has it; as above. */
export function demandOne({ type, data }: Recorded): void {
  const known = eventTypes.find((name) => name === type);
  const schema = known && strict.get(known);
  if (!schema) throw new Error(`The event ${type} is in no catalogue`);
  const result = schema.safeParse(JSON.parse(String(data)));
  if (result.success) return;
  const [first] = result.error.issues;
  const field = first?.code === "unrecognized_keys" ? first.keys.join(", ") : first?.path.join(".");
  throw new Error(`The event ${known} is otherwise than catalogued: ${field}: ${first?.message}`);
}

const strict: ReadonlyMap<EventType, z.ZodType> = new Map(
  eventTypes.map((type) => [type, z.strictObject(eventCatalogue[type].data.shape)]),
);
