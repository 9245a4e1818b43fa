import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { publishedAt } from "./published-at.ts";

type Delivery = Readonly<{ headers: Readonly<Record<string, string>>; body: string }>;

export type Receiver = Readonly<{
  url: string;
  /** What has arrived so far, once for each event: one may come more than once. */
  deliveries(): readonly Delivery[];
  stop(): Promise<void>;
}>;

/** A merchant's server: it takes every webhook, and keeps it as it came. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries = new Map<string | undefined, Delivery>();
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    deliveries.set(headers["webhook-id"], { headers, body: await text(request) });
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    deliveries: () => [...deliveries.values()],
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

/**
 * The event that a delivery brings, once its signatures are right, and its shape is as the sender at
 * `origin` publishes it (interface.md, Webhook events).
 */
export async function eventOf(
  { headers, body }: Delivery,
  { secret, origin }: Readonly<{ secret: string; origin: string }>,
) {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  expect(headers["x-service-signature"]).toBe(signature);
  const event = Object(new Webhook(secret).verify(body, { ...headers }));
  expect(event).toEqual({
    id: headers["webhook-id"],
    type: expect.any(String),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: expect.any(Object),
  });
  expect(event.id).toMatch(/^evt_/);
  (await publishedAt(origin)).demandEvent(event);
  return event;
}
