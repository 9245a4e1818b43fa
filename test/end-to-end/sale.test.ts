import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callerAt, done } from "./caller.ts";
import { cashCheckout, kenteShirt, mobileMoneyCheckout, newBusiness, sheaSoap } from "./goods.ts";
import { eventOf, type Receiver, startReceiver } from "./receiver.ts";
import { newPlace, type Place, root, runToEnd, type Service, startService } from "./service.ts";
import { type Order, openShop, operatorAt, type Shop } from "./shop.ts";
import { socketAt } from "./sockets.ts";

// One sale from start to end: each test goes on where the one before it stopped.
let place: Place;
let service: Service;
let receiver: Receiver;
let shop: Shop;
let shirt: { id: string; slug: string; large: string };
let soapId: string;
let productCount = 0;
let secret: string;
let cashOrder: Order;
let mobileMoneyOrder: Order;

beforeAll(async () => {
  place = await newPlace();
  receiver = await startReceiver();
  service = await startService(place);
});

afterAll(async () => {
  await receiver?.stop();
  await service?.stop().finally(() => rmSync(place.stateDir, { recursive: true, force: true }));
});

const demo = () => readFileSync(join(place.stateDir, "demo.json"), "utf8");

describe("npm run dev", () => {
  it("greets with the demo shops' keys", () => {
    expect(service.output()).toContain("Duka is up at");
    const { shops } = JSON.parse(demo());
    expect(shops).not.toEqual([]);
    for (const { keys } of shops) expect(service.output()).toContain(keys.publishable);
  });

  it("answers at one address, with a page about all of it", async () => {
    const ask = callerAt(service.origin);
    expect(await ask("GET", "/healthz")).toMatchObject({
      status: 200,
      body: { status: "ok", version: expect.any(String) },
    });
    const docs = await ask("GET", "/docs");
    expect(docs.status).toBe(200);
    expect(docs.headers.get("Content-Type")).toMatch(/^text\/html/);
  });

  it.each([
    { surface: "/api/v1", paths: ["/api/v1/cart/items", "/api/v1/checkout"] },
    { surface: "/v1/businesses", paths: ["/v1/businesses/{business_id}/imports"] },
    { surface: "/v1/link", paths: [] },
  ])("documents $surface", async ({ surface, paths }) => {
    const ask = callerAt(service.origin);
    expect(await ask("GET", `${surface}/healthz`)).toMatchObject({ body: { status: "ok" } });
    const { body } = await ask("GET", `${surface}/openapi.json`);
    expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
    expect(Object.keys(Object(body).paths)).toEqual(expect.arrayContaining(paths));
  });

  it.each(["/nowhere", "/api/v1/nowhere", "/v1/link/nowhere", "/v1/businesses/nowhere/else"])(
    "answers %s with the envelope",
    async (path) => {
      const error = { code: "NOT_FOUND", message: expect.any(String), retryable: false };
      expect(await callerAt(service.origin)("GET", path)).toMatchObject({
        status: 404,
        body: { success: false, error },
      });
    },
  );

  it("refuses a taken port in one line", async () => {
    const { code, output } = await runToEnd(place);
    expect(code).toBeGreaterThan(0);
    expect(output.trim().split("\n")).toEqual([
      expect.stringContaining(`Port ${place.port} is taken`),
    ]);
  });
});

describe("a merchant", () => {
  it("gets a business from the operator, and from nobody else", async () => {
    const stranger = operatorAt(service.origin, "not-the-operators-token");
    expect(await stranger("POST", "", { body: newBusiness })).toMatchObject({ status: 401 });
    shop = await openShop(service.origin);
    const tax = { rate_percent: "12.5", inclusive: false };
    expect(done(await shop.merchant("PATCH", "", { body: { tax } }))).toMatchObject({ tax });
  });

  it("puts in a category and two products, one with variants and one with stock", async () => {
    const category = done(
      await shop.merchant("POST", "/categories", { body: { name: "Handmade" } }),
    );
    const created = done(
      await shop.merchant("POST", "/products", { body: kenteShirt(category.id) }),
    );
    const large = created.variants.find(({ name }: { name: string }) => name === "Large");
    shirt = { id: created.id, slug: created.slug, large: large.id };
    soapId = done(await shop.merchant("POST", "/products", { body: sheaSoap })).id;
    const level = `/inventory/${soapId}/locations/${shop.locationId}`;
    expect(
      done(await shop.merchant("PUT", level, { body: { quantity_on_hand: 10 } })),
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
    it.runIf(existsSync(path))(`imports ${file}, and again without a change`, async () => {
      const importFile = () =>
        shop.merchant("POST", "/imports", { body: readFileSync(path, "utf8") });
      const first = { products_created: products, products_updated: 0, products_unchanged: 0 };
      expect(done(await importFile())).toMatchObject({ ...first, rows, rejected: [] });
      const second = { products_created: 0, products_updated: 0, products_unchanged: products };
      expect(done(await importFile())).toMatchObject({ ...second, rows, rejected: [] });
      productCount += products;
    });
  }

  it("exports the catalogue; importing the export changes nothing", async () => {
    const exported = await shop.merchant("GET", "/exports/products");
    expect(exported.status, exported.text).toBe(200);
    expect(exported.headers.get("Content-Type")).toMatch(/^text\/csv/);
    for (const handle of [shirt.slug, "seeded-rye"])
      expect(exported.text).toContain(`\n${handle},`);
    expect(done(await shop.merchant("POST", "/imports", { body: exported.text }))).toMatchObject({
      products_created: 0,
      products_updated: 0,
      products_unchanged: productCount,
      rejected: [],
    });
    expect((await shop.merchant("GET", "/exports/products")).text).toBe(exported.text);
  });

  it("subscribes to orders and payments, with a secret key alone", async () => {
    const body = { url: receiver.url, events: ["order.created", "payment.completed"] };
    expect(await shop.shopper()("POST", "/webhooks", { body })).toMatchObject({ status: 401 });
    const subscription = done(await shop.backend("POST", "/webhooks", { body }));
    expect(subscription).toMatchObject({ ...body, status: "active" });
    secret = subscription.secret;
    expect(secret).toMatch(/^whsec_/);
  });
});

describe("a shopper", () => {
  it("finds a product in the list, by id, by slug and by search", async () => {
    const read = async (path: string) =>
      done(await shop.shopper()("GET", `/catalogue/products${path}`));
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
    expect(await slugs("?search=butter%20crois")).toEqual(["butter-croissant"]);
  });

  it("buys with cash, at totals that are exact, once for one key", async () => {
    const ask = shop.shopper();
    const add = async (body: unknown) => done(await ask("POST", "/cart/items", { body }));
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
    const checkout = () => ask("POST", "/checkout", { body: cashCheckout(cart.id), headers });
    const sold = await checkout();
    cashOrder = done(sold);
    expect(cashOrder).toMatchObject({ payment_status: "pending", next_action: { type: "none" } });
    const again = await checkout();
    expect(again.text).toBe(sold.text);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(done(await ask("GET", "/cart"))).toMatchObject({ items: [], item_count: 0 });
  });

  it("reads the order with its bill_token, and not without", async () => {
    expect(done(await shop.readOrder(cashOrder))).toMatchObject({
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

  it("pays with mobile money: the right one-time code settles and confirms the order", async () => {
    const ask = shop.shopper();
    const post = (path: string, body: unknown) => ask("POST", path, { body });
    done(await post("/cart/items", { item_id: shirt.id }));
    const cart = done(await post("/cart/items", { item_id: soapId }));
    // 120.00 + 24.88, and 12.5 % of it.
    const pricing = { subtotal: "144.88", tax_total: "18.11", total_price: "162.99" };
    expect(cart).toMatchObject({ pricing });
    const sold = done(await post("/checkout", mobileMoneyCheckout(cart.id)));
    mobileMoneyOrder = sold;
    expect(sold).toMatchObject({
      payment_status: "requires_action",
      requires_authorization: true,
      next_action: { type: "authorization", authorization_type: "otp" },
    });

    const authorize = (value: string) =>
      post("/payments/authorization", {
        payment_id: sold.payment_id,
        authorization: { type: "otp", value },
      });
    expect(await authorize("654321")).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "AUTHORIZATION_FAILED" } } },
    });
    expect(done(await authorize("123456"))).toMatchObject({
      payment_status: "captured",
      requires_authorization: false,
      next_action: { type: "none" },
    });

    const settled = { payment_status: "succeeded" };
    expect(done(await shop.readOrder(sold))).toMatchObject({ ...settled, status: "confirmed" });
    const payment = { ...settled, amount: "162.99", settled_at: expect.stringMatching(/Z$/) };
    expect(done(await shop.readOrder(sold, "/payment-status"))).toMatchObject(payment);
  });
});

describe("a customer of a live shop", () => {
  /** What the terminal shows of a message to the contact, once it has come through the queue. */
  async function codeTold(channel: string, contact: string): Promise<string> {
    const shown = () =>
      service
        .output()
        .split(`[${channel} to ${contact}] `)[1]
        ?.match(/^(\d{6}) is your code for /)?.[1];
    await expect.poll(shown, { timeout: 30_000 }).toBeDefined();
    return shown() ?? "";
  }

  it("logs in to the shop and to Link with the codes that the terminal shows, and with no other", async () => {
    const live = await openShop(service.origin, { mode: "live" });
    const ask = live.shopper();
    const [phone, email] = ["+233241234567", "ama@example.com"];
    done(await ask("POST", "/auth/request-otp", { body: { contact: "024 123 4567" } }));
    const verify = (otp_code: string) =>
      ask("POST", "/auth/verify-otp", { body: { contact: phone, otp_code } });
    const code = await codeTold("sms", phone);
    if (code !== "123456") expect(await verify("123456")).toMatchObject({ status: 401 });
    expect(done(await verify(code))).toMatchObject({ customer: { phone } });
    expect(done(await ask("GET", "/auth/status"))).toMatchObject({ is_authenticated: true });

    await live.link("POST", "/auth/request-otp", { body: { contact: email } });
    const body = { contact: email, otp_code: await codeTold("email", email) };
    expect(await live.link("POST", "/auth/verify-otp", { body })).toMatchObject({
      status: 200,
      body: { success: true, session_token: expect.stringMatching(/^lnk_/) },
    });
  });
});

describe("the merchant", () => {
  it("has as much less in stock as was sold", async () => {
    const { items } = done(await shop.merchant("GET", `/inventory?product_id=${soapId}`));
    expect(items).toMatchObject([{ quantity_available: 6 }]);
  });

  it("is told of both orders and of the payment, signed", async () => {
    await expect.poll(() => receiver.deliveries().length, { timeout: 30_000 }).toBe(3);
    const { origin } = service;
    const events = await Promise.all(
      receiver.deliveries().map((delivery) => eventOf(delivery, { secret, origin })),
    );
    const about = ({ order_id }: Order, type: string) =>
      events.find((event) => event.type === type && event.data.order_id === order_id)?.data;

    expect(about(cashOrder, "order.created")).toMatchObject({
      id: cashOrder.order_id,
      order_number: cashOrder.order_number,
      status: "pending",
      total_price: "388.84",
      currency: "GHS",
      item_count: 5,
    });
    expect(about(mobileMoneyOrder, "order.created")).toMatchObject({ total_price: "162.99" });
    expect(about(mobileMoneyOrder, "payment.completed")).toMatchObject({
      payment_id: expect.stringMatching(/^pt_/),
      amount: "162.99",
      currency: "GHS",
    });
  });
});

describe("a shopper and the merchant's agent", () => {
  it("talk over their sockets; who was away catches up", async () => {
    const visitor = shop.shopper();
    const opened = await visitor("POST", "/support/conversation");
    const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const shoppers = () =>
      socketAt(
        service.origin,
        `/api/v1/support/conversation/ws?public_key=${shop.keys.publishable}`,
        { Cookie: cookie },
      );
    const [mine, theirs] = await Promise.all([
      shoppers(),
      socketAt(
        service.origin,
        `/v1/businesses/${shop.id}/conversations/${done(opened).conversation.id}/ws`,
        { "X-API-Key": shop.keys.secret },
      ),
    ]);
    expect(await mine.next("resync")).toEqual({ type: "resync", latest_message_at: null });
    mine.send({ type: "message", content: "Where is my shirt?", client_id: "m-1" });
    const question = await theirs.next("message");
    expect(question.message).toMatchObject({ sender_type: "customer", client_id: "m-1" });
    expect(await mine.next("message")).toEqual(question);
    mine.hangUp();
    theirs.send({ type: "message", content: "On its way", client_id: "a-1" });
    const { message: answer } = await theirs.next("message");
    expect(answer).toMatchObject({ sender_type: "agent", content: "On its way" });
    const back = await shoppers();
    expect(await back.next("resync")).toMatchObject({
      latest_message_at: Object(answer).created_at,
    });
    const { created_at: after } = Object(question.message);
    const missed = await visitor("GET", `/support/conversation/messages?after=${after}`);
    expect(done(missed)).toEqual([answer]);
    back.send({ type: "message", content: "Thank you", client_id: "m-2" });
    expect((await theirs.next("message")).message).toMatchObject({ content: "Thank you" });
    for (const socket of [back, theirs]) socket.hangUp();
  });
});

describe("npm run dev, again", () => {
  it("is up with all data and the same demo shops", async () => {
    const before = demo();
    await service.stop();
    service = await startService(place);
    const order = { status: "confirmed", total_price: "162.99" };
    expect(done(await shop.readOrder(mobileMoneyOrder))).toMatchObject(order);
    expect(demo()).toBe(before);
  });

  it("starts from nothing with --reset", async () => {
    await service.stop();
    service = await startService(place, "--reset");
    expect(await shop.readOrder(mobileMoneyOrder)).toMatchObject({ status: 401 });
    const { items } = done(await operatorAt(service.origin)("GET", "?limit=100"));
    expect(items).not.toContainEqual(expect.objectContaining({ id: shop.id }));
  });
});
