import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { eventTypes, exampleOf, openEventCatalogue } from "../../../shared/events/index.ts";
import type { SurfaceBindings, SurfaceEnv } from "../../http/api-env.ts";

const Headers = z.object({
  "X-Service-Signature": z.string().openapi({
    description:
      "HMAC-SHA256 of the raw body, in hex; its key is the secret as it was told, whsec_ included, as UTF-8. Compare in constant time.",
  }),
  "webhook-id": z.string().openapi({ description: "The event's id." }),
  "webhook-timestamp": z.string().openapi({ description: "Unix seconds of this attempt." }),
  "webhook-signature": z.string().openapi({
    description:
      "Standard Webhooks: v1,base64 of the HMAC-SHA256 of id.timestamp.body; for 24 hours after a rotation one for each secret, with a space between.",
  }),
});

const description =
  "Any 2xx within 15 seconds is taken for received; redirects are not followed. Anything else is retried 1, 5 and 15 minutes, 1, 6 and 24 hours after the first attempt. An event may come more than once: its id tells.";

/** The `webhooks` section of the document: what receivers are sent, event by event. */
export async function documentWebhooks<B extends SurfaceBindings>(
  app: OpenAPIHono<SurfaceEnv<B>>,
): Promise<void> {
  const catalogue = await openEventCatalogue();
  for (const type of eventTypes) {
    const { meaning, data } = catalogue[type];
    const schema = z.object({
      id: z.string(),
      type: z.literal(type),
      created_at: z.string(),
      data,
      test: z.literal(true).optional().openapi({
        description: "Only on an example that the merchant asked for.",
      }),
    });
    const example = {
      id: "evt_00000000000000000000000000",
      type,
      created_at: "2026-01-15T08:00:00.000Z",
      data: exampleOf(type, "").data,
    };
    app.openAPIRegistry.registerWebhook({
      method: "post",
      path: type,
      summary: meaning,
      description,
      security: [],
      request: {
        headers: Headers,
        body: { required: true, content: { "application/json": { schema, example } } },
      },
      responses: { "2XX": { description: "Received" } },
    });
  }
}
