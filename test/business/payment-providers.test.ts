import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CreatedBusiness, providerAccountRepo } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import {
  connectPaystack,
  createPaystackAccounts,
  keyOf,
  platformKey,
} from "../payments/paystack-accounts.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import {
  type ApiResponse,
  call,
  createBusiness,
  dataOf,
  merchant,
  operator,
  shopper,
} from "../support/world.ts";
import { callWithBindings } from "../uploads/create-uploads.ts";

let shop: CreatedBusiness;
let paystack: ReturnType<typeof createPaystackAccounts>;
const key = keyOf("ours");

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  shop = await createBusiness({ mode: "live", payments: "own" });
  paystack = createPaystackAccounts("ours", "new");
  paystack.addAccount(platformKey);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const errorOf = ({ status, body }: ApiResponse) => {
  const { code, context } = Object(body).error;
  return { status, code: context?.rule ?? code, field: context?.field };
};

const selectAccounts = async () =>
  (
    await env.CORE.prepare("select * from provider_accounts where business_id = ?")
      .bind(shop.business.id)
      .all()
  ).results;

/** Moves the clock on until no isolate caches the business as it was. */
const refreshCache = () => vi.setSystemTime(Date.now() + 6_000);

const listMethods = async () =>
  dataOf(await shopper(shop)("GET", "/business")).payment_methods.toSorted();

const listAudit = async () => {
  const rows = await selectRows(
    shop,
    "select action, entity, before, after from audit_entries where business_id = ? and action like 'payment_provider%' order by id",
    shop.business.id,
  );
  return rows;
};

describe("PUT /payment-providers/{provider}", () => {
  it("stores keys that the provider accepts, and shows them to nobody", async () => {
    const connected = await connectPaystack(shop, key);
    const account = {
      provider: "paystack",
      mode: "live",
      status: "active",
      methods: ["card", "mobile_money"],
      currencies: ["GHS"],
      key_hint: key.slice(-4),
      webhook_url: `https://duka.test/api/v1/payments/providers/paystack/webhook/${shop.business.id}`,
      connected_at: expect.any(String),
      last_error: null,
    };
    expect(connected).toMatchObject({ status: 200, body: { data: account } });
    expect(dataOf(await merchant(shop)("GET", "/payment-providers"))).toEqual([account]);
    expect(paystack.calls).toEqual([`GET /balance ${key}`]);
    expect(JSON.stringify(await selectAccounts())).not.toContain(key);
    expect(JSON.stringify(await listAudit())).not.toContain(key);
    expect(await listAudit()).toMatchObject([
      { action: "payment_provider.connected", entity: "paystack" },
    ]);
  });

  it("asks the provider again for the same keys, and changes nothing", async () => {
    const first = await connectPaystack(shop, key);
    const rows = await selectAccounts();
    expect(await connectPaystack(shop, key)).toMatchObject({ status: 200, body: first.body });
    expect(await selectAccounts()).toEqual(rows);
    expect(await listAudit()).toHaveLength(1);
    expect(paystack.calls).toHaveLength(2);
  });

  it("replaces the keys, also by two calls at once", async () => {
    await connectPaystack(shop, key);
    const both = await Promise.all([
      connectPaystack(shop, keyOf("new")),
      connectPaystack(shop, keyOf("new")),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(dataOf(await merchant(shop)("GET", "/payment-providers"))).toMatchObject([
      { key_hint: keyOf("new").slice(-4) },
    ]);
  });

  it("replays the response of a repeated Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "connect" };
    const first = await connectPaystack(shop, key, headers);
    const again = await connectPaystack(shop, key, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(paystack.calls).toHaveLength(1);
  });

  it("refuses keys without storing or repeating them", async () => {
    const unknown = keyOf("unknown");
    const put = (body: object, provider = "paystack") =>
      merchant(shop)("PUT", `/payment-providers/${provider}`, { body });
    const refused = { status: 422, code: "CREDENTIALS_REFUSED", field: undefined };
    expect(errorOf(await put({ secret_key: unknown }))).toEqual(refused);
    const calls = paystack.calls.length;
    const testKey = unknown.replace("live", "test");
    expect(errorOf(await put({ secret_key: testKey }))).toEqual(refused);
    const wrongForm = { status: 400, code: "VALIDATION_ERROR" };
    for (const [body, field] of [
      [{ secret_key: "pk_live_0123456789" }, "secret_key"],
      [{ secret_key: "" }, "secret_key"],
      [{}, "secret_key"],
      [{ secret_key: unknown, webhook_secret: "whsec_0123456789" }, "webhook_secret"],
    ] as const) {
      expect(errorOf(await put(body))).toEqual({ ...wrongForm, field });
    }
    expect(errorOf(await put({ secret_key: unknown }, "cash"))).toMatchObject({ status: 404 });
    expect(paystack.calls).toHaveLength(calls);
    paystack.state.isSilent = true;
    expect(errorOf(await put({ secret_key: key }))).toMatchObject({ status: 503 });
    expect(await selectAccounts()).toEqual([]);
  });

  it("is 503 in a deployment without CREDENTIALS_KEY", async () => {
    const response = await merchant(shop)("PUT", "/payment-providers/paystack", {
      body: { secret_key: key },
      fetch: (request) => callWithBindings({ CREDENTIALS_KEY: undefined }, request),
    });
    expect(errorOf(response)).toMatchObject({ status: 503 });
  });

  it("needs the scope providers:write, and reading payments:read", async () => {
    const path = `/v1/businesses/${shop.business.id}/payment-providers`;
    const statusesOf = async (scope: string) => {
      const created = await merchant(shop)("POST", "/keys", {
        body: { kind: "secret", scopes: [scope], label: "" },
      });
      const headers = { "X-API-Key": String(dataOf(created).key) };
      const body = { secret_key: key };
      return [
        (await call("GET", path, { headers })).status,
        (await call("PUT", `${path}/paystack`, { headers, body })).status,
        (await call("DELETE", `${path}/paystack`, { headers })).status,
      ];
    };
    expect(await statusesOf("payments:write")).toEqual([403, 403, 403]);
    expect(await statusesOf("payments:read")).toEqual([200, 403, 403]);
    expect(await statusesOf("providers:write")).toEqual([403, 200, 200]);
  });
});

describe("DELETE /payment-providers/{provider}", () => {
  it("ends new payments, and refunds of old ones go on until the operator purges", async () => {
    await connectPaystack(shop, key);
    refreshCache();
    const { id: productId } = await createProduct(shop, { defaultPriceMinor: 2_500 });
    const order = await createOrder(shop, productId, { quantity: 1 });
    expect(paystack.chargesOf(key)).toHaveLength(1);
    const disconnect = () => merchant(shop)("DELETE", "/payment-providers/paystack");
    const purge = () =>
      operator("POST", `/v1/businesses/${shop.business.id}/payment-providers/paystack/purge`);
    expect(errorOf(await purge())).toMatchObject({ status: 422, code: "INVALID_STATE" });
    const disabled = await disconnect();
    expect(disabled).toMatchObject({ status: 200, body: { data: { status: "disabled" } } });
    expect((await disconnect()).body).toEqual(disabled.body);
    refreshCache();
    expect(await listMethods()).toEqual(["cash"]);
    await expect(createOrder(shop, productId)).rejects.toThrow("PAYMENT_METHOD_UNAVAILABLE");
    const refunded = await merchant(shop)("POST", `/orders/${order.id}/refunds`, {
      body: { amount: "10.00" },
    });
    expect(refunded).toMatchObject({ status: 201 });
    expect(paystack.refundsOf(key)).toHaveLength(1);
    const { id } = shop.business;
    const reopen =
      "update refunds set status = 'pending', settled_at = null, due_at = 1 where business_id = ?";
    await selectRows(shop, reopen, id);
    expect(errorOf(await purge())).toMatchObject({ status: 422, code: "INVALID_STATE" });
    const settle = "update refunds set status = 'refunded', due_at = null where business_id = ?";
    await selectRows(shop, settle, id);
    expect(await purge()).toMatchObject({ status: 200, body: { data: { status: "disabled" } } });
    expect(await selectAccounts()).toEqual([]);
    expect(errorOf(await purge())).toMatchObject({ status: 404 });
    expect(errorOf(await disconnect())).toMatchObject({ status: 404 });
    expect((await listAudit()).map(({ action }) => action)).toEqual([
      "payment_provider.connected",
      "payment_provider.disconnected",
      "payment_provider.purged",
    ]);
  });

  it("lets the business connect again", async () => {
    await connectPaystack(shop, key);
    await merchant(shop)("DELETE", "/payment-providers/paystack");
    expect(await connectPaystack(shop, key)).toMatchObject({
      status: 200,
      body: { data: { status: "active" } },
    });
  });
});

describe("the payment methods of a business", () => {
  it("are those that are switched on and have an active account in the currency", async () => {
    expect(await listMethods()).toEqual(["cash"]);
    paystack.addAccount(keyOf("nigeria"), ["NGN"]);
    await connectPaystack(shop, keyOf("nigeria"));
    refreshCache();
    expect(await listMethods()).toEqual(["cash"]);
    await connectPaystack(shop, key);
    refreshCache();
    expect(await listMethods()).toEqual(["card", "cash", "mobile_money"]);
    await changeSettings(shop, { paymentMethods: ["card"] });
    expect(await listMethods()).toEqual(["card"]);
    await changeSettings(shop, {
      paymentMethods: ["card", "mobile_money"],
      paymentRouting: { card: ["stripe"], mobile_money: ["paystack"] },
    });
    expect(await listMethods()).toEqual(["mobile_money"]);
  });

  it("follow payment_routing, which the business sets", async () => {
    const patch = (payment_routing: object) =>
      merchant(shop)("PATCH", "", { body: { payment_routing } });
    expect(await patch({ card: ["paystack", "paystack"] })).toMatchObject({
      status: 200,
      body: { data: { payment_routing: { card: ["paystack"], mobile_money: ["paystack"] } } },
    });
    expect(errorOf(await patch({ card: ["visa"] }))).toMatchObject({ status: 400 });
    expect(errorOf(await patch({ cash: ["paystack"] }))).toMatchObject({ status: 400 });
    expect(errorOf(await patch({ card: [] }))).toMatchObject({ status: 400 });
  });

  it("take the deployment's account only where the operator says so", async () => {
    const path = `/v1/businesses/${shop.business.id}`;
    const body = { payments: "platform" };
    expect(errorOf(await merchant(shop)("PATCH", "", { body }))).toMatchObject({ status: 403 });
    expect(await operator("PATCH", path, { body })).toMatchObject({
      status: 200,
      body: { data: { payments: "platform" } },
    });
    refreshCache();
    expect(await listMethods()).toEqual(["card", "cash", "mobile_money"]);
    await operator("PATCH", path, { body: { payments: "own" } });
    refreshCache();
    expect(await listMethods()).toEqual(["cash"]);
  });

  it("keep the sandbox in test mode where no connected account serves the method", async () => {
    shop = await createBusiness();
    const testKey = key.replace("live", "test");
    paystack.addAccount(testKey, ["NGN"]);
    await connectPaystack(shop, testKey);
    refreshCache();
    const { id: productId } = await createProduct(shop);
    await createOrder(shop, productId);
    paystack.addAccount(testKey, ["GHS"]);
    await connectPaystack(shop, testKey);
    refreshCache();
    await createOrder(shop, productId);
    const rows = await selectRows(
      shop,
      "select provider from payments where business_id = ? order by id",
      shop.business.id,
    );
    expect(rows).toEqual([{ provider: "sandbox" }, { provider: "own_paystack" }]);
  });
});

describe("an account whose keys the provider refuses during a charge", () => {
  it("becomes invalid and takes no payment until it is connected again", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    await connectPaystack(shop, key);
    refreshCache();
    const { id: productId } = await createProduct(shop, { defaultPriceMinor: 2_500 });
    for (const [email, role] of [
      ["esi@example.com", "owner"],
      ["kofi@example.com", "owner"],
      ["yaw@example.com", "manager"],
    ])
      await merchant(shop)("POST", "/members", { body: { email, role } });
    paystack.removeAccount(key);
    await expect(createOrder(shop, productId)).rejects.toThrow();
    await expect(createOrder(shop, productId)).rejects.toThrow();
    const messages =
      "select name, recipient, status from messages where business_id = ? order by 2";
    const name = "provider.invalid";
    expect(await selectRows(shop, messages, shop.business.id)).toEqual([
      { name, recipient: "esi@example.com", status: "queued" },
      { name, recipient: "kofi@example.com", status: "queued" },
    ]);
    expect(dataOf(await merchant(shop)("GET", "/payment-providers"))).toMatchObject([
      {
        status: "invalid",
        last_error: "paystack does not accept the credentials any more. Connect the account again.",
      },
    ]);
    refreshCache();
    expect(await listMethods()).toEqual(["cash"]);
    paystack.addAccount(key);
    expect(await connectPaystack(shop, key)).toMatchObject({
      body: { data: { status: "active", last_error: null } },
    });
  });

  it("stays active when its keys were replaced meanwhile", async () => {
    await connectPaystack(shop, key);
    const repo = providerAccountRepo(openDb(env.CORE, createMeter()), shop.business.id);
    const replaced = await repo.find("paystack");
    await connectPaystack(shop, keyOf("new"));
    if (!replaced) throw new Error("The account is missing.");
    await repo.markInvalid("paystack", { ...replaced, lastError: "Refused.", now: Date.now() });
    expect(await repo.find("paystack")).toMatchObject({ status: "active", lastError: null });
  });
});

describe("a business that leaves the deployment's account", () => {
  it("refunds its old payments there, and charges with its own", async () => {
    const path = `/v1/businesses/${shop.business.id}`;
    await operator("PATCH", path, { body: { payments: "platform" } });
    refreshCache();
    const { id: productId } = await createProduct(shop, { defaultPriceMinor: 2_500 });
    const old = await createOrder(shop, productId, { quantity: 1 });
    await connectPaystack(shop, key);
    await operator("PATCH", path, { body: { payments: "own" } });
    refreshCache();
    const recent = await createOrder(shop, productId, { quantity: 1 });
    expect(paystack.chargesOf(platformKey)).toHaveLength(1);
    expect(paystack.chargesOf(key)).toHaveLength(1);
    for (const { id } of [old, recent]) {
      const order = dataOf(await merchant(shop)("GET", `/orders/${id}`));
      expect(order.payment).toMatchObject({ provider: "paystack", status: "succeeded" });
      const body = { amount: "5.00" };
      const refunded = await merchant(shop)("POST", `/orders/${id}/refunds`, { body });
      expect(refunded).toMatchObject({ status: 201, body: { data: { status: "refunded" } } });
    }
    expect(paystack.refundsOf(platformKey)).toHaveLength(1);
    expect(paystack.refundsOf(key)).toHaveLength(1);
  });
});
