import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { updateBusiness } from "../../shared/businesses/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { call, contextFor, givenBusiness, merchant } from "../support/world.ts";
import { givenKey, refusal, success } from "./given.ts";

const settings = {
  name: "New name",
  tax: { rate_percent: "12.5", inclusive: true },
  auto_confirm: false,
  allowed_origins: ["https://shop.example", "http://localhost:3000"],
  payment_methods: ["cash", "card"],
  order_number_prefix: "ADW-",
  low_stock_threshold: 3,
  free_delivery_threshold: "200.00",
  incentives: [{ intent: "considering", template_id: "tpl_1", agent_id: "agent_1" }],
  fx: { provider: "static", static_rates: { base: "GHS", rates: { USD: "0.0625", KWD: "0.02" } } },
  rate_limits: {
    public_per_second_per_address: 500,
    public_per_minute: null,
    secret_per_second: 200,
  },
};

describe("GET /v1/businesses/{business_id}", () => {
  it("answers with the business, its settings and its locations", async () => {
    const { business, keys } = await givenBusiness();
    const read = await merchant({ business, keys })("GET", "");
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject(
      success({
        id: business.id,
        mode: "test",
        currency: "GHS",
        tax: { rate_percent: "0", inclusive: false },
        free_delivery_threshold: null,
        rate_limits: { public_per_minute: null },
        locations: [{ id: business.locations[0]?.id, is_default: true }],
      }),
    );
  });

  it("is 403 for a key of another business", async () => {
    const mine = await givenBusiness();
    const other = await givenBusiness();
    const refused = await merchant({ business: other.business, keys: mine.keys })("GET", "");
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject(refusal("FORBIDDEN"));
  });

  it("takes the business from the path, whatever X-Business-Id says", async () => {
    const mine = await givenBusiness();
    const other = await givenBusiness();
    const headers = { "X-Business-Id": mine.business.id };
    const refused = await merchant({ business: other.business, keys: mine.keys })("GET", "", {
      headers,
    });
    expect(refused.status).toBe(403);
  });

  it.each(["publishable", "deploy"] as const)("is 401 for a %s key", async (kind) => {
    const { business, keys } = await givenBusiness();
    const refused = await call("GET", `/v1/businesses/${business.id}`, {
      headers: { "X-API-Key": keys[kind] },
    });
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject(refusal("UNAUTHORIZED"));
  });

  it("is 401 without a key", async () => {
    const { business } = await givenBusiness();
    expect((await call("GET", `/v1/businesses/${business.id}`)).status).toBe(401);
  });
});

describe("PATCH /v1/businesses/{business_id}", () => {
  it("changes every setting, and a read shows it at once", async () => {
    const ask = merchant(await givenBusiness());
    const changed = await ask("PATCH", "", { body: settings });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject(success(settings));
    expect((await ask("GET", "")).body).toMatchObject(success(settings));
  });

  it("leaves what is not named, also inside of tax, fx and rate_limits", async () => {
    const ask = merchant(await givenBusiness());
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

  it("takes null for no threshold and for no rates", async () => {
    const ask = merchant(await givenBusiness());
    await ask("PATCH", "", { body: settings });
    const body = { free_delivery_threshold: null, fx: { static_rates: null } };
    expect((await ask("PATCH", "", { body })).body).toMatchObject(success(body));
  });

  it("leaves an audit entry with before and after", async () => {
    const shop = await givenBusiness();
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

  it("leaves no audit entry when nothing changes", async () => {
    const ask = merchant(await givenBusiness());
    await ask("PATCH", "", { body: { name: "Test shop" } });
    expect((await ask("GET", "/audit")).body).toMatchObject(success({ items: [] }));
  });

  it.each([
    ["name", { name: "" }],
    ["tax.rate_percent", { tax: { rate_percent: "101" } }],
    ["tax.rate_percent", { tax: { rate_percent: "05" } }],
    ["tax.rate_percent", { tax: { rate_percent: "-1" } }],
    ["auto_confirm", { auto_confirm: "yes" }],
    ["allowed_origins.1", { allowed_origins: ["https://a.example", "https://a.example/path"] }],
    ["allowed_origins.0", { allowed_origins: ["*"] }],
    ["allowed_origins.0", { allowed_origins: ["ftp://a.example"] }],
    ["payment_methods.0", { payment_methods: ["barter"] }],
    ["order_number_prefix", { order_number_prefix: "A".repeat(21) }],
    ["order_number_prefix", { order_number_prefix: "A\n" }],
    ["low_stock_threshold", { low_stock_threshold: -1 }],
    ["free_delivery_threshold", { free_delivery_threshold: "1.005" }],
    ["free_delivery_threshold", { free_delivery_threshold: "-1" }],
    ["incentives.0.intent", { incentives: [{ intent: "bored", template_id: "t", agent_id: "a" }] }],
    ["incentives", { incentives: [settings.incentives[0], settings.incentives[0]] }],
    ["fx.provider", { fx: { provider: "bank" } }],
    ["fx.static_rates.base", { fx: { static_rates: { base: "QQQ", rates: {} } } }],
    ["fx.static_rates.rates.USD", { fx: { static_rates: { base: "GHS", rates: { USD: "0" } } } }],
    ["fx.static_rates.rates.QQQ", { fx: { static_rates: { base: "GHS", rates: { QQQ: "1" } } } }],
    ["rate_limits.public_per_minute", { rate_limits: { public_per_minute: 0 } }],
  ])("names %s when the body is %j, and changes nothing", async (field, wrong) => {
    const ask = merchant(await givenBusiness());
    const refused = await ask("PATCH", "", { body: { order_number_prefix: "X-", ...wrong } });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect((await ask("GET", "")).body).toMatchObject(success({ order_number_prefix: "ORD-" }));
  });

  it("is 403 for a key that may only read", async () => {
    const shop = await givenBusiness();
    const secret = await givenKey(shop, { scopes: ["settings:read"] });
    const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
    expect((await ask("GET", "")).status).toBe(200);
    const refused = await ask("PATCH", "", { body: { name: "Mine" } });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject(refusal("FORBIDDEN"));
  });

  it("loses neither of two changes at once: both stand, or one is told to come again", async () => {
    const shop = await givenBusiness();
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

  it("does not change what it cannot leave an audit entry of", async () => {
    const shop = await givenBusiness();
    const { db: _, ...ctx } = contextFor(shop);
    const away = {
      prepare: env.SHOP_1.prepare.bind(env.SHOP_1),
      batch: () => Promise.reject(lost),
    };
    const db = openDb(away, createMeter());
    const core = openDb(env.CORE, createMeter());
    await expect(updateBusiness({ ...ctx, db, core }, { name: "Changed" })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    expect((await merchant(shop)("GET", "")).body).toMatchObject(success({ name: "Test shop" }));
  });
});

const lost = new Error("D1_ERROR: Network connection lost.");
