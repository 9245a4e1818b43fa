import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createCustomerLink, createShop, type EndToEndShop } from "../end-to-end/create-shop.ts";
import { kenteShirt } from "../end-to-end/request-bodies.ts";
import { embed } from "./embed-element.ts";
import { expectCleanPage } from "./inspect-page.ts";
import { press, type } from "./keyboard.ts";
import type { SharedService } from "./shared-service.ts";
import { type AgentPlatform, startAgentPlatform } from "./start-agent-platform.ts";
import { type Parent, startParent } from "./start-parent.ts";
import { startOwnServiceAndBrowser } from "./start-service-and-browser.ts";

/** The verifier and the challenge of RFC 7636, appendix B. */
const codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;
let platform: AgentPlatform;
let parent: Parent;
let shop: EndToEndShop;
let home: string;
let address: string;
let shirtId: string;
let shirtSlug: string;

beforeAll(async () => {
  [{ browser, service, stop }, platform, parent] = await Promise.all([
    startOwnServiceAndBrowser(),
    startAgentPlatform(),
    startParent(),
  ]);
  shop = await createShop(service.origin);
  const { data: clothes } = await shop.merchant.categories.create({ name: "Clothes" });
  const { data: shirt } = await shop.merchant.products.create(kenteShirt(clothes.id));
  await shop.merchant.business.update({ allowed_origins: [parent.origin] });
  const { data: business } = await shop.merchant.business.get();
  [shirtId, shirtSlug] = [shirt.variants[0]?.id ?? shirt.id, shirt.slug];
  home = `${service.origin}/shop/${business.slug}`;
  address = `${service.origin}/agents/${business.slug}`;
}, 180_000);

afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

afterAll(async () => {
  await Promise.all([stop?.(), platform?.stop(), parent?.stop()]);
});

/** A page on which axe may run, which the pages' policy would block. */
const openPage = async (): Promise<Page> => {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  page.setDefaultTimeout(20_000);
  return page;
};

const authorizeUrl = (changes: Readonly<Record<string, string>> = {}) =>
  `${address}/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: platform.clientId,
    redirect_uri: platform.redirectUri,
    scope: "dev.ucp.shopping.order:read dev.ucp.shopping.checkout:manage",
    state: "s1",
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
    ...changes,
  })}`;

/** What the platform got at its redirect URI. */
const readCallback = async (page: Page): Promise<Record<string, string>> => {
  await page.waitForURL(`${platform.redirectUri}?*`);
  return Object.fromEntries(new URL(page.url()).searchParams);
};

async function exchangeCode(code = ""): Promise<string> {
  const response = await fetch(`${address}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", code, code_verifier: codeVerifier },
      ...{ client_id: platform.clientId, redirect_uri: platform.redirectUri },
    }),
  });
  return String(Object(await response.json()).access_token);
}

describe("the page on which a buyer connects a platform", () => {
  it("takes a contact and a code by keyboard, and the buyer disconnects it in the account", async () => {
    const page = await openPage();
    await page.goto(authorizeUrl());
    await expectCleanPage(page, "authorize contact");
    const contact = page.getByLabel("Your e-mail address or phone number");
    await type(page, contact, "nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await expectCleanPage(page, "authorize wrong contact");
    await contact.fill("abena@example.com");
    await press(page, page.getByRole("button", { name: "Send a code" }));
    const code = page.getByLabel("Code", { exact: true });
    await code.waitFor();
    await expectCleanPage(page, "authorize code");
    await type(page, code, "000000");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await expectCleanPage(page, "authorize wrong code");
    await type(page, code, "123456");
    await press(page, page.getByRole("button", { name: "Allow" }));
    const callback = await readCallback(page);
    expect(callback).toEqual({ code: expect.stringMatching(/^lpc_/), state: "s1", iss: address });
    await disconnectInAccount(await exchangeCode(callback.code));
  });

  it("tells the platform that the buyer has declined", async () => {
    const page = await openPage();
    await page.goto(authorizeUrl());
    await press(page, page.getByRole("button", { name: "Cancel" }));
    expect(await readCallback(page)).toMatchObject({ error: "access_denied", state: "s1" });
  });

  it.each([
    ["an unknown client", { client_id: "http://127.0.0.1:1/client.json" }],
    ["another redirect URI", { redirect_uri: "https://evil.example/callback" }],
  ])("goes nowhere for %s", async (name, changes) => {
    const page = await openPage();
    expect((await page.goto(authorizeUrl(changes)))?.status()).toBe(400);
    expect(await page.getByRole("heading").textContent()).toBe("This link does not work");
    await expectCleanPage(page, `authorize ${name}`);
    await press(page, page.getByRole("link", { name: "Go to the shop" }));
    await page.waitForURL(home);
  });

  it("sends a malformed request back to its platform", async () => {
    const page = await openPage();
    await page.goto(authorizeUrl({ scope: "everything" }));
    expect(await readCallback(page)).toMatchObject({ error: "invalid_scope" });
  });
});

/** Whether the platform's agents may act for the buyer with the token. */
const isTokenActive = async (token: string): Promise<boolean> => {
  const headers = { ...platform.headers, Authorization: `Bearer ${token}` };
  return (await fetch(`${address}/ucp/orders/ord_1`, { headers })).status !== 401;
};

/** Disconnects the platform in the account's element, and expects its token to stop working. */
async function disconnectInAccount(token: string): Promise<void> {
  expect(await isTokenActive(token)).toBe(true);
  const { publishable: publicKey } = shop.keys;
  const { auth } = createCustomerLink(service.origin, { publicKey });
  await auth.requestOtp({ contact: "abena@example.com" });
  const { data } = await auth.verifyOtp({ contact: "abena@example.com", otp_code: "123456" });
  const query = new URLSearchParams({ public_key: publicKey, origin: parent.origin });
  const { inside, next, page } = await embed(browser, {
    parent: parent.origin,
    src: `${service.origin}/v1/link/elements/account?${query}`,
    init: { session_token: data.session_token },
  });
  await next("ready");
  const connected = inside.getByRole("region", { name: "Connected apps" });
  await connected.waitFor();
  expect(await connected.textContent()).toContain("Shopping helper (127.0.0.1");
  await press(page, inside.getByRole("button", { name: "Disconnect" }));
  await press(page, inside.getByRole("button", { name: "Disconnect now" }));
  await connected.waitFor({ state: "hidden" });
  expect(await isTokenActive(token)).toBe(false);
}

/** Sends a call of the platform's agent. */
async function callAgent(method: string, path: string, body?: object) {
  const response = await fetch(`${address}/ucp${path}`, {
    method,
    headers: { ...platform.headers, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return Object(await response.json());
}

const createCheckout = () =>
  callAgent("POST", "/checkout-sessions", {
    line_items: [{ item: { id: shirtId }, quantity: 1 }],
    buyer: { email: "ama@example.com", first_name: "Ama", last_name: "Serwaa" },
  });

describe("the link with which an agent hands a checkout over", () => {
  it("leads a browser to the checkout, then to the order", async () => {
    const { id, continue_url } = await createCheckout();
    const page = await openPage();
    await page.goto(continue_url);
    await page.waitForURL(`${home}/checkout`);
    await expectCleanPage(page, "handed-over checkout");
    expect(await page.getByLabel("E-mail address").inputValue()).toBe("ama@example.com");
    await page.getByRole("radio", { name: "Cash" }).check();
    await press(page, page.getByRole("button", { name: "Place order" }));
    await page.waitForURL(/\/orders\/ord_/);
    const orderUrl = page.url();
    expect(await callAgent("GET", `/checkout-sessions/${id}`)).toMatchObject({
      status: "completed",
      order: { id: new URL(orderUrl).pathname.slice("/orders/".length) },
    });
    const other = await openPage();
    await other.goto(continue_url);
    expect(other.url()).toBe(orderUrl);
  });

  it("asks first in a browser with a cart of its own", async () => {
    const { continue_url } = await createCheckout();
    const page = await openPage();
    await page.goto(`${home}/products/${shirtSlug}`);
    await press(page, page.getByRole("button", { name: "Add to cart" }));
    await page.waitForURL(/\/cart/);
    await page.goto(continue_url);
    await expectCleanPage(page, "hand-over choice");
    await press(page, page.getByRole("button", { name: "Stay with my own cart" }));
    await page.waitForURL(`${home}/cart`);
    await page.goto(continue_url);
    await press(page, page.getByRole("button", { name: "Continue with the prepared checkout" }));
    await page.waitForURL(`${home}/checkout`);
  });

  it("says that the checkout was canceled, and that a link is wrong", async () => {
    const { id, continue_url } = await createCheckout();
    await callAgent("POST", `/checkout-sessions/${id}/cancel`);
    const page = await openPage();
    expect((await page.goto(continue_url))?.status()).toBe(410);
    expect(await page.getByRole("heading").first().textContent()).toContain("was canceled");
    await expectCleanPage(page, "hand-over canceled");
    await press(page, page.getByRole("link", { name: "Go to the shop" }));
    await page.waitForURL(home);
    expect((await page.goto(`${home}/continue/x`))?.status()).toBe(404);
    await expectCleanPage(page, "hand-over wrong link");
  });
});
