import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createConversation, openShopperSocket } from "../support/create-conversation.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { call, createBusiness, merchant, operator, shopper } from "../support/world.ts";
import { createAsset, createBytes, deployCaller } from "../uploads/create-uploads.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
});
afterEach(() => {
  vi.useRealTimers();
});

const expireCaches = () => vi.setSystemTime(Date.now() + 10_000);

type StatusChange = "suspend" | "resume" | "close";

const change = (verb: StatusChange, id = shop.business.id) =>
  operator("POST", `/v1/businesses/${id}/${verb}`);

/** Changes the status, and waits until no isolate caches the old one. */
async function changeTo(verb: StatusChange): Promise<void> {
  expect((await change(verb)).status).toBe(200);
  expireCaches();
}

const suspended = {
  status: 403,
  body: refusal("FORBIDDEN", { context: { business_status: "suspended" }, retryable: false }),
};
const closedToMerchant = {
  status: 403,
  body: refusal("FORBIDDEN", { context: { business_status: "closed" } }),
};
const notFound = { status: 404, body: refusal("NOT_FOUND") };

describe("a suspended business", () => {
  it("refuses every call with a publishable key within 10 seconds", async () => {
    const product = await createProduct(shop);
    const ask = shopper(shop);
    expect((await ask("POST", "/cart/items", { body: { item_id: product.id } })).status).toBe(200);
    await changeTo("suspend");
    expect(await ask("GET", "/business")).toMatchObject(suspended);
    expect(await ask("GET", "/catalogue/products")).toMatchObject(suspended);
    expect(await ask("POST", "/cart/items", { body: { item_id: product.id } })).toMatchObject(
      suspended,
    );
    const headers = { "X-Public-Key": shop.keys.publishable };
    const contact = { contact: "+233241234567" };
    expect(
      await call("POST", "/v1/link/auth/request-otp", { headers, body: contact }),
    ).toMatchObject(suspended);
  });

  it("lets its merchant read and write everything, such as a refund", async () => {
    const product = await createProduct(shop);
    const order = await createOrder(shop, product.id, { payWith: "0", quantity: 1 });
    await changeTo("suspend");
    const ask = merchant(shop);
    expect((await ask("GET", "")).body).toMatchObject(
      success({ status: "suspended", suspended_at: expect.any(String), closed_at: null }),
    );
    expect((await ask("GET", `/orders/${order.id}`)).status).toBe(200);
    const refund = await ask("POST", `/orders/${order.id}/refunds`, { body: { amount: "1" } });
    expect(refund.status).toBe(201);
  });

  it("sells again after it is resumed", async () => {
    await changeTo("suspend");
    await changeTo("resume");
    expect((await shopper(shop)("GET", "/business")).status).toBe(200);
    expect((await merchant(shop)("GET", "")).body).toMatchObject(
      success({ status: "active", suspended_at: null }),
    );
  });

  it("loses its shoppers' support sockets with their next ping", async () => {
    const { cookie, threadId } = await createConversation(shop, "Hello");
    const socket = await openShopperSocket(shop, cookie);
    await changeTo("suspend");
    vi.setSystemTime(Date.now() + 60_000);
    await runDurableObjectAlarm(env.SUPPORT_CONVERSATION.getByName(threadId));
    expect(await socket.waitForClose()).toBe(4001);
  });
});

describe("a closed business", () => {
  it("is 404 to shoppers", async () => {
    const ask = shopper(shop);
    expect((await ask("GET", "/business")).status).toBe(200);
    await changeTo("close");
    expect(await ask("GET", "/business")).toMatchObject(notFound);
    expect(await ask("POST", "/cart/items", { body: { item_id: "prod_1" } })).toMatchObject(
      notFound,
    );
  });

  it("has no published files any more", async () => {
    const asset = await createAsset(deployCaller(shop), createBytes(3));
    const read = () => call("GET", new URL(asset.url).pathname);
    expect((await read()).status).toBe(200);
    await changeTo("close");
    expect(await read()).toMatchObject(notFound);
  });

  it("is read-only to its merchant, who can export everything", async () => {
    await createProduct(shop);
    await changeTo("close");
    const ask = merchant(shop);
    expect((await ask("GET", "")).body).toMatchObject(
      success({
        status: "closed",
        closed_at: expect.any(String),
        erase_at: expect.any(String),
      }),
    );
    for (const path of ["/exports/products", "/orders", "/customers", "/audit", "/keys"])
      expect((await ask("GET", path)).status).toBe(200);
    const product = { name: "Tea", default_price: "3" };
    expect(await ask("POST", "/products", { body: product })).toMatchObject(closedToMerchant);
    expect(await ask("PATCH", "", { body: { name: "New" } })).toMatchObject(closedToMerchant);
    const upload = { filename: "a.png", content_type: "image/png", size_bytes: 3 };
    const deploy = deployCaller(shop);
    expect(await deploy("POST", "/init", { body: upload })).toMatchObject(closedToMerchant);
    expect((await deploy("GET", "")).status).toBe(200);
  });

  it("sells again when it is resumed within the 30 days", async () => {
    await changeTo("close");
    vi.setSystemTime(Date.now() + 29 * 86_400_000);
    await changeTo("resume");
    expect((await shopper(shop)("GET", "/business")).status).toBe(200);
    expect((await merchant(shop)("GET", "")).body).toMatchObject(
      success({ status: "active", closed_at: null, erase_at: null }),
    );
  });

  it("cannot be suspended", async () => {
    await changeTo("close");
    expect(await change("suspend")).toMatchObject({
      status: 422,
      body: refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    });
  });
});

describe("POST /v1/businesses/{business_id}/suspend, resume and close", () => {
  it("change nothing when repeated, and leave one audit entry each", async () => {
    const first = await change("suspend");
    vi.setSystemTime(Date.now() + 60_000);
    expect((await change("suspend")).body).toEqual(first.body);
    await change("resume");
    await change("resume");
    const closed = await change("close");
    vi.setSystemTime(Date.now() + 60_000);
    expect((await change("close")).body).toEqual(closed.body);
    const audit = await merchant(shop)("GET", `/audit?entity=${shop.business.id}`);
    expect(valueAt(audit, "data.items")).toMatchObject([
      { action: "business.closed", actor: "operator", after: { type: "closed" } },
      { action: "business.resumed" },
      { action: "business.suspended" },
    ]);
  });

  it("respond 404 for an unknown business, and 401 to its own secret key", async () => {
    for (const verb of ["suspend", "resume", "close"] as const) {
      expect(await change(verb, "biz_unknown")).toMatchObject(notFound);
      const refused = await merchant(shop)("POST", `/${verb}`);
      expect(refused.status).toBe(401);
    }
  });
});
