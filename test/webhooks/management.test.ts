import { describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { exampleOf } from "../../shared/events/index.ts";
import { deliverDue, layOutDeliveries } from "../../shared/webhooks/index.ts";
import { secretOf } from "../../shared/webhooks/secret.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type CallOptions, call, givenBusiness, roundTrips } from "../support/world.ts";
import {
  failing,
  givenEvents,
  givenReceiver,
  givenSubscription,
  subscriptionOf,
  webhookContextOf,
  wholeRun,
} from "./given.ts";

const server =
  ({ keys }: CreatedBusiness) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}) =>
    call(method, `/api/v1${path}`, {
      ...options,
      headers: { "X-API-Key": keys.secret, ...headers },
    });

async function givenShop() {
  const shop = await givenBusiness();
  const ctx = webhookContextOf(shop);
  const { secret, ...subscription } = await givenSubscription(ctx);
  return { shop, ctx, id: subscription.id, secret, ask: server(shop) };
}

/** Has so many events delivered to the shop's subscription, which answers as told. */
async function delivered({ ctx }: Awaited<ReturnType<typeof givenShop>>, count = 1, isUp = true) {
  await givenEvents(ctx, count);
  await layOutDeliveries(ctx);
  const { received, send } = givenReceiver(isUp ? undefined : () => failing);
  await deliverDue(ctx, { ...wholeRun(), send });
  return received;
}

const audited = (shop: CreatedBusiness) =>
  rowsOf(
    shop,
    "select action, before, after from audit_entries where business_id = ? order by rowid",
    shop.business.id,
  );

const dataOf = (answer: { body: unknown }) => Object(answer.body).data;
const notFound = { status: 404, body: { error: { code: "NOT_FOUND" } } };
const disabled = {
  status: 422,
  body: { error: { code: "BUSINESS_RULE_VIOLATION", context: { rule: "WEBHOOK_DISABLED" } } },
};

describe("PATCH /webhooks/{webhook_id}", () => {
  it.each([
    { url: "https://other.example.com/hook" },
    { events: ["payment.failed", "order.cancelled"] },
    { description: "Till" },
    { description: null },
    { status: "disabled" },
    {},
  ])("changes %j and leaves the rest", async (change) => {
    const { ask, id, shop } = await givenShop();
    const [before] = dataOf(await ask("GET", "/webhooks"));
    const answer = await ask("PATCH", `/webhooks/${id}`, { body: change });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(dataOf(answer)).toEqual({ ...before, ...change });
    expect(dataOf(await ask("GET", "/webhooks"))).toEqual([{ ...before, ...change }]);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const [, entry] = await audited(shop);
    if (Object.keys(change).length === 0) return expect(entry).toBeUndefined();
    expect(entry).toMatchObject({ action: "webhook.updated" });
    expect(JSON.parse(String(entry?.after))).toMatchObject(change);
  });

  it.each([
    [{ url: "https://10.0.0.1/" }, "url"],
    [{ url: 7 }, "url"],
    [{ events: [] }, "events"],
    [{ events: ["order.lost"] }, "events.0"],
    [{ status: "paused" }, "status"],
    [{ description: "\u0000" }, "description"],
  ])("refuses %j", async (body, field) => {
    const { ask, id } = await givenShop();
    expect(await ask("PATCH", `/webhooks/${id}`, { body })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it.each([{ status: "active" }, { url: "https://other.example.com/" }])(
    "forgets, with %j, what failed before",
    async (body) => {
      const { ask, id, ctx } = await givenShop();
      await ctx.db.run(
        `update webhook_subscriptions set status = 'disabled', consecutive_failures = 20,
          failed_attempts = 30, held_until = 9e12 where id = '${id}'`,
      );
      await ask("PATCH", `/webhooks/${id}`, { body });
      expect(await subscriptionOf(ctx, id)).toMatchObject({
        consecutiveFailures: 0,
        failedAttempts: 0,
        heldUntil: null,
      });
    },
  );

  it("has nothing sent while it is disabled, and new events sent when it is active again", async () => {
    const given = await givenShop();
    const { ask, id } = given;
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(await delivered(given)).toEqual([]);
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
    expect(await delivered(given)).toHaveLength(1);
  });
});

describe("POST /webhooks/{webhook_id}/rotate-secret", () => {
  it("tells the new secret this once; both sign for 24 hours, the new one alone in our header", async () => {
    const given = await givenShop();
    const { ask, ctx, id, secret, shop } = given;
    await ask("GET", "/webhooks"); // the key is known from here on
    const answer = await ask("POST", `/webhooks/${id}/rotate-secret`);
    expect(answer.status).toBe(200);
    const rotated = dataOf(answer);
    expect(rotated).toMatchObject({ id, status: "active" });
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated.secret).not.toBe(secret);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    expect(JSON.stringify(await audited(shop))).not.toContain(rotated.secret);
    const stored = JSON.stringify(await subscriptionOf(ctx, id));
    expect(stored).not.toContain(rotated.secret.slice(6));

    const [webhook] = await delivered(given);
    expect(webhook?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    const { retiredSecrets } = await subscriptionOf(ctx, id);
    expect(retiredSecrets).toMatchObject([{ generation: 1 }]);
    const hours = ((retiredSecrets[0]?.until ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it("lets every secret of the last 24 hours sign, also when several rotations come at once", async () => {
    const given = await givenShop();
    const { ask, ctx, id, secret } = given;
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask("POST", `/webhooks/${id}/rotate-secret`)),
    );
    const told = new Set([secret, ...answers.map((answer) => dataOf(answer).secret)]);
    expect(told.size).toBe(4);
    const expected = [1, 2, 3, 4].map((generation) =>
      secretOf(ctx.webhooks.signingSecret, { subscriptionId: id, generation }),
    );
    expect(told).toEqual(new Set(await Promise.all(expected)));
    const [webhook] = await delivered(given);
    expect(webhook?.headers["webhook-signature"]?.split(" ")).toHaveLength(4);
  });

  it("keeps no more than ten secrets, the newest", async () => {
    const { ask, ctx, id } = await givenShop();
    for (let turn = 0; turn < 12; turn += 1) await ask("POST", `/webhooks/${id}/rotate-secret`);
    const { secretGeneration, retiredSecrets } = await subscriptionOf(ctx, id);
    expect(secretGeneration).toBe(13);
    expect(retiredSecrets.map(({ generation }) => generation)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4,
    ]);
  });

  it("rotates once for one Idempotency-Key, and repeats its answer", async () => {
    const { ask, ctx, id } = await givenShop();
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const [first, second] = [
      await ask("POST", `/webhooks/${id}/rotate-secret`, { headers }),
      await ask("POST", `/webhooks/${id}/rotate-secret`, { headers }),
    ];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await subscriptionOf(ctx, id)).toMatchObject({ secretGeneration: 2 });
  });
});

describe("POST /webhooks/{webhook_id}/test", () => {
  it("sends this webhook alone an example of its first event, marked as a test", async () => {
    const given = await givenShop();
    const { ask, ctx, id, shop } = given;
    await givenSubscription(ctx, { url: "https://another.example.com/" });
    await ask("GET", "/webhooks"); // the key is known from here on
    const answer = await ask("POST", `/webhooks/${id}/test`);
    expect(answer.status).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const { id: deliveryId, event_id } = dataOf(answer);
    expect(dataOf(answer)).toMatchObject({
      event_type: "order.created",
      is_test: true,
      status: "pending",
      attempts: [],
    });
    const { received, send } = givenReceiver();
    await layOutDeliveries(ctx);
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(received.map(({ url }) => url)).toEqual(["https://receiver.example.com/hook"]);
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      id: event_id,
      type: "order.created",
      created_at: expect.any(String),
      data: exampleOf("order.created", "").data,
      test: true,
    });
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    expect(items).toMatchObject([{ id: deliveryId, status: "delivered", next_attempt_at: null }]);
    expect(await audited(shop)).toContainEqual(
      expect.objectContaining({ action: "webhook.tested" }),
    );
  });

  it("sends the event that is asked for, and refuses one that does not exist", async () => {
    const { ask, id } = await givenShop();
    const booking = await ask("POST", `/webhooks/${id}/test?event=booking.created`);
    expect(dataOf(booking)).toMatchObject({ event_type: "booking.created" });
    expect((await ask("POST", `/webhooks/${id}/test?event=order.lost`)).status).toBe(400);
  });

  it("attempts once, and a failure does not count towards disabling", async () => {
    const { ask, ctx, id } = await givenShop();
    await ask("POST", `/webhooks/${id}/test`);
    await deliverDue(ctx, { ...wholeRun(), send: givenReceiver(() => failing).send });
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    expect(items).toMatchObject([{ status: "failed", next_attempt_at: null }]);
    expect(await subscriptionOf(ctx, id)).toMatchObject({ consecutiveFailures: 0 });
  });

  it("is refused for a disabled webhook", async () => {
    const { ask, id } = await givenShop();
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(await ask("POST", `/webhooks/${id}/test`)).toMatchObject(disabled);
  });
});

describe("GET /webhooks/{webhook_id}/deliveries", () => {
  it("tells of each attempt, and when the next one comes", async () => {
    const given = await givenShop();
    await delivered(given, 1, false);
    const answer = await given.ask("GET", `/webhooks/${given.id}/deliveries`);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    expect(dataOf(answer)).toEqual({
      items: [
        {
          id: expect.stringMatching(/^dlv_/),
          event_id: expect.stringMatching(/^evt_/),
          event_type: "order.created",
          is_test: false,
          status: "failed",
          attempts: [
            {
              number: 1,
              status_code: 500,
              error: "status 500",
              duration_ms: expect.any(Number),
              at: expect.stringMatching(/Z$/),
            },
          ],
          next_attempt_at: expect.stringMatching(/Z$/),
          created_at: expect.stringMatching(/Z$/),
        },
      ],
      pagination: { limit: 20, next_cursor: null, has_more: false },
    });
    const [item] = dataOf(answer).items;
    expect(Date.parse(item.next_attempt_at) - Date.parse(item.attempts[0].at)).toBe(60_000);
  });

  it("pages through them, the newest first, none twice and none left out", async () => {
    const given = await givenShop();
    await delivered(given, 7);
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = dataOf(
        await given.ask("GET", `/webhooks/${given.id}/deliveries?limit=3${cursor}`),
      );
      seen.push(...page.items.map(({ id }: { id: string }) => id));
      if (!page.pagination.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
    }
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });

  it.each(["limit=0", "limit=101", "limit=x", "cursor=%25%25"])("refuses %s", async (query) => {
    const { ask, id } = await givenShop();
    expect((await ask("GET", `/webhooks/${id}/deliveries?${query}`)).status).toBe(400);
  });
});

describe("POST /webhooks/deliveries/{delivery_id}/retry", () => {
  it("has a delivery attempted once more at once, whatever became of it", async () => {
    const given = await givenShop();
    const { ask, ctx, id, shop } = given;
    await delivered(given);
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    const answer = await ask("POST", `/webhooks/deliveries/${items[0].id}/retry`);
    expect(dataOf(answer)).toMatchObject({ id: items[0].id, status: "pending" });
    expect(dataOf(answer).next_attempt_at).not.toBeNull();
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const { received, send } = givenReceiver();
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(received.map(({ eventId }) => eventId)).toEqual([items[0].event_id]);
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([
      { status: "delivered", attempts: [{ number: 1 }, { number: 2 }] },
    ]);
    expect((await audited(shop)).at(-1)).toMatchObject({ action: "webhook.delivery_retried" });
  });

  it("attempts an exhausted one once, which is not counted as an event more that was used up", async () => {
    const given = await givenShop();
    const { ask, ctx, id } = given;
    await delivered(given, 1, false);
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    const attempts = Array.from({ length: 7 }, (_, index) => ({
      number: index + 1,
      statusCode: 500,
      error: "status 500",
      durationMs: 1,
      at: index,
    }));
    await ctx.db.run(
      `update webhook_deliveries set status = 'exhausted', next_attempt_at = null,
        attempts = '${JSON.stringify(attempts)}' where id = '${items[0].id}'`,
    );
    await ask("POST", `/webhooks/deliveries/${items[0].id}/retry`);
    await deliverDue(ctx, { ...wholeRun(), send: givenReceiver(() => failing).send });
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([{ status: "exhausted", next_attempt_at: null }]);
    expect(after[0].attempts).toHaveLength(8);
    expect(await subscriptionOf(ctx, id)).toMatchObject({ consecutiveFailures: 0 });
  });

  it("leaves one alone that is under way", async () => {
    const given = await givenShop();
    const { ask, ctx, id } = given;
    await givenEvents(ctx);
    await layOutDeliveries(ctx);
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    const { received, send } = givenReceiver();
    await deliverDue(ctx, {
      ...wholeRun(),
      send: async (webhook) => {
        await ask("POST", `/webhooks/deliveries/${items[0].id}/retry`);
        return send(webhook);
      },
    });
    expect(received).toHaveLength(1);
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([{ status: "delivered", attempts: [{ number: 1 }] }]);
  });

  it("is refused when its webhook is disabled, and not there when that was deleted", async () => {
    const given = await givenShop();
    const { ask, id } = given;
    await delivered(given);
    const [{ id: deliveryId }] = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    const retry = () => ask("POST", `/webhooks/deliveries/${deliveryId}/retry`);
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(await retry()).toMatchObject(disabled);
    await ask("DELETE", `/webhooks/${id}`);
    expect(await retry()).toMatchObject(notFound);
  });
});

describe("every call on one webhook", () => {
  const calls = [
    ["PATCH", "", { description: "Mine" }],
    ["POST", "/rotate-secret", undefined],
    ["POST", "/test", undefined],
    ["GET", "/deliveries", undefined],
  ] as const;

  it.each(calls)(
    "%s …%s is 404 on a neighbour's, a deleted and an unknown one",
    async (method, tail, body) => {
      const { shop, ask, id } = await givenShop();
      const neighbour = await givenNeighbour(shop);
      const theirs = await givenSubscription(webhookContextOf(neighbour));
      await ask("DELETE", `/webhooks/${id}`);
      for (const other of [theirs.id, id, "whk_unknown"]) {
        const answer = await ask(method, `/webhooks/${other}${tail}`, body ? { body } : {});
        expect(answer).toMatchObject(notFound);
      }
    },
  );

  it.each(calls)("%s …%s takes a secret key with its scope alone", async (method, tail, body) => {
    const { shop, ask, id } = await givenShop();
    const options = body ? { body } : {};
    const asShopper = { "X-API-Key": shop.keys.publishable };
    const answer = await ask(method, `/webhooks/${id}${tail}`, { ...options, headers: asShopper });
    expect(answer.status).toBe(401);
    const scope = method === "GET" ? "orders:read" : "webhooks:read";
    const made = await call("POST", `/v1/businesses/${shop.business.id}/keys`, {
      headers: { "X-API-Key": shop.keys.secret },
      body: { kind: "secret", scopes: [scope] },
    });
    const headers = { "X-API-Key": dataOf(made).key };
    expect((await ask(method, `/webhooks/${id}${tail}`, { ...options, headers })).status).toBe(403);
  });
});
