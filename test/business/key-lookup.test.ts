import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  authenticationRepo,
  businessRepo,
  type CreatedBusiness,
  keyRepo,
} from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { sha256 } from "../../shared/kernel/index.ts";
import {
  connectPaystack,
  createPaystackAccounts,
  keyOf,
  platformKey,
} from "../payments/paystack-accounts.ts";
import { valueAt } from "../support/responses.ts";
import { createBusiness, merchant } from "../support/world.ts";

const core = openDb(env.CORE, createMeter());

const findByKey = async (keyText: string, businessId: string | null = null) =>
  authenticationRepo(core).findByKey(await sha256(keyText), businessId);

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness({ mode: "live", payments: "own" });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the lookup of a key", () => {
  it("reads the business as a lookup by its id does, with its locations and accounts", async () => {
    const ask = merchant(shop);
    createPaystackAccounts("ours").addAccount(platformKey);
    expect(await connectPaystack(shop, keyOf("ours"))).toMatchObject({ status: 200 });
    const archived = await ask("POST", "/locations", { body: { name: "Closed" } });
    await ask("DELETE", `/locations/${String(valueAt(archived, "data.id"))}`);
    const hours = { mon: [{ open: "09:00", close: "12:00" }] };
    const body = { name: 'Osu "east"', operating_hours: hours, is_default: true };
    expect(await ask("POST", "/locations", { body })).toMatchObject({ status: 201 });
    await ask("PATCH", "", { body: { rate_limits: { public_per_minute: 2_000 } } });

    const business = await businessRepo(core).get(shop.business.id);
    expect(business.locations.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['Osu "east"', true],
      [expect.any(String), false],
    ]);
    expect(business.providerAccounts).toHaveLength(1);
    expect(business.settings.rateLimits.publicPerMinute).toBe(2_000);
    expect((await findByKey(shop.keys.publishable))?.business).toEqual(business);
  });

  it("finds a business whose locations have more than 2 MB of closures together", async () => {
    const closures = JSON.stringify([{ date: "2030-01-01", reason: "x".repeat(600_000) }]);
    for (const number of [1, 2, 3, 4])
      await env.CORE.prepare(
        `insert into locations (id, business_id, name, timezone, operating_hours, is_default, closures, created_at)
          select 'loc_large_${number}', business_id, name, timezone, operating_hours, 0, ?, created_at
          from locations where business_id = ? and is_default = 1`,
      )
        .bind(closures, shop.business.id)
        .run();
    const found = await findByKey(shop.keys.publishable);
    expect(found?.business?.locations).toHaveLength(5);
  });

  it("reads the key as a list of the business's keys does", async () => {
    const keys = await keyRepo(core, { type: "business", id: shop.business.id }).list({
      limit: 10,
      before: null,
    });
    const found = await findByKey(shop.keys.secret);
    expect(found?.key).toEqual(keys.find(({ kind }) => kind === "secret"));
  });

  it("finds no business that the key does not serve, and no unknown or revoked key", async () => {
    const other = await createBusiness();
    expect(await findByKey(shop.keys.secret, other.business.id)).toMatchObject({ business: null });
    expect(await findByKey(shop.keys.secret, "")).toMatchObject({ business: null });
    expect(await findByKey(`${shop.keys.secret}0`)).toBeNull();
    await env.CORE.prepare("update api_keys set revoked_at = 1 where business_id = ?")
      .bind(shop.business.id)
      .run();
    expect(await findByKey(shop.keys.secret)).toBeNull();
  });

  it("sends one statement", async () => {
    const meter = createMeter();
    const prepare = vi.spyOn(env.CORE, "prepare");
    await authenticationRepo(openDb(env.CORE, meter)).findByKey(
      await sha256(shop.keys.secret),
      null,
    );
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(meter.d1).toBe(1);
  });
});
