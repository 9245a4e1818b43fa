import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseCredentialsKeys } from "../../functions/runtime/credentials-keys.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import {
  type CreatedBusiness,
  type Keyring,
  openCredentials,
  providerAccountRepo,
  rotateDataKeys,
  UnreadableCredentials,
} from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, dataOf, merchant, operator, shopper } from "../support/world.ts";
import { callWithBindings } from "../uploads/create-uploads.ts";
import { connectPaystack, createPaystackAccounts, keyOf } from "./paystack-accounts.ts";

/** The newest and the older key of the tests' deployment. */
const [newest, older] = settingsOf(env).credentialsKeyring;
const olderKey = env.CREDENTIALS_KEY.split(",")[1] ?? "";
const secretKey = keyOf("ours");

let shop: CreatedBusiness;
let paystack: ReturnType<typeof createPaystackAccounts>;

beforeEach(async () => {
  await env.CORE.exec("delete from provider_accounts; delete from business_data_keys");
  paystack = createPaystackAccounts("ours");
  shop = await createBusiness({ mode: "live", payments: "own" });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const core = () => openDb(env.CORE, createMeter());

async function loadAccount({ business }: CreatedBusiness) {
  const account = await providerAccountRepo(core(), business.id).find("paystack");
  if (!account) throw new Error("The business has no account.");
  return account;
}

const keyring = (): Keyring => settingsOf(env).credentialsKeyring;

/** Connects an account whose data key the older key wraps, as before a rotation. */
async function connectWithOlderKey(business: CreatedBusiness) {
  const connected = await merchant(business)("PUT", "/payment-providers/paystack", {
    body: { secret_key: secretKey },
    fetch: (request) => callWithBindings({ CREDENTIALS_KEY: olderKey }, request),
  });
  expect(connected.status).toBe(200);
}

describe("sealed credentials", () => {
  it("open for their business and provider alone", async () => {
    await connectPaystack(shop, secretKey);
    const { sealed } = await loadAccount(shop);
    const businessId = shop.business.id;
    const opened = { secretKey, webhookSecret: null, publishableKey: null };
    const open = (owner: object, keys = keyring()) =>
      openCredentials(sealed, { businessId, provider: "paystack", ...owner }, keys);
    expect(await open({})).toEqual(opened);
    for (const refused of [
      open({ provider: "stripe" }),
      open({ businessId: "biz_other" }),
      open({}, []),
      open({}, older ? [older] : []),
      open({}, newest && older ? [{ ...older, id: newest.id }] : []),
    ]) {
      await expect(refused).rejects.toBeInstanceOf(UnreadableCredentials);
    }
  });

  it("of a row that was copied to another business charge nobody", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const thief = await createBusiness({ mode: "live", payments: "own" });
    await connectPaystack(shop, secretKey);
    for (const table of ["business_data_keys", "provider_accounts"]) {
      const { results } = await env.CORE.prepare(`select * from ${table}`).all();
      const columns = Object.keys(results[0] ?? {}).filter((name) => name !== "business_id");
      await env.CORE.prepare(
        `insert into ${table} (business_id, ${columns}) select ?, ${columns} from ${table}`,
      )
        .bind(thief.business.id)
        .run();
    }
    paystack.calls.length = 0;
    const { id } = await createProduct(thief);
    await expect(createOrder(thief, id)).rejects.toThrow("SERVICE_UNAVAILABLE");
    expect(paystack.calls).toEqual([]);
  });
});

describe("CREDENTIALS_KEY", () => {
  it("lists keys with ids, the newest first, and is refused in any other form", () => {
    const key = (fill: number, size = 32) => btoa(String.fromCharCode(...Array(size).fill(fill)));
    expect(parseCredentialsKeys(`b:${key(2)}, a:${key(1)}`)).toMatchObject({
      type: "keys",
      keyring: [{ id: "b" }, { id: "a" }],
    });
    for (const text of ["", key(1), `a:${key(1, 31)}`, `A:${key(1)}`, `a:${key(1)},`, "a:b c"]) {
      expect(parseCredentialsKeys(text)).toMatchObject({ type: "invalid" });
      expect(() => settingsOf({ ...env, CREDENTIALS_KEY: text })).toThrow("CREDENTIALS_KEY");
    }
    expect(parseCredentialsKeys(`a:${key(1)},a:${key(2)}`)).toMatchObject({ type: "invalid" });
  });
});

describe("POST /v1/operator/credentials/rotate", () => {
  const rotate = (after: string | null = null) =>
    operator("POST", "/v1/operator/credentials/rotate", { body: { after } });

  it("wraps data keys again while the businesses charge, so that the older key can go", async () => {
    const shops = [shop, await createBusiness({ mode: "live", payments: "own" })];
    for (const one of shops) await connectWithOlderKey(one);
    vi.setSystemTime(Date.now() + 6_000);
    const sealedBefore = await Promise.all(shops.map(loadAccount));
    const products = await Promise.all(shops.map((one) => createProduct(one)));
    const order = (index: number) => {
      const [one, product] = [shops[index % 2], products[index % 2]];
      if (!one || !product) throw new Error("There are two shops.");
      return createOrder(one, product.id, { ask: shopper(one) });
    };
    const [, , ...orders] = await Promise.all([rotate(), rotate(), ...[0, 1, 2, 3].map(order)]);
    expect(orders).toHaveLength(4);
    expect(paystack.chargesOf(secretKey)).toHaveLength(4);
    expect(dataOf(await rotate())).toEqual({
      key_id: newest?.id,
      rewrapped: 0,
      failed: [],
      next: null,
      remaining: [],
    });
    const onlyNewest = keyring().slice(0, 1);
    for (const [index, { business }] of shops.entries()) {
      const { sealed } = await loadAccount(shops[index] ?? shop);
      expect(sealed.credentials).toBe(sealedBefore[index]?.sealed.credentials);
      const owner = { businessId: business.id, provider: "paystack" } as const;
      expect(await openCredentials(sealed, owner, onlyNewest)).toMatchObject({ secretKey });
    }
    await Promise.all([0, 1].map(order)); // from a cache that has the older wrapping
    expect(paystack.chargesOf(secretKey)).toHaveLength(6);
  });

  it("goes on where it stopped, and reports keys that it cannot unwrap", async () => {
    await connectWithOlderKey(shop);
    const { sealed } = await loadAccount(shop);
    const rows = Array.from({ length: 120 }, (_, index) => ({
      id: `biz_key_${String(index).padStart(3, "0")}`,
      keyId: index === 119 ? "lost" : "k1",
    }));
    await env.CORE.prepare(
      `insert into businesses (id, name, mode, currency, default_country, timezone, shard, settings,
         created_at, updated_at)
       select value ->> 'id', 'Test', 'test', 'GHS', 'GH', 'UTC', 'SHOP_1', '{}', 0, 0
         from json_each(?)`,
    )
      .bind(JSON.stringify(rows))
      .run();
    await env.CORE.prepare(
      `insert into business_data_keys (business_id, wrapping_key_id, wrapped, created_at, wrapped_at)
       select value ->> 'id', value ->> 'keyId', ?, 0, 0 from json_each(?)`,
    )
      .bind(sealed.dataKey.wrapped, JSON.stringify(rows))
      .run();
    const ctx = { ...runtime, core: core(), keyring: keyring() };
    const first = await rotateDataKeys(ctx, "");
    const second = await rotateDataKeys(ctx, first.next ?? "");
    // The copies are bound to another business, so only the shop's own data key opens.
    expect(first.rewrapped + second.rewrapped).toBe(1);
    expect(first.failed.length + second.failed.length).toBe(119);
    expect(second).toMatchObject({
      next: null,
      remaining: [
        { keyId: "k1", businesses: 119, isKnown: true },
        { keyId: "lost", businesses: 1, isKnown: false },
      ],
    });
  });

  it("is for the operator alone", async () => {
    const path = "/v1/operator/credentials/rotate";
    const headers = { "X-API-Key": shop.keys.secret };
    expect((await operator("POST", path, { body: {}, headers: {} })).status).toBe(200);
    expect(
      (await operator("POST", path, { body: {}, headers: { Authorization: "", ...headers } }))
        .status,
    ).toBe(401);
  });
});
