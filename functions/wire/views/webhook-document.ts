import { type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  eventTypes,
  exampleEvent,
  exampleSubject,
  loadEventCatalogue,
} from "../../../shared/events/index.ts";
import { hasFullData } from "../../../shared/webhooks/index.ts";
import type { ApiEnv } from "../../http/context.ts";
import type { ApiBindings } from "../../runtime/bindings.ts";
import { jsonValue } from "../fields.ts";
import { OrderItemView } from "./order.ts";

const WebhookHeaders = z.object({
  "X-Service-Signature": z.string().openapi({
    description:
      "Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time.",
  }),
  "webhook-id": z.string().openapi({ description: "The event's id." }),
  "webhook-timestamp": z.string().openapi({ description: "Unix seconds of this attempt." }),
  "webhook-signature": z.string().openapi({
    description:
      "Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space.",
  }),
});

/** What a subscription with the payload full gets in addition to the compact data. */
const FullDataView = z.object({
  lines: z.array(OrderItemView),
  contact: z.object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    delivery_address: z.record(z.string(), jsonValue).nullable(),
  }),
});

const description =
  "Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.";

/** Adds the `webhooks` section to the OpenAPI document: the request for each event type. */
export async function documentWebhooks<B extends ApiBindings>(
  app: OpenAPIHono<ApiEnv<B>>,
): Promise<void> {
  const catalogue = await loadEventCatalogue();
  for (const type of eventTypes) {
    const { meaning, data } = catalogue[type];
    const hasOrder = hasFullData(type);
    const schema = z
      .object({
        id: z.string(),
        type: z.literal(type),
        subject_id: z.string().openapi({
          description:
            "The object that the event is about: the order, shipment, booking, subscription, product or conversation.",
        }),
        sequence: z.int().min(1).openapi({
          description: "The event's number among all events of subject_id: 1, 2, 3, …",
        }),
        occurred_at: z.string().openapi({ description: "The time of the change." }),
        created_at: z.string().openapi({ description: "The same as occurred_at." }),
        data: hasOrder ? data.extend(FullDataView.partial().shape) : data,
        test: z.literal(true).optional().openapi({
          description: "Present only on a test event.",
        }),
      })
      .openapi(`${eventName(type)}Event`);
    const example = {
      id: "evt_00000000000000000000000000",
      type,
      subject_id: exampleSubject(type),
      sequence: 1,
      occurred_at: "2026-01-15T08:00:00.000Z",
      created_at: "2026-01-15T08:00:00.000Z",
      data: exampleEvent(type, "").data,
    };
    app.openAPIRegistry.registerWebhook({
      method: "post",
      path: type,
      operationId: `on${eventName(type)}`,
      summary: meaning,
      description,
      security: [],
      request: {
        headers: WebhookHeaders,
        body: { required: true, content: { "application/json": { schema, example } } },
      },
      responses: { "2XX": { description: "Received" } },
    });
  }
}

/** An event's type as a part of a name, such as OrderCreated. */
const eventName = (type: string): string =>
  type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
