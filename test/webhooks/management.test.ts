import { describe, expect, it } from "vitest";
import { deriveWebhookSecret } from "../../shared/webhooks/signature.ts";
import { call, createBusinessOnSameShard, dataOf, roundTrips } from "../support/world.ts";
import {
  createWebhookContext,
  createWebhookSubscription,
  loadSubscription,
} from "./create-webhooks.ts";
import {
  createShopWithWebhook,
  deliverEvents,
  listAuditEntries,
  notFoundResponse,
} from "./webhook-owner.ts";

describe("PATCH /webhooks/{webhook_id}", () => {
  it.each([
    { url: "https://other.example.com/hook" },
    { events: ["payment.failed", "order.cancelled"] },
    { description: "Till" },
    { description: null },
    { status: "disabled" },
    {},
  ])("changes %j and keeps the other fields", async (change) => {
    const { ask, id, shop } = await createShopWithWebhook();
    const [before] = dataOf(await ask("GET", "/webhooks"));
    const answer = await ask("PATCH", `/webhooks/${id}`, { body: change });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(dataOf(answer)).toEqual({ ...before, ...change });
    expect(dataOf(await ask("GET", "/webhooks"))).toEqual([{ ...before, ...change }]);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const [, entry] = await listAuditEntries(shop);
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
  ])("rejects %j", async (body, field) => {
    const { ask, id } = await createShopWithWebhook();
    expect(await ask("PATCH", `/webhooks/${id}`, { body })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it.each([{ status: "active" }, { url: "https://other.example.com/" }])(
    "resets the failure counts with %j",
    async (body) => {
      const { ask, id, ctx } = await createShopWithWebhook();
      await ctx.db.run(
        `update webhook_subscriptions set status = 'disabled', consecutive_failures = 20,
          failed_attempts = 30, held_until = 9e12 where id = '${id}'`,
      );
      await ask("PATCH", `/webhooks/${id}`, { body });
      expect(await loadSubscription(ctx, id)).toMatchObject({
        consecutiveFailures: 0,
        failedAttempts: 0,
        heldUntil: null,
      });
    },
  );

  it("sends nothing while disabled, and new events once active again", async () => {
    const owner = await createShopWithWebhook();
    const { ask, id } = owner;
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(await deliverEvents(owner)).toEqual([]);
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
    expect(await deliverEvents(owner)).toHaveLength(1);
  });
});

describe("POST /webhooks/{webhook_id}/rotate-secret", () => {
  it("returns the new secret once; both sign for 24 hours, only the new one in our header", async () => {
    const owner = await createShopWithWebhook();
    const { ask, ctx, id, secret, shop } = owner;
    await ask("GET", "/webhooks"); // caches the key
    const answer = await ask("POST", `/webhooks/${id}/rotate-secret`);
    expect(answer.status).toBe(200);
    const rotated = dataOf(answer);
    expect(rotated).toMatchObject({ id, status: "active" });
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated.secret).not.toBe(secret);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    expect(JSON.stringify(await listAuditEntries(shop))).not.toContain(rotated.secret);
    const stored = JSON.stringify(await loadSubscription(ctx, id));
    expect(stored).not.toContain(rotated.secret.slice(6));

    const [webhook] = await deliverEvents(owner);
    expect(webhook?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    const { retiredSecrets } = await loadSubscription(ctx, id);
    expect(retiredSecrets).toMatchObject([{ generation: 1 }]);
    const hours = ((retiredSecrets[0]?.expiresAt ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it("signs with every secret of the last 24 hours, also after concurrent rotations", async () => {
    const owner = await createShopWithWebhook();
    const { ask, ctx, id, secret } = owner;
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask("POST", `/webhooks/${id}/rotate-secret`)),
    );
    const secrets = new Set([secret, ...answers.map((answer) => dataOf(answer).secret)]);
    expect(secrets.size).toBe(4);
    const expected = [1, 2, 3, 4].map((generation) =>
      deriveWebhookSecret(ctx.webhooks.signingSecrets[0], { subscriptionId: id, generation }),
    );
    expect(secrets).toEqual(new Set(await Promise.all(expected)));
    const [webhook] = await deliverEvents(owner);
    expect(webhook?.headers["webhook-signature"]?.split(" ")).toHaveLength(4);
  });

  it("keeps the ten newest secrets", async () => {
    const { ask, ctx, id } = await createShopWithWebhook();
    for (let rotation = 0; rotation < 12; rotation += 1)
      await ask("POST", `/webhooks/${id}/rotate-secret`);
    const { secretGeneration, retiredSecrets } = await loadSubscription(ctx, id);
    expect(secretGeneration).toBe(13);
    expect(retiredSecrets.map(({ generation }) => generation)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4,
    ]);
  });

  it("rotates once for an Idempotency-Key and repeats the response", async () => {
    const { ask, ctx, id } = await createShopWithWebhook();
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const [first, second] = [
      await ask("POST", `/webhooks/${id}/rotate-secret`, { headers }),
      await ask("POST", `/webhooks/${id}/rotate-secret`, { headers }),
    ];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await loadSubscription(ctx, id)).toMatchObject({ secretGeneration: 2 });
  });
});

describe("calls on one webhook", () => {
  const calls = [
    ["PATCH", "", { description: "Mine" }],
    ["POST", "/rotate-secret", undefined],
    ["POST", "/test", undefined],
    ["GET", "/deliveries", undefined],
  ] as const;

  it.each(calls)(
    "%s …%s returns 404 for another business's, a deleted and an unknown webhook",
    async (method, tail, body) => {
      const { shop, ask, id } = await createShopWithWebhook();
      const neighbour = await createBusinessOnSameShard(shop);
      const theirs = await createWebhookSubscription(createWebhookContext(neighbour));
      await ask("DELETE", `/webhooks/${id}`);
      for (const other of [theirs.id, id, "whk_unknown"]) {
        const answer = await ask(method, `/webhooks/${other}${tail}`, body ? { body } : {});
        expect(answer).toMatchObject(notFoundResponse);
      }
    },
  );

  it.each(calls)("%s …%s requires a secret key with its scope", async (method, tail, body) => {
    const { shop, ask, id } = await createShopWithWebhook();
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
