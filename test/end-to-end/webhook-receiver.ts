import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { loadDocumentValidator } from "./published-documents.ts";

type ReceivedWebhook = Readonly<{ headers: Readonly<Record<string, string>>; body: string }>;

export type Receiver = Readonly<{
  url: string;
  /** The webhooks so far, one per event even when it was delivered several times. */
  received(): readonly ReceivedWebhook[];
  stop(): Promise<void>;
}>;

/** Starts a merchant's server that stores every webhook. */
export async function startReceiver(): Promise<Receiver> {
  const webhooks = new Map<string | undefined, ReceivedWebhook>();
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    webhooks.set(headers["webhook-id"], { headers, body: await text(request) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received: () => [...webhooks.values()],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Verifies both signatures of a webhook and its OpenAPI schema, and returns the event. */
export async function verifyEvent(
  { headers, body }: ReceivedWebhook,
  { secret, origin }: Readonly<{ secret: string; origin: string }>,
) {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  expect(headers["x-service-signature"]).toBe(signature);
  const event = Object(new Webhook(secret).verify(body, { ...headers }));
  expect(event).toEqual({
    id: headers["webhook-id"],
    type: expect.any(String),
    subject_id: expect.any(String),
    sequence: expect.any(Number),
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: expect.any(Object),
  });
  expect(event.id).toMatch(/^evt_/);
  (await loadDocumentValidator(origin)).assertEvent(event);
  return event;
}
