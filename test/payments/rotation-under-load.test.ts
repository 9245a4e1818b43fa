import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { firstRenewalTime, startTime } from "../renewals/renewal-state.ts";
import { createSubscription, loadPeriodOrders } from "../subscriptions/create-subscription.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runDueJobs } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { call, createBusiness, dataOf, merchant, operator } from "../support/world.ts";
import { callWithBindings } from "../uploads/create-uploads.ts";
import { createPaystackAccounts, keyOf, signPaystack } from "./paystack-accounts.ts";

const [newest = "", older = ""] = env.CREDENTIALS_KEY.split(",");
const key = keyOf("ours").replace("live", "test");
const minute = 60_000;

let shop: CreatedBusiness;
let paystack: ReturnType<typeof createPaystackAccounts>;
let errors: string[];

type SendRequest = (request: Request) => Promise<Response>;

/** Sends requests to a deployment with another CREDENTIALS_KEY. */
const withKeys =
  (CREDENTIALS_KEY: string): SendRequest =>
  (request) =>
    callWithBindings({ CREDENTIALS_KEY }, request);
const withBothKeys = withKeys(`${newest},${older}`);

beforeEach(async () => {
  errors = [];
  vi.spyOn(console, "error").mockImplementation((line) => void errors.push(String(line)));
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  paystack = createPaystackAccounts();
  paystack.addAccount(key);
  const body = { secret_key: key };
  const connected = await merchant(shop)("PUT", "/payment-providers/paystack", {
    body,
    fetch: withKeys(older),
  });
  expect(connected.status).toBe(200);
  vi.setSystemTime(Date.now() + 6_000); // no isolate caches the business as it was
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Places orders of one unit, one after the other. */
async function placeOrders(productId: string, chargeStatus: string, count: number) {
  paystack.state.chargeStatus = chargeStatus;
  const orders: PlacedOrder[] = [];
  while (orders.length < count) orders.push(await createOrder(shop, productId, { quantity: 1 }));
  paystack.state.chargeStatus = "success";
  return orders;
}

async function sendWebhook({ id }: PlacedOrder, fetch: SendRequest): Promise<number> {
  const query = "select reference from payments where order_id = ?";
  const [row] = await selectRows(shop, query, id);
  const reference = String(row?.reference).replace("_", "-");
  const rawBody = JSON.stringify({ event: "charge.success", data: { reference } });
  const headers = {
    "Content-Type": "application/json",
    "X-Paystack-Signature": await signPaystack(rawBody, key),
  };
  const path = `/api/v1/payments/providers/paystack/webhook/${shop.business.id}`;
  return (await call("POST", path, { rawBody, headers, fetch })).status;
}

const refund = async ({ id }: PlacedOrder, fetch: SendRequest): Promise<number> =>
  (await merchant(shop)("POST", `/orders/${id}/refunds`, { body: { amount: "5.00" }, fetch }))
    .status;

const rotate = async () =>
  dataOf(await operator("POST", "/v1/operator/credentials/rotate", { body: { after: null } }));

it("no payment is lost while CREDENTIALS_KEY is rotated and its older key taken away", async () => {
  const subscribed = await createSubscription(shop);
  vi.setSystemTime(Date.parse(firstRenewalTime) + 60 * minute);
  const { id } = await createProduct(shop, { defaultPriceMinor: 2_500 });
  const [paid, paidLater] = await placeOrders(id, "success", 2);
  const [waiting, waitingLater] = await placeOrders(id, "pay_offline", 2);
  if (!paid || !paidLater || !waiting || !waitingLater) throw new Error("Orders are missing.");
  paystack.setCharges(key, { status: "success" }); // the customers confirm on their phones

  const [, webhook, refunded] = await Promise.all([
    rotate(),
    sendWebhook(waiting, withBothKeys),
    refund(paid, withBothKeys),
    placeOrders(id, "success", 2),
    runDueJobs(),
    rotate(),
  ]);
  expect([webhook, refunded]).toEqual([200, 201]);
  expect(await rotate()).toMatchObject({ failed: [], next: null, remaining: [] });

  vi.setSystemTime(Date.now() + minute); // no isolate caches the earlier form any more
  const withNewest = withKeys(newest);
  const results = [
    await sendWebhook(waitingLater, withNewest),
    await refund(paidLater, withNewest),
    (await merchant(shop)("POST", `/orders/${paid.id}/cancel`, { body: {}, fetch: withNewest }))
      .status,
  ];
  expect(results).toEqual([200, 201, 200]);
  vi.setSystemTime("2030-03-31T10:00:00Z");
  await runDueJobs({ ...env, CREDENTIALS_KEY: newest });

  expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([
    { cycle: 1, payment_status: "captured" },
    { cycle: 2, payment_status: "captured" },
    { cycle: 3, payment_status: "captured" },
  ]);
  const open = "select id from payments where business_id = ? and settled_at is null";
  expect(await selectRows(shop, open, shop.business.id)).toEqual([]);
  const settled = "select id from refunds where business_id = ? and status = 'refunded'";
  expect(await selectRows(shop, settled, shop.business.id)).toHaveLength(3);
  expect(paystack.refundsOf(key)).toHaveLength(3);
  expect(paystack.chargesOf(key)).toHaveLength(9); // 6 orders and 3 periods
  expect(errors).toEqual([]);
});
