import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BusinessRuleError,
  createBusiness,
  expectedTotal,
  NotFoundError,
  UnauthorizedError,
} from "../../sdk/src/index.ts";
import { createClient } from "./api-client.ts";
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
import { type ClientProject, createClientProject } from "./packed-client.ts";
import {
  cashCheckout,
  kenteShirt,
  mobileMoneyCheckout,
  newBusiness,
  sheaSoap,
} from "./request-bodies.ts";
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

/** Sends the body on the agent's one connection. Returns the status, or the error of the connection. */
const postOn = (agent: Agent, path: string, body: Buffer) =>
  new Promise<number | string>((resolve) => {
    const headers = { "Content-Type": "application/json" };
    const sent = request(service.origin + path, { agent, method: "POST", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", (error) => resolve(String(error))).end(body);
  });

describe("npm run dev", () => {
  it("prints the demo shops' keys", () => {
    expect(service.output()).toContain("Duka is up at");
    const { shops } = JSON.parse(demo());
    expect(shops).not.toEqual([]);
    for (const { keys } of shops) expect(service.output()).toContain(keys.publishable);
  });

  it("keeps the connection after an answer for which no body was read", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = Buffer.alloc(64 * 1024, " ");
    const paths = ["/api/v1/checkout", "/v1/businesses", "/v1/link/enroll", "/shop/none/cart", "/"];
    const answers = [];
    for (const path of [...paths, ...paths]) answers.push(await postOn(agent, path, body));
    agent.destroy();
    expect(answers.filter((answer) => typeof answer === "string")).toEqual([]);
  });

  it("keeps wrangler's registry in the state folder, apart from other checkouts", () => {
    expect(readdirSync(join(instance.stateDir, "registry"))).toContain("duka-storefront");
  });

  it("gives each demo shop sales of many days, low stock and an open chat", async () => {
    const { shops } = JSON.parse(demo());
    for (const { id, keys } of shops) {
      const access = { baseUrl: service.origin, businessId: id, secretKey: keys.secret };
      const { reports } = createBusiness(access);
      const { sales, low_stock } = (await reports.getToday()).data;
      expect(sales?.days.filter(({ orders }) => orders > 0).length).toBeGreaterThan(3);
      expect(low_stock?.total).toBeGreaterThan(0);
      // The list of conversations may lag behind them.
      const countUnanswered = async () => (await reports.getToday()).data.conversations?.unanswered;
      await expect.poll(countUnanswered, { timeout: 10_000 }).toBe(1);
    }
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
    await expect(unauthenticated.businesses.create(newBusiness)).rejects.toThrow(UnauthorizedError);
    shop = await createShop(service.origin);
    const tax = { rate_percent: "12.5", inclusive: false };
    expect((await shop.merchant.business.update({ tax })).data).toMatchObject({ tax });
  });

  it("creates a category and two products, one with variants and one with stock", async () => {
    const { data: category } = await shop.merchant.categories.create({ name: "Handmade" });
    const { data: created } = await shop.merchant.products.create(kenteShirt(category.id));
    const large = created.variants.find(({ name }) => name === "Large");
    shirt = { id: created.id, slug: created.slug, large: large?.id ?? "" };
    soapId = (await shop.merchant.products.create(sheaSoap)).data.id;
    const { setStockLevel } = shop.merchant.inventory;
    const { data: level } = await setStockLevel(soapId, shop.locationId, { quantity_on_hand: 10 });
    expect(level).toMatchObject({ quantity_available: 10 });
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
        const importFile = async () =>
          (await shop.merchant.products.import({ file: readFileSync(path, "utf8") })).data;
        const first = { products_created: products, products_updated: 0, products_unchanged: 0 };
        expect(await importFile()).toMatchObject({ ...first, rows, rejected: [] });
        const second = { products_created: 0, products_updated: 0, products_unchanged: products };
        expect(await importFile()).toMatchObject({ ...second, rows, rejected: [] });
        productCount += products;
      },
    );
  }

  it("exports the catalogue, and changes nothing when it imports the export", async () => {
    const { data: exported } = await shop.merchant.products.export();
    for (const handle of [shirt.slug, "seeded-rye"]) expect(exported).toContain(`\n${handle},`);
    expect((await shop.merchant.products.import({ file: exported })).data).toMatchObject({
      products_created: 0,
      products_updated: 0,
      products_unchanged: productCount,
      rejected: [],
    });
    expect((await shop.merchant.products.export()).data).toBe(exported);
  });

  it("subscribes to orders and payments, which requires a secret key", async () => {
    const body = { url: receiver.url, events: ["order.created", "payment.completed"] } as const;
    const { id: businessId, keys } = shop;
    const client = { baseUrl: service.origin, businessId, secretKey: keys.publishable };
    const withPublicKey = createBusiness(client);
    await expect(withPublicKey.webhooks.create(body)).rejects.toThrow(UnauthorizedError);
    const { data: subscription } = await shop.merchant.webhooks.create(body);
    expect(subscription).toMatchObject({ ...body, status: "active" });
    secret = subscription.secret;
    expect(secret).toMatch(/^whsec_/);
  });
});

describe("a shopper", () => {
  it("finds a product in the list, by id, by slug and by search", async () => {
    const { products } = shop.shopper();
    const slugs: string[] = [];
    for await (const { slug } of products.list({ limit: 10 })) slugs.push(slug);
    expect(slugs).toEqual(expect.arrayContaining([shirt.slug, "seeded-rye"]));
    // One product of the bakery is not published.
    expect(slugs).toHaveLength(productCount - 1);

    const { data: opened } = await products.get(shirt.id);
    expect(opened).toMatchObject({ default_price: "120.00", category: { name: "Handmade" } });
    expect((await products.get(shirt.slug)).data).toEqual(opened);
    const find = async (search: string) =>
      (await products.list({ search }).page()).items.map(({ slug }) => slug);
    expect(await find("kent")).toEqual([shirt.slug]);
    expect(await find("butter cro")).toEqual(["butter-croissant"]);
  });

  it("buys with cash at exact totals, once per idempotency key", async () => {
    const shopper = shop.shopper();
    await shopper.cart.addItem({ item_id: shirt.id, variant_id: shirt.large, quantity: 2 });
    const { data: cart } = await shopper.cart.addItem({ item_id: soapId, quantity: 3 });
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

    const checkOut = () =>
      shopper.checkout.placeOrder(
        { ...cashCheckout(cart.id), ...expectedTotal(cart) },
        { idempotencyKey: "5ff3bd1c-6a5e-4a6e-9d0b-2f7c0de0f0a1" },
      );
    cashOrder = (await checkOut()).data;
    expect(cashOrder).toMatchObject({ payment_status: "pending", next_action: { type: "none" } });
    expect((await checkOut()).data).toEqual(cashOrder);
    expect((await shopper.cart.get()).data).toMatchObject({ items: [], item_count: 0 });
  });

  it("reads the order with its bill_token only", async () => {
    expect(await shop.readOrder(cashOrder)).toMatchObject({
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
    const withWrongToken = shop.readOrder({ ...cashOrder, bill_token: "bt_wrong" });
    await expect(withWrongToken).rejects.toThrow(NotFoundError);
    const withoutToken = shop.shopper().orders.get(cashOrder.order_id);
    await expect(withoutToken).rejects.toThrow(NotFoundError);
  });

  it("pays with mobile money: the correct one-time code captures the payment and confirms the order", async () => {
    const shopper = shop.shopper();
    await shopper.cart.addItem({ item_id: shirt.id });
    const { data: cart } = await shopper.cart.addItem({ item_id: soapId });
    // 120.00 + 24.88, and 12.5 % of it.
    const pricing = { subtotal: "144.88", tax_total: "18.11", total_price: "162.99" };
    expect(cart).toMatchObject({ pricing });
    const { data: placed } = await shopper.checkout.placeOrder(mobileMoneyCheckout(cart.id));
    mobileMoneyOrder = placed;
    expect(placed).toMatchObject({
      payment_status: "requires_action",
      requires_authorization: true,
      next_action: { type: "authorization", authorization_type: "otp" },
    });

    const authorize = (value: string) =>
      shopper.payments.authorize({
        payment_id: placed.payment_id,
        authorization: { type: "otp", value },
      });
    const refusal = await authorize("654321").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BusinessRuleError);
    expect(refusal).toMatchObject({ status: 422, rule: "AUTHORIZATION_FAILED" });
    expect((await authorize("123456")).data).toMatchObject({
      payment_status: "captured",
      requires_authorization: false,
      next_action: { type: "none" },
    });

    const succeeded = { payment_status: "succeeded" };
    // The client remembers the order's bill token.
    const { data: order } = await shopper.orders.get(placed.order_id);
    expect(order).toMatchObject({ ...succeeded, status: "confirmed" });
    expect(await shop.readOrder(placed)).toEqual(order);
    const { data: status } = await shopper.orders.getPaymentStatus(placed.order_id);
    const payment = { ...succeeded, amount: "162.99", settled_at: expect.stringMatching(/Z$/) };
    expect(status).toMatchObject(payment);
  });
});

describe("a customer of a live shop", () => {
  /** Waits for a message to the contact in the output and returns its code. */
  async function waitForCode(channel: string, contact: string): Promise<string> {
    const findCode = () =>
      service
        .output()
        .split(`[${channel} to ${contact}] `)
        .flatMap((text) => text.match(/^\D*\b(\d{6})\b/)?.[1] ?? [])[0];
    await expect.poll(findCode, { timeout: 30_000 }).toBeDefined();
    return findCode() ?? "";
  }

  it("logs in to the shop and to Link only with the codes that the terminal shows", async () => {
    const live = await createShop(service.origin, { mode: "live" });
    const { auth } = live.shopper();
    const [phone, email] = ["+233241234567", "ama@example.com"];
    await auth.requestOtp({ contact: "024 123 4567" });
    const verify = (otp_code: string) => auth.verifyOtp({ contact: phone, otp_code });
    const code = await waitForCode("sms", phone);
    if (code !== "123456") await expect(verify("123456")).rejects.toThrow(UnauthorizedError);
    expect((await verify(code)).data).toMatchObject({ customer: { phone } });
    expect((await auth.getStatus()).data).toMatchObject({ is_authenticated: true });

    await live.link.auth.requestOtp({ contact: email });
    const login = { contact: email, otp_code: await waitForCode("email", email) };
    expect((await live.link.auth.verifyOtp(login)).data).toMatchObject({
      session_token: expect.stringMatching(/^lnk_/),
    });
  });
});

describe("the merchant", () => {
  it("has less stock by the quantity sold", async () => {
    const { items } = await shop.merchant.inventory.listStockLevels({ product_id: soapId }).page();
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
    const shopper = shop.shopper();
    const { data: opened } = await shopper.support.open();
    const agent = shop.merchant.conversations;
    const { id: threadId } = opened.conversation;
    const atShopper = shopper.support.connect({ after: opened.conversation.created_at });
    const atAgent = agent.connect(threadId, { after: opened.conversation.created_at });
    const [shopperMessages, agentMessages] = [atShopper, atAgent].map((connection) =>
      connection[Symbol.asyncIterator](),
    );

    const question = { content: "Where is my shirt?", client_id: "m-1" };
    await shopper.support.sendMessage(question);
    const received = (await agentMessages?.next())?.value;
    expect(received).toMatchObject({ sender_type: "customer", ...question });
    expect((await shopperMessages?.next())?.value).toEqual(received);
    atShopper.close();

    await agent.sendMessage(threadId, { content: "On its way", client_id: "a-1" });
    const reply = (await agentMessages?.next())?.value;
    expect(reply).toMatchObject({ sender_type: "agent", content: "On its way" });
    const reconnected = shopper.support.connect({ after: received?.created_at });
    expect(await reconnected[Symbol.asyncIterator]().next()).toEqual({ done: false, value: reply });
    await shopper.support.sendMessage({ content: "Thank you", client_id: "m-2" });
    expect((await agentMessages?.next())?.value).toMatchObject({ content: "Thank you" });
    for (const connection of [reconnected, atAgent]) connection.close();
  });
});

describe("the packed client in a project of its own", () => {
  let project: ClientProject;

  beforeAll(() => {
    project = createClientProject();
  });

  afterAll(() => project?.remove());

  it("is imported by its three names, and has no dependency", () => {
    const names = ["@duka/sdk", "@duka/sdk/storefront", "@duka/sdk/business"];
    const imports = names.map((name) => `Object.keys(await import("${name}"))`);
    const [all, storefront, business] = JSON.parse(
      project.evaluate(`console.log(JSON.stringify([${imports}]))`),
    );
    expect(all).toEqual(
      expect.arrayContaining([...storefront, ...business, "createLink", "createOperator"]),
    );
    expect(storefront).toContain("createStorefront");
    expect(business).toContain("createBusiness");
  });

  it("compiles with the README's examples, whose sale it then makes", async () => {
    const { merchant, keys } = await createShop(service.origin);
    await merchant.products.create({ ...sheaSoap, inventory_type: "none" });
    project.compileExamples();
    const printed = project.runSale({ baseUrl: service.origin, publicKey: keys.publishable });
    expect(printed.trim().split("\n")).toEqual(["Shea Soap 24.88", "ORD-1001 49.76"]);
    const [order] = (await merchant.orders.list().page()).items;
    expect(order).toMatchObject({ order_number: "ORD-1001", customer_name: "Ama Serwaa" });
  });
});

describe("npm run dev, restarted", () => {
  const order = { status: "confirmed", total_price: "162.99" };

  it("starts the Workers again when their processes are killed", async () => {
    service.killWorkers();
    await service.waitForOutput("The Workers run again.");
    expect(await shop.readOrder(mobileMoneyOrder)).toMatchObject(order);
  });

  it("keeps all data and demo shops", async () => {
    const before = demo();
    await service.stop();
    service = await startService(instance);
    shop = connectShop(service.origin, shop);
    expect(await shop.readOrder(mobileMoneyOrder)).toMatchObject(order);
    expect(demo()).toBe(before);
  });

  it("starts with empty databases with --reset", async () => {
    await service.stop();
    service = await startService(instance, "--reset");
    shop = connectShop(service.origin, shop);
    await expect(shop.readOrder(mobileMoneyOrder)).rejects.toThrow(UnauthorizedError);
    const { items } = await createOperator(service.origin).businesses.list({ limit: 100 }).page();
    expect(items).not.toContainEqual(expect.objectContaining({ id: shop.id }));
  });
});
