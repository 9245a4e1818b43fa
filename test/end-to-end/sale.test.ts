import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, dataOf } from "./api-client.ts";
import {
  connectShop,
  createOperator,
  createShop,
  type EndToEndShop,
  type PlacedOrder,
} from "./create-shop.ts";
import {
  createDevInstance,
  type DevInstance,
  root,
  runUntilExit,
  type Service,
  startService,
} from "./dev-process.ts";
import {
  cashCheckout,
  kenteShirt,
  mobileMoneyCheckout,
  newBusiness,
  sheaSoap,
} from "./request-bodies.ts";
import { openSocket } from "./sockets.ts";
import { type Receiver, startReceiver, verifyEvent } from "./webhook-receiver.ts";

// One sale from start to end: each test continues where the previous one stopped.
let instance: DevInstance;
let service: Service;
let receiver: Receiver;
let shop: EndToEndShop;
let shirt: { id: string; slug: string; large: string };
let soapId: string;
let productCount = 0;
let secret: string;
let cashOrder: PlacedOrder;
let mobileMoneyOrder: PlacedOrder;

beforeAll(async () => {
  instance = createDevInstance();
  receiver = await startReceiver();
  service = await startService(instance);
});

afterAll(async () => {
  await receiver?.stop();
  await service?.stop().finally(() => rmSync(instance.stateDir, { recursive: true, force: true }));
});

const demo = () => readFileSync(join(instance.stateDir, "demo.json"), "utf8");

describe("npm run dev", () => {
  it("prints the demo shops' keys", () => {
    expect(service.output()).toContain("Duka is up at");
    const { shops } = JSON.parse(demo());
    expect(shops).not.toEqual([]);
    for (const { keys } of shops) expect(service.output()).toContain(keys.publishable);
  });

  it("serves health check and API reference at one address", async () => {
    const call = createClient(service.origin);
    expect(await call("GET", "/healthz")).toMatchObject({
      status: 200,
      body: { status: "ok", version: expect.any(String) },
    });
    const docs = await call("GET", "/docs");
    expect(docs.status).toBe(200);
    expect(docs.headers.get("Content-Type")).toMatch(/^text\/html/);
    expect(docs.headers.get("Content-Security-Policy")).toContain(
      `script-src ${service.origin}/reference/;`,
    );
  });

  it.each([
    { prefix: "/api/v1", paths: ["/api/v1/cart/items", "/api/v1/checkout"] },
    { prefix: "/v1/businesses", paths: ["/v1/businesses/{business_id}/imports"] },
    { prefix: "/v1/link", paths: [] },
  ])("documents $prefix", async ({ prefix, paths }) => {
    const call = createClient(service.origin);
    expect(await call("GET", `${prefix}/healthz`)).toMatchObject({ body: { status: "ok" } });
    const { body } = await call("GET", `${prefix}/openapi.json`);
    expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
    expect(Object.keys(Object(body).paths)).toEqual(expect.arrayContaining(paths));
  });

  it.each(["/nowhere", "/api/v1/nowhere", "/v1/link/nowhere", "/v1/businesses/nowhere/else"])(
    "responds to %s with a 404 in the envelope",
    async (path) => {
      const error = { code: "NOT_FOUND", message: expect.any(String), retryable: false };
      expect(await createClient(service.origin)("GET", path)).toMatchObject({
        status: 404,
        body: { success: false, error },
      });
    },
  );

  it("reports a taken port in one line", async () => {
    const port = Number(new URL(service.origin).port);
    const { code, output } = await runUntilExit({ ...instance, port });
    expect(code).toBeGreaterThan(0);
    expect(output.trim().split("\n")).toEqual([expect.stringContaining(`Port ${port} is taken`)]);
  });
});

describe("a merchant", () => {
  it("gets a business from the operator, whose token is required", async () => {
    const unauthenticated = createOperator(service.origin, "not-the-operators-token");
    expect(await unauthenticated("POST", "", { body: newBusiness })).toMatchObject({ status: 401 });
    shop = await createShop(service.origin);
    const tax = { rate_percent: "12.5", inclusive: false };
    expect(dataOf(await shop.merchant("PATCH", "", { body: { tax } }))).toMatchObject({ tax });
  });

  it("creates a category and two products, one with variants and one with stock", async () => {
    const category = dataOf(
      await shop.merchant("POST", "/categories", { body: { name: "Handmade" } }),
    );
    const created = dataOf(
      await shop.merchant("POST", "/products", { body: kenteShirt(category.id) }),
    );
    const large = created.variants.find(({ name }: { name: string }) => name === "Large");
    shirt = { id: created.id, slug: created.slug, large: large.id };
    soapId = dataOf(await shop.merchant("POST", "/products", { body: sheaSoap })).id;
    const level = `/inventory/${soapId}/locations/${shop.locationId}`;
    expect(
      dataOf(await shop.merchant("PUT", level, { body: { quantity_on_hand: 10 } })),
    ).toMatchObject({
      quantity_available: 10,
    });
    productCount = 2;
  });

  for (const { file, products, rows } of [
    { file: "test/fixtures/bakery.csv", products: 8, rows: 18 },
    { file: "../shared/catalogues/apparel.csv", products: 20, rows: 22 },
  ]) {
    const path = join(root, file);
    it.runIf(existsSync(path))(
      `imports ${file}, and changes nothing when it imports it again`,
      async () => {
        const importFile = () =>
          shop.merchant("POST", "/imports", { body: readFileSync(path, "utf8") });
        const first = { products_created: products, products_updated: 0, products_unchanged: 0 };
        expect(dataOf(await importFile())).toMatchObject({ ...first, rows, rejected: [] });
        const second = { products_created: 0, products_updated: 0, products_unchanged: products };
        expect(dataOf(await importFile())).toMatchObject({ ...second, rows, rejected: [] });
        productCount += products;
      },
    );
  }

  it("exports the catalogue, and changes nothing when it imports the export", async () => {
    const exported = await shop.merchant("GET", "/exports/products");
    expect(exported.status, exported.text).toBe(200);
    expect(exported.headers.get("Content-Type")).toMatch(/^text\/csv/);
    for (const handle of [shirt.slug, "seeded-rye"])
      expect(exported.text).toContain(`\n${handle},`);
    expect(dataOf(await shop.merchant("POST", "/imports", { body: exported.text }))).toMatchObject({
      products_created: 0,
      products_updated: 0,
      products_unchanged: productCount,
      rejected: [],
    });
    expect((await shop.merchant("GET", "/exports/products")).text).toBe(exported.text);
  });

  it("subscribes to orders and payments, which requires a secret key", async () => {
    const body = { url: receiver.url, events: ["order.created", "payment.completed"] };
    expect(await shop.shopper()("POST", "/webhooks", { body })).toMatchObject({ status: 401 });
    const subscription = dataOf(await shop.backend("POST", "/webhooks", { body }));
    expect(subscription).toMatchObject({ ...body, status: "active" });
    secret = subscription.secret;
    expect(secret).toMatch(/^whsec_/);
  });
});

describe("a shopper", () => {
  it("finds a product in the list, by id, by slug and by search", async () => {
    const read = async (path: string) =>
      dataOf(await shop.shopper()("GET", `/catalogue/products${path}`));
    const slugs = async (query: string) =>
      (await read(query)).items.map(({ slug }: { slug: string }) => slug);
    const listed = await slugs("?limit=100");
    expect(listed).toEqual(expect.arrayContaining([shirt.slug, "seeded-rye"]));
    // One product of the bakery is not published.
    expect(listed).toHaveLength(productCount - 1);

    const opened = await read(`/${shirt.id}`);
    expect(opened).toMatchObject({ default_price: "120.00", category: { name: "Handmade" } });
    expect(await read(`/${shirt.slug}`)).toEqual(opened);
    expect(await slugs("?search=kent")).toEqual([shirt.slug]);
    expect(await slugs("?search=butter%20cro")).toEqual(["butter-croissant"]);
  });

  it("buys with cash at exact totals, once per idempotency key", async () => {
    const call = shop.shopper();
    const add = async (body: unknown) => dataOf(await call("POST", "/cart/items", { body }));
    await add({ item_id: shirt.id, variant_id: shirt.large, quantity: 2 });
    const cart = await add({ item_id: soapId, quantity: 3 });
    // 2 × (120.00 + 15.50) and 3 × 24.88; 12.5 % of 345.64 is 43.205, half to even 43.20.
    expect(cart).toMatchObject({
      item_count: 5,
      items: [
        { unit_price: "135.50", line_total: "271.00" },
        { unit_price: "24.88", line_total: "74.64" },
      ],
      pricing: {
        subtotal: "345.64",
        discount_total: "0.00",
        tax_total: "43.20",
        total_price: "388.84",
        currency: "GHS",
      },
    });

    const headers = { "Idempotency-Key": "5ff3bd1c-6a5e-4a6e-9d0b-2f7c0de0f0a1" };
    const checkout = () => call("POST", "/checkout", { body: cashCheckout(cart.id), headers });
    const placed = await checkout();
    cashOrder = dataOf(placed);
    expect(cashOrder).toMatchObject({ payment_status: "pending", next_action: { type: "none" } });
    const repeated = await checkout();
    expect(repeated.text).toBe(placed.text);
    expect(repeated.headers.get("Idempotency-Replayed")).toBe("true");
    expect(dataOf(await call("GET", "/cart"))).toMatchObject({ items: [], item_count: 0 });
  });

  it("reads the order with its bill_token only", async () => {
    expect(dataOf(await shop.readOrder(cashOrder))).toMatchObject({
      order_number: "ORD-1001",
      status: "pending",
      payment_status: "pending",
      order_type: "pickup",
      customer_name: "Ama Serwaa",
      items: [
        { product_name: "Kente Shirt", variant_name: "Large", quantity: 2, total: "271.00" },
        { product_name: "Shea Soap", quantity: 3, total: "74.64" },
      ],
      subtotal: "345.64",
      tax_amount: "43.20",
      total_price: "388.84",
    });
    expect(await shop.readOrder({ ...cashOrder, bill_token: "bt_wrong" })).toMatchObject({
      status: 404,
    });
    expect(await shop.shopper()("GET", `/orders/${cashOrder.order_id}`)).toMatchObject({
      status: 404,
    });
  });

  it("pays with mobile money: the correct one-time code captures the payment and confirms the order", async () => {
    const call = shop.shopper();
    const post = (path: string, body: unknown) => call("POST", path, { body });
    dataOf(await post("/cart/items", { item_id: shirt.id }));
    const cart = dataOf(await post("/cart/items", { item_id: soapId }));
    // 120.00 + 24.88, and 12.5 % of it.
    const pricing = { subtotal: "144.88", tax_total: "18.11", total_price: "162.99" };
    expect(cart).toMatchObject({ pricing });
    const placed = dataOf(await post("/checkout", mobileMoneyCheckout(cart.id)));
    mobileMoneyOrder = placed;
    expect(placed).toMatchObject({
      payment_status: "requires_action",
      requires_authorization: true,
      next_action: { type: "authorization", authorization_type: "otp" },
    });

    const authorize = (value: string) =>
      post("/payments/authorization", {
        payment_id: placed.payment_id,
        authorization: { type: "otp", value },
      });
    expect(await authorize("654321")).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "AUTHORIZATION_FAILED" } } },
    });
    expect(dataOf(await authorize("123456"))).toMatchObject({
      payment_status: "captured",
      requires_authorization: false,
      next_action: { type: "none" },
    });

    const succeeded = { payment_status: "succeeded" };
    expect(dataOf(await shop.readOrder(placed))).toMatchObject({
      ...succeeded,
      status: "confirmed",
    });
    const payment = { ...succeeded, amount: "162.99", settled_at: expect.stringMatching(/Z$/) };
    expect(dataOf(await shop.readOrder(placed, "/payment-status"))).toMatchObject(payment);
  });
});

describe("a customer of a live shop", () => {
  /** Waits for a message to the contact in the output and returns its code. */
  async function waitForCode(channel: string, contact: string): Promise<string> {
    const findCode = () =>
      service
        .output()
        .split(`[${channel} to ${contact}] `)[1]
        ?.match(/^(\d{6}) is your code for /)?.[1];
    await expect.poll(findCode, { timeout: 30_000 }).toBeDefined();
    return findCode() ?? "";
  }

  it("logs in to the shop and to Link only with the codes that the terminal shows", async () => {
    const live = await createShop(service.origin, { mode: "live" });
    const call = live.shopper();
    const [phone, email] = ["+233241234567", "ama@example.com"];
    dataOf(await call("POST", "/auth/request-otp", { body: { contact: "024 123 4567" } }));
    const verify = (otp_code: string) =>
      call("POST", "/auth/verify-otp", { body: { contact: phone, otp_code } });
    const code = await waitForCode("sms", phone);
    if (code !== "123456") expect(await verify("123456")).toMatchObject({ status: 401 });
    expect(dataOf(await verify(code))).toMatchObject({ customer: { phone } });
    expect(dataOf(await call("GET", "/auth/status"))).toMatchObject({ is_authenticated: true });

    await live.link("POST", "/auth/request-otp", { body: { contact: email } });
    const body = { contact: email, otp_code: await waitForCode("email", email) };
    expect(await live.link("POST", "/auth/verify-otp", { body })).toMatchObject({
      status: 200,
      body: { success: true, session_token: expect.stringMatching(/^lnk_/) },
    });
  });
});

describe("the merchant", () => {
  it("has less stock by the quantity sold", async () => {
    const { items } = dataOf(await shop.merchant("GET", `/inventory?product_id=${soapId}`));
    expect(items).toMatchObject([{ quantity_available: 6 }]);
  });

  it("receives signed webhooks of both orders and the payment", async () => {
    await expect.poll(() => receiver.received().length, { timeout: 30_000 }).toBe(3);
    const { origin } = service;
    const events = await Promise.all(
      receiver.received().map((delivery) => verifyEvent(delivery, { secret, origin })),
    );
    const findEventData = ({ order_id }: PlacedOrder, type: string) =>
      events.find((event) => event.type === type && event.data.order_id === order_id)?.data;

    expect(findEventData(cashOrder, "order.created")).toMatchObject({
      id: cashOrder.order_id,
      order_number: cashOrder.order_number,
      status: "pending",
      total_price: "388.84",
      currency: "GHS",
      item_count: 5,
    });
    expect(findEventData(mobileMoneyOrder, "order.created")).toMatchObject({
      total_price: "162.99",
    });
    expect(findEventData(mobileMoneyOrder, "payment.completed")).toMatchObject({
      payment_id: expect.stringMatching(/^pt_/),
      amount: "162.99",
      currency: "GHS",
    });
  });
});

describe("a shopper and the merchant's agent", () => {
  it("exchange messages over sockets, and a reconnected shopper reads missed messages", async () => {
    const visitor = shop.shopper();
    const opened = await visitor("POST", "/support/conversation");
    const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const openShopperSocket = () =>
      openSocket(
        service.origin,
        `/api/v1/support/conversation/ws?public_key=${shop.keys.publishable}`,
        { Cookie: cookie },
      );
    const [shopperSocket, agentSocket] = await Promise.all([
      openShopperSocket(),
      openSocket(
        service.origin,
        `/v1/businesses/${shop.id}/conversations/${dataOf(opened).conversation.id}/ws`,
        { "X-API-Key": shop.keys.secret },
      ),
    ]);
    expect(await shopperSocket.nextFrame("resync")).toMatchObject({
      type: "resync",
      latest_message_at: null,
    });
    shopperSocket.send({ type: "message", content: "Where is my shirt?", client_id: "m-1" });
    const question = await agentSocket.nextFrame("message");
    expect(question.message).toMatchObject({ sender_type: "customer", client_id: "m-1" });
    expect(await shopperSocket.nextFrame("message")).toEqual(question);
    shopperSocket.close();
    agentSocket.send({ type: "message", content: "On its way", client_id: "a-1" });
    const { message: reply } = await agentSocket.nextFrame("message");
    expect(reply).toMatchObject({ sender_type: "agent", content: "On its way" });
    const reconnected = await openShopperSocket();
    expect(await reconnected.nextFrame("resync")).toMatchObject({
      latest_message_at: Object(reply).created_at,
    });
    const { created_at: after } = Object(question.message);
    const missed = await visitor("GET", `/support/conversation/messages?after=${after}`);
    expect(dataOf(missed)).toEqual([reply]);
    reconnected.send({ type: "message", content: "Thank you", client_id: "m-2" });
    expect((await agentSocket.nextFrame("message")).message).toMatchObject({
      content: "Thank you",
    });
    for (const socket of [reconnected, agentSocket]) socket.close();
  });
});

describe("npm run dev, restarted", () => {
  const order = { status: "confirmed", total_price: "162.99" };

  it("starts the Workers again when their processes are killed", async () => {
    service.killWorkers();
    await service.waitForOutput("The Workers run again.");
    expect(dataOf(await shop.readOrder(mobileMoneyOrder))).toMatchObject(order);
  });

  it("keeps all data and demo shops", async () => {
    const before = demo();
    await service.stop();
    service = await startService(instance);
    shop = connectShop(service.origin, shop);
    expect(dataOf(await shop.readOrder(mobileMoneyOrder))).toMatchObject(order);
    expect(demo()).toBe(before);
  });

  it("starts with empty databases with --reset", async () => {
    await service.stop();
    service = await startService(instance, "--reset");
    shop = connectShop(service.origin, shop);
    expect(await shop.readOrder(mobileMoneyOrder)).toMatchObject({ status: 401 });
    const { items } = dataOf(await createOperator(service.origin)("GET", "?limit=100"));
    expect(items).not.toContainEqual(expect.objectContaining({ id: shop.id }));
  });
});
