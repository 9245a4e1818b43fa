import { beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import { createOrder, type OrderPaymentMethod } from "../support/create-order.ts";
import { createPaymentPath } from "../support/create-payment-path.ts";
import { createProduct } from "../support/create-product.ts";
import {
  type ApiClient,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop, { defaultPriceMinor: 2_500 });
});

async function createLinkedOrder(payWith: OrderPaymentMethod) {
  const customer = { name: "Kofi Mensah", phone: "0241234567" };
  const address_info = { city: "Kumasi", country: "GH" };
  const fields = { customer, order_type: "delivery", address_info };
  const order = await createOrder(shop, product.id, { payWith, fields });
  const path = await createPaymentPath(shop, order.id);
  return { ...order, token: path.slice("/pay/".length) };
}

type LinkedOrder = Awaited<ReturnType<typeof createLinkedOrder>>;

const reads = ({ id, token }: LinkedOrder) =>
  [
    ["GET", `/orders/${id}?token=${token}`, undefined],
    ["GET", `/orders/${id}/payment-status?token=${token}`, undefined],
    ["POST", `/orders/${id}/verify-payment?token=${token}`, undefined],
  ] as const;

const payment = (digit: number, metadata: object = {}) => ({
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: `024123456${digit}`, provider: "mtn" },
  metadata,
});

const pay = ({ id, token }: LinkedOrder, body: object, ask: ApiClient = shopper(shop)) =>
  ask("POST", `/orders/${id}/pay?token=${token}`, { body });

it("reads and pays its order without a session, and shows nothing of the customer", async () => {
  const linked = await createLinkedOrder("cash");
  const ask = shopper(shop);
  const read = await ask(...reads(linked)[0]);
  expect(dataOf(read)).toMatchObject({
    total_price: "50.00",
    customer_id: null,
    customer_name: null,
    address_info: null,
    shipments: [],
  });
  expect(JSON.stringify(read.body)).not.toMatch(/Kofi|Kumasi/);
  expect(roundTrips(read)).toMatchObject({ d1: 1, do: 0 });
  const methods = ["cash", "mobile_money", "card"];
  expect(dataOf(await ask(...reads(linked)[1]))).toMatchObject({ payment_methods: methods });
  const asking = await pay(linked, payment(1, { note: "mine" }), ask);
  expect(dataOf(asking)).toMatchObject({ requires_authorization: true, bill_token: null });
  expect(roundTrips(asking)).toMatchObject({ d1: 3, do: 0 });
  const authorize = (token: string) =>
    ask("POST", `/payments/authorization?token=${token}`, {
      body: { payment_id: linked.paymentId, authorization: { type: "otp", value: "123456" } },
    });
  const other = await createLinkedOrder("cash");
  for (const token of [other.token, `${linked.token}x`])
    expect(await authorize(token)).toMatchObject({ status: 404 });
  expect(dataOf(await authorize(linked.token))).toMatchObject({ provider_status: "captured" });
  expect(dataOf(await ask(...reads(linked)[2]))).toMatchObject({ payment_methods: [] });
  const order = dataOf(await merchant(shop)("GET", `/orders/${linked.id}`));
  expect(order.metadata).not.toHaveProperty("note");
});

it("lets the holder of a bill token answer a challenge that another browser began", async () => {
  const { paymentId, token } = await createOrder(shop, product.id, { payWith: "1" });
  const body = { payment_id: paymentId, authorization: { type: "otp", value: "123456" } };
  const ask = shopper(shop);
  const send = (proof: string) => ask("POST", `/payments/authorization?token=${proof}`, { body });
  expect(await ask("POST", "/payments/authorization", { body })).toMatchObject({ status: 404 });
  expect(await send(`${token.slice(0, -1)}x`)).toMatchObject({ status: 404 });
  expect(dataOf(await send(token))).toMatchObject({ provider_status: "captured" });
});

it("opens nothing else, no other order, and nothing at another business", async () => {
  const linked = await createLinkedOrder("cash");
  const other = await createLinkedOrder("cash");
  const neighbour = shopper(await createBusinessOnSameShard(shop));
  const ask = shopper(shop);
  const { id, token } = linked;
  for (const [path, body] of [
    [`/orders/${id}/cancel?token=${token}`, {}],
    [`/orders/${id}/reopen-cart?token=${token}`, undefined],
    [`/orders/${id}/customer?token=${token}`, { customer_id: "cus_1" }],
  ] as const)
    expect(await ask("POST", path, body && { body }), path).toMatchObject({ status: 404 });
  for (const [method, path] of [
    ...reads({ ...linked, id: other.id }),
    ...reads({ ...linked, token: `${token.slice(0, -1)}${token.endsWith("0") ? 1 : 0}` }),
  ])
    expect(await ask(method, path), path).toMatchObject({ status: 404 });
  for (const [method, path] of reads(linked))
    expect(await neighbour(method, path), path).toMatchObject({ status: 404 });
  expect(await pay(linked, payment(0), neighbour)).toMatchObject({ status: 404 });
});

it("opens an order that cannot be paid any more after its time, and no other one", async () => {
  vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z"));
  const paid = await createLinkedOrder("cash");
  const unpaid = await createLinkedOrder("cash");
  await pay(paid, payment(0));
  vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z") + 7 * day + minute);
  const ask = shopper(shop);
  for (const [method, path] of reads(paid)) expect((await ask(method, path)).status).toBe(200);
  for (const [method, path] of reads(unpaid)) expect((await ask(method, path)).status).toBe(404);
  expect(await pay(unpaid, payment(0))).toMatchObject({ status: 404 });
});

it("asks the provider, and takes payments, ten times a minute", async () => {
  vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z"));
  const linked = await createLinkedOrder("cash");
  await pay(linked, { payment_method: "card" });
  const [, , verify] = reads(linked);
  const statuses: number[] = [];
  for (let calls = 0; calls < 11; calls++) statuses.push((await shopper(shop)(...verify)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.at(-1)).toBe(429);
  const paying: number[] = [];
  for (let calls = 0; calls < 10; calls++) paying.push((await pay(linked, payment(3))).status);
  expect(paying.filter((status) => status === 503)).toHaveLength(9);
  expect(paying.at(-1)).toBe(429);
});
