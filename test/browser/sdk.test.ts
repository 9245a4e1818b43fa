import { createServer } from "node:http";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { StorefrontSchemas } from "../../sdk/src/index.ts";
import { createShop, type EndToEndShop } from "../end-to-end/create-shop.ts";
import { root } from "../end-to-end/dev-process.ts";
import { sheaSoap } from "../end-to-end/request-bodies.ts";
import type { SharedService } from "./shared-service.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

/** A shop's page, which keeps the session in localStorage or leaves it to the cookie. */
const page = `<!doctype html>
<title>Shop</title>
<script type="module">
import * as sdk from "/sdk.js";
const { searchParams } = new URL(location.href);
const shop = sdk.createStorefront({
  baseUrl: searchParams.get("service"),
  publicKey: searchParams.get("key"),
  session: searchParams.get("session") ?? {
    load: () => localStorage.getItem("duka"),
    save: (text) => localStorage.setItem("duka", text),
  },
});
Object.assign(globalThis, { sdk, shop, messages: [] });
document.title = "Ready";
</script>
`;

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;
let site: Awaited<ReturnType<typeof startSite>>;
let shop: EndToEndShop;
let soapId: string;

beforeAll(async () => {
  [site, { browser, service, stop }] = await Promise.all([startSite(), startServiceAndBrowser()]);
  shop = await createShop(service.origin);
  const { data } = await shop.merchant.products.create({ ...sheaSoap, inventory_type: "none" });
  soapId = data.id;
});

afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

afterAll(async () => {
  await Promise.all([stop?.(), site?.stop()]);
});

/** The client as a bundler writes it for a page. */
async function bundleClient(): Promise<string> {
  const result = await build({
    root: join(root, "sdk"),
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      rolldownOptions: { input: "src/storefront.ts", preserveEntrySignatures: "strict" },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunks = outputs.flatMap((one) => ("output" in one ? one.output : []));
  const [chunk, ...others] = chunks.filter((one) => one.type === "chunk");
  if (chunk === undefined || others.length > 0) throw new Error("The client is not one file.");
  return chunk.code;
}

/** Serves the page from another site than the service's. */
async function startSite() {
  const client = await bundleClient();
  const server = createServer(({ url }, response) => {
    const [type, text] = url === "/sdk.js" ? ["text/javascript", client] : ["text/html", page];
    response.writeHead(200, { "Content-Type": `${type}; charset=utf-8` }).end(text);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Opens the page in a new browser profile. */
async function openShop(options: { session?: "cookie" } = {}): Promise<Page> {
  const context = await browser.newContext();
  const opened = await context.newPage();
  const { publishable: key } = shop.keys;
  const query = new URLSearchParams({ service: service.origin, key, ...options });
  await opened.goto(`${site.origin}/?${query}`);
  await waitUntilReady(opened);
  return opened;
}

const waitUntilReady = (opened: Page) =>
  expect.poll(() => opened.title(), { timeout: 20_000 }).toBe("Ready");

async function reload(opened: Page): Promise<void> {
  await opened.reload();
  await waitUntilReady(opened);
}

describe("the client in a page of another site", () => {
  it("sells, and keeps cart and order over reloads without a cookie", async () => {
    const opened = await openShop();
    await opened.evaluate(`shop.cart.addItem({ item_id: "${soapId}", quantity: 2 })`);
    await reload(opened);
    const cart = await opened.evaluate<StorefrontSchemas["Cart"]>(
      "shop.cart.get().then(({ data }) => data)",
    );
    expect(cart).toMatchObject({ item_count: 2, pricing: { total_price: "49.76" } });
    const order = await opened.evaluate<StorefrontSchemas["CheckoutResult"]>(`
      shop.cart.get().then(async ({ data: cart }) => {
        const placed = await shop.checkout.placeOrder({
          ...sdk.expectedTotal(cart),
          cart_id: cart.id,
          customer: { name: "Ama Serwaa", email: "ama@example.com" },
          payment_method: "cash",
        });
        return placed.data;
      })`);
    await reload(opened);
    const read = await opened.evaluate(
      `shop.orders.get("${order.order_id}").then(({ data }) => data)`,
    );
    expect(read).toMatchObject({ order_number: order.order_number, total_price: "49.76" });
    expect(await opened.context().cookies()).toEqual([]);
    expect((await shop.merchant.orders.get(order.order_id)).data).toMatchObject({
      customer_name: "Ama Serwaa",
    });
  });

  it("leaves the session to the service's cookie", async () => {
    const opened = await openShop({ session: "cookie" });
    await opened.evaluate(`shop.cart.addItem({ item_id: "${soapId}", quantity: 2 })`);
    await reload(opened);
    const count = await opened.evaluate("shop.cart.countItems().then(({ data }) => data)");
    expect(count).toBe(2);
    expect(await opened.evaluate("localStorage.length")).toBe(0);
  });

  it("reads pages by their headers, and facts of errors", async () => {
    const opened = await openShop();
    const category = await shop.merchant.categories.create({ name: "Soaps" });
    for (const name of ["One", "Two", "Three"])
      await shop.merchant.collections.create({ name, product_ids: [soapId] });
    const names = await opened.evaluate(`(async () => {
      const names = [];
      for await (const { name } of shop.collections.list({ limit: 2 })) names.push(name);
      return names;
    })()`);
    expect(names).toHaveLength(3);
    const error = await opened.evaluate(`
      shop.orders.get("${category.data.id}").catch((error) => ({
        name: error.name,
        isNotFound: error instanceof sdk.NotFoundError,
        requestId: error.requestId,
      }))`);
    expect(error).toEqual({
      name: "NotFoundError",
      isNotFound: true,
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  it("receives support messages by a socket", async () => {
    const opened = await openShop();
    const threadId = await opened.evaluate(`(async () => {
      const { data } = await shop.support.open();
      (async () => {
        for await (const { content } of shop.support.connect({ after: "2026-01-01T00:00:00Z" }))
          messages.push(content);
      })();
      return data.conversation.id;
    })()`);
    await shop.merchant.conversations.sendMessage(String(threadId), {
      content: "How can I help?",
      client_id: "agent-1",
    });
    await expect
      .poll(() => opened.evaluate("messages"), { timeout: 20_000 })
      .toEqual(["How can I help?"]);
  });
});
