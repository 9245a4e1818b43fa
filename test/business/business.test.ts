import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { updateBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { createKey } from "../support/create-key.ts";
import { refusal, success } from "../support/responses.ts";
import { call, contextFor, createBusiness, merchant } from "../support/world.ts";

const settings = {
  name: "New name",
  tax: { rate_percent: "12.5", inclusive: true },
  auto_confirm: false,
  booking_refunds: "manual",
  customer_cancellation: "preparing",
  allowed_origins: ["https://shop.example", "http://localhost:3000"],
  payment_methods: ["cash", "card"],
  order_number_prefix: "ADW-",
  low_stock_threshold: 3,
  max_coupons: 5,
  free_delivery_threshold: "200.00",
  incentives: [{ intent: "considering", template_id: "tpl_1", agent_id: "agent_1" }],
  fx: { provider: "static", static_rates: { base: "GHS", rates: { USD: "0.0625", KWD: "0.02" } } },
  rate_limits: {
    public_per_second_per_address: 500,
    public_per_minute: null,
    public_per_minute_per_address: null,
    secret_per_second: 200,
  },
};

describe("GET /v1/businesses/{business_id}", () => {
  it("returns the business with its settings and locations", async () => {
    const { business, keys } = await createBusiness();
    const read = await merchant({ business, keys })("GET", "");
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject(
      success({
        id: business.id,
        mode: "test",
        currency: "GHS",
        tax: { rate_percent: "0", inclusive: false },
        max_coupons: 1,
        free_delivery_threshold: null,
        rate_limits: { public_per_minute: null },
        locations: [{ id: business.locations[0]?.id, is_default: true }],
      }),
    );
  });

  it("responds 403 to a key of another business", async () => {
    const mine = await createBusiness();
    const other = await createBusiness();
    const refused = await merchant({ business: other.business, keys: mine.keys })("GET", "");
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject(refusal("FORBIDDEN"));
  });

  it("uses the business in the path and ignores X-Business-Id", async () => {
    const mine = await createBusiness();
    const other = await createBusiness();
    const headers = { "X-Business-Id": mine.business.id };
    const refused = await merchant({ business: other.business, keys: mine.keys })("GET", "", {
      headers,
    });
    expect(refused.status).toBe(403);
  });

  it.each(["publishable", "deploy"] as const)("responds 401 to a %s key", async (kind) => {
    const { business, keys } = await createBusiness();
    const refused = await call("GET", `/v1/businesses/${business.id}`, {
      headers: { "X-API-Key": keys[kind] },
    });
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject(refusal("UNAUTHORIZED"));
  });

  it("responds 401 without a key", async () => {
    const { business } = await createBusiness();
    expect((await call("GET", `/v1/businesses/${business.id}`)).status).toBe(401);
  });
});

describe("PATCH /v1/businesses/{business_id}", () => {
  it("updates every setting, which the next read returns", async () => {
    const ask = merchant(await createBusiness());
    const changed = await ask("PATCH", "", { body: settings });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject(success(settings));
    expect((await ask("GET", "")).body).toMatchObject(success(settings));
  });

  it("keeps omitted settings, also inside tax, fx and rate_limits", async () => {
    const ask = merchant(await createBusiness());
    await ask("PATCH", "", { body: settings });
    await ask("PATCH", "", {
      body: {
        tax: { inclusive: false },
        rate_limits: { secret_per_second: null },
        fx: { provider: "frankfurter" },
      },
    });
    expect((await ask("GET", "")).body).toMatchObject(
      success({
        ...settings,
        tax: { rate_percent: "12.5", inclusive: false },
        fx: { ...settings.fx, provider: "frankfurter" },
        rate_limits: { ...settings.rate_limits, secret_per_second: null },
      }),
    );
  });

  it("removes the threshold and the rates with null", async () => {
    const ask = merchant(await createBusiness());
    await ask("PATCH", "", { body: settings });
    const body = { free_delivery_threshold: null, fx: { static_rates: null } };
    expect((await ask("PATCH", "", { body })).body).toMatchObject(success(body));
  });

  it("adds an audit entry with before and after", async () => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    await ask("PATCH", "", { body: { name: "After", free_delivery_threshold: "1.50" } });
    expect((await ask("GET", "/audit")).body).toMatchObject(
      success({
        items: [
          {
            action: "business.updated",
            entity: shop.business.id,
            before: { name: "Test shop", settings: { free_delivery_threshold: null } },
            after: { name: "After", settings: { free_delivery_threshold: "1.50" } },
          },
        ],
      }),
    );
  });

  it("adds no audit entry when nothing changes", async () => {
    const ask = merchant(await createBusiness());
    await ask("PATCH", "", { body: { name: "Test shop" } });
    expect((await ask("GET", "/audit")).body).toMatchObject(success({ items: [] }));
  });

  it.each([
    ["name", { name: "" }],
    ["tax.rate_percent", { tax: { rate_percent: "101" } }],
    ["tax.rate_percent", { tax: { rate_percent: "05" } }],
    ["tax.rate_percent", { tax: { rate_percent: "-1" } }],
    ["auto_confirm", { auto_confirm: "yes" }],
    ["booking_refunds", { booking_refunds: "later" }],
    ["customer_cancellation", { customer_cancellation: "ready" }],
    ["allowed_origins.1", { allowed_origins: ["https://a.example", "https://a.example/path"] }],
    ["allowed_origins.0", { allowed_origins: ["*"] }],
    ["allowed_origins.0", { allowed_origins: ["ftp://a.example"] }],
    ["payment_methods.0", { payment_methods: ["barter"] }],
    ["order_number_prefix", { order_number_prefix: "A".repeat(21) }],
    ["order_number_prefix", { order_number_prefix: "A\n" }],
    ["low_stock_threshold", { low_stock_threshold: -1 }],
    ["max_coupons", { max_coupons: 0 }],
    ["max_coupons", { max_coupons: 6 }],
    ["max_coupons", { max_coupons: null }],
    ["free_delivery_threshold", { free_delivery_threshold: "1.005" }],
    ["free_delivery_threshold", { free_delivery_threshold: "-1" }],
    ["incentives.0.intent", { incentives: [{ intent: "bored", template_id: "t", agent_id: "a" }] }],
    ["incentives", { incentives: [settings.incentives[0], settings.incentives[0]] }],
    ["fx.provider", { fx: { provider: "bank" } }],
    ["fx.static_rates.base", { fx: { static_rates: { base: "QQQ", rates: {} } } }],
    ["fx.static_rates.rates.USD", { fx: { static_rates: { base: "GHS", rates: { USD: "0" } } } }],
    ["fx.static_rates.rates.QQQ", { fx: { static_rates: { base: "GHS", rates: { QQQ: "1" } } } }],
    ["rate_limits.public_per_minute", { rate_limits: { public_per_minute: 0 } }],
  ])("refuses an invalid %s, as in %j, and changes nothing", async (field, invalidFields) => {
    const ask = merchant(await createBusiness());
    const refused = await ask("PATCH", "", {
      body: { order_number_prefix: "X-", ...invalidFields },
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect((await ask("GET", "")).body).toMatchObject(success({ order_number_prefix: "ORD-" }));
  });

  it("responds 403 to a key that may only read", async () => {
    const shop = await createBusiness();
    const secret = await createKey(shop, { scopes: ["settings:read"] });
    const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
    expect((await ask("GET", "")).status).toBe(200);
    const refused = await ask("PATCH", "", { body: { name: "Mine" } });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject(refusal("FORBIDDEN"));
  });

  it("applies both of two concurrent updates, or refuses one of them", async () => {
    const shop = await createBusiness();
    const ctx = { ...contextFor(shop), core: openDb(env.CORE, createMeter()) };
    const outcomes = await Promise.allSettled([
      updateBusiness(ctx, { name: "Changed" }),
      updateBusiness(ctx, { lowStockThreshold: 9 }),
    ]);
    const [name, threshold] = outcomes.map(({ status }) => status === "fulfilled");
    expect(name || threshold).toBe(true);
    expect((await merchant(shop)("GET", "")).body).toMatchObject(
      success({ name: name ? "Changed" : "Test shop", low_stock_threshold: threshold ? 9 : 5 }),
    );
  });

  it("changes nothing when the audit entry cannot be written", async () => {
    const shop = await createBusiness();
    const { db: _, ...ctx } = contextFor(shop);
    const failingShard = {
      prepare: env.SHOP_1.prepare.bind(env.SHOP_1),
      batch: () => Promise.reject(connectionLost),
    };
    const db = openDb(failingShard, createMeter());
    const core = openDb(env.CORE, createMeter());
    await expect(updateBusiness({ ...ctx, db, core }, { name: "Changed" })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    expect((await merchant(shop)("GET", "")).body).toMatchObject(success({ name: "Test shop" }));
  });
});

const connectionLost = new Error("D1_ERROR: Network connection lost.");
