import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type CallOptions, call, createBusiness, roundTrips } from "../support/world.ts";
import { createWebhookContext, createWebhookSubscription } from "./create-webhooks.ts";

const valid = {
  url: "https://receiver.example.com/hook",
  events: ["order.created", "inventory.low_stock"],
};

const serverOf =
  ({ keys }: CreatedBusiness) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}) =>
    call(method, `/api/v1${path}`, {
      ...options,
      headers: { "X-API-Key": keys.secret, ...headers },
    });

const createSubscriptions = (shop: CreatedBusiness, count: number) =>
  Promise.all(
    Array.from({ length: count }, () => createWebhookSubscription(createWebhookContext(shop))),
  );

let shop: CreatedBusiness;
beforeAll(async () => {
  shop = await createBusiness();
});

const listAuditEntries = async ({ business }: CreatedBusiness) => {
  const { results } = await shardOf(business.shard)
    .prepare("select action, entity, actor from audit_entries where business_id = ? order by rowid")
    .bind(business.id)
    .all();
  return results;
};
const shardOf = (shard: string) => (shard === "SHOP_1" ? env.SHOP_1 : env.SHOP_2);

describe("POST /webhooks", () => {
  it("returns the subscription with its secret, which no later response contains", async () => {
    const shop = await createBusiness();
    const created = await serverOf(shop)("POST", "/webhooks", {
      body: { ...valid, description: "ERP" },
    });
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
        ...valid,
        description: "ERP",
        payload: "compact",
        status: "active",
        created_at: expect.stringMatching(/^\d{4}-.+Z$/),
        secret_outdated: false,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const listed = await serverOf(shop)("GET", "/webhooks");
    const { secret: _, ...shown } = (created.body as { data: { secret: string; id: string } }).data;
    expect(listed.body).toEqual({ success: true, data: [shown] });
    expect(await listAuditEntries(shop)).toEqual([
      { action: "webhook.created", entity: shown.id, actor: expect.stringMatching(/^key_/) },
    ]);
    expect(roundTrips(created).d1).toBeLessThanOrEqual(2);
    expect(roundTrips(listed).d1).toBeLessThanOrEqual(2);
  });

  it("removes duplicate events; the description is optional", async () => {
    const answer = await serverOf(shop)("POST", "/webhooks", {
      body: { ...valid, events: ["order.created", "order.created"] },
    });
    expect(answer.body).toMatchObject({ data: { events: ["order.created"], description: null } });
  });

  it.each([
    { what: "a private address", body: { ...valid, url: "https://10.0.0.1/" }, field: "url" },
    { what: "plain http", body: { ...valid, url: "http://example.com/" }, field: "url" },
    { what: "no URL", body: { ...valid, url: "receiver" }, field: "url" },
    { what: "no url at all", body: { events: valid.events }, field: "url" },
    {
      what: "an unknown event",
      body: { ...valid, events: ["order.created", "order.lost"] },
      field: "events.1",
    },
    { what: "no event", body: { ...valid, events: [] }, field: "events" },
    {
      what: "a long description",
      body: { ...valid, description: "x".repeat(501) },
      field: "description",
    },
  ])("rejects $what and names the field", async ({ body, field }) => {
    const otherShop = await createBusiness();
    const answer = await serverOf(otherShop)("POST", "/webhooks", { body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: "VALIDATION_ERROR", context: { field } } });
    expect((await serverOf(otherShop)("GET", "/webhooks")).body).toEqual({
      success: true,
      data: [],
    });
    expect(await listAuditEntries(otherShop)).toEqual([]);
  });

  it("rejects the twenty-first, also with concurrent requests, without an audit entry", async () => {
    const shop = await createBusiness();
    await createSubscriptions(shop, 18);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => serverOf(shop)("POST", "/webhooks", { body: valid })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      error: { code: "BUSINESS_RULE_VIOLATION", context: { rule: "WEBHOOK_LIMIT" } },
    });
    expect((await serverOf(shop)("GET", "/webhooks")).body).toMatchObject({ data: { length: 20 } });
    expect(await listAuditEntries(shop)).toHaveLength(20);
  });

  it("accepts another one after one was deleted", async () => {
    const shop = await createBusiness();
    const [first] = await createSubscriptions(shop, 20);
    expect((await serverOf(shop)("POST", "/webhooks", { body: valid })).status).toBe(422);
    await serverOf(shop)("DELETE", `/webhooks/${first?.id}`);
    expect((await serverOf(shop)("POST", "/webhooks", { body: valid })).status).toBe(200);
  });

  it("requires a secret key", async () => {
    const asShopper = { "X-API-Key": shop.keys.publishable };
    expect(
      (await serverOf(shop)("POST", "/webhooks", { body: valid, headers: asShopper })).status,
    ).toBe(401);
    expect((await serverOf(shop)("GET", "/webhooks", { headers: asShopper })).status).toBe(401);
    expect((await serverOf(shop)("DELETE", "/webhooks/whk_1", { headers: asShopper })).status).toBe(
      401,
    );
  });
});

describe("DELETE /webhooks/{webhook_id}", () => {
  it("deletes, and responds the same when repeated", async () => {
    const shop = await createBusiness();
    const created = await serverOf(shop)("POST", "/webhooks", { body: valid });
    const { id } = (created.body as { data: { id: string } }).data;
    for (const _ of ["first", "second"]) {
      const answer = await serverOf(shop)("DELETE", `/webhooks/${id}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ success: true, data: { id, deleted: true } });
      expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    }
    expect((await serverOf(shop)("GET", "/webhooks")).body).toEqual({ success: true, data: [] });
    expect(await listAuditEntries(shop)).toMatchObject([
      { action: "webhook.created" },
      { action: "webhook.deleted" },
    ]);
  });

  it("keeps another business's subscription and responds as for an unknown one", async () => {
    const owner = await createBusiness();
    const created = await serverOf(owner)("POST", "/webhooks", { body: valid });
    const { id } = (created.body as { data: { id: string } }).data;
    const answer = await serverOf(shop)("DELETE", `/webhooks/${id}`);
    expect(answer.body).toEqual({ success: true, data: { id, deleted: true } });
    expect((await serverOf(owner)("GET", "/webhooks")).body).toMatchObject({ data: [{ id }] });
  });
});
