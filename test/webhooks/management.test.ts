import { describe, expect, it } from "vitest";
import { secretOf } from "../../shared/webhooks/secret.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { dataOf } from "../support/orders.ts";
import { call, roundTrips } from "../support/world.ts";
import { givenSubscription, subscriptionOf, webhookContextOf } from "./given.ts";
import { audited, delivered, givenShop, notFound } from "./managed.ts";

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
