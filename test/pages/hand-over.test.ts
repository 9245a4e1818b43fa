import { env } from "cloudflare:workers";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { continueUrlFor } from "../../functions/runtime/hand-over-links.ts";
import type { ContinuedSession } from "../../functions/runtime/objects/agent-session-object.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { StorefrontBindings } from "../../functions/storefront/env.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { withBindings } from "../support/bindings.ts";
import { createBusiness, merchant } from "../support/world.ts";
import { createBrowser, textOf } from "./browse.ts";

let shop: CreatedBusiness;
let home: string;
/** What the session's object says of the hand-over. */
let continued: Partial<ContinuedSession> | null;

beforeEach(async () => {
  shop = await createBusiness({ name: "Corner shop" });
  home = `/shop/${shop.business.slug}`;
  continued = {};
  await merchant(shop)("POST", "/products", {
    body: { name: "House tea", slug: "tea", default_price: "12.50" },
  });
});

const buyer = {
  firstName: "Ama",
  lastName: "Serwaa",
  email: "ama@example.com",
  phone: null,
  consent: null,
};

const openSession: ContinuedSession = {
  stage: "checkout",
  generation: 0,
  ownedSince: 0,
  state: "open",
  itemCount: 1,
  buyer,
  fulfilment: null,
  order: null,
  expiresAt: Date.parse("2999-01-01"),
};

type Sessions = ReturnType<StorefrontBindings["CART_SESSION"]["getByName"]>;

/** The sessions' objects, which say what `continued` says of an agent's session. */
const sessions = {
  getByName(id: string) {
    const bindings: StorefrontBindings["CART_SESSION"] = env.CART_SESSION;
    const object = bindings.getByName(id);
    return {
      run: (...args: Parameters<Sessions["run"]>) => object.run(...args),
      logIn: (...args: Parameters<Sessions["logIn"]>) => object.logIn(...args),
      continueAgentSession: async () =>
        continued === null ? null : { ...openSession, ...continued },
    };
  },
};

const fetchWithSessions = withBindings({ CART_SESSION: sessions });
const browse = () => createBrowser((request) => fetchWithSessions(new Request(request)));
type Browser = ReturnType<typeof browse>;

const sessionCookie = () => `__Host-shop-${shop.business.id.slice("biz_".length)}`;

const sessionIdOf = (browser: Browser): string => {
  const [token = ""] = decodeURIComponent(browser.cookies.get(sessionCookie()) ?? "").split(" ");
  return decodeJwt(token).sub ?? "";
};

async function fillCart(quantity = "1"): Promise<Browser> {
  const browser = browse();
  const page = await browser.open(`${home}/products/tea`);
  await browser.press(page, "Add to cart", { fields: { quantity } });
  return browser;
}

/** The path of a link to a session with one tea, as an agent has prepared it. */
async function createLink({
  expiresAt = Date.parse("2999-01-01"),
  businessId = shop.business.id,
} = {}) {
  const agent = await fillCart();
  const sessionId = sessionIdOf(agent);
  const handOver = { businessId, sessionId, expiresAt };
  const url = await continueUrlFor(settingsOf(env), `https://duka.test${home}`, handOver);
  return { agent, sessionId, path: url.replace("https://duka.test", "") };
}

const headersOf = ({ headers }: { headers: Headers }) => ({
  cache: headers.get("cache-control"),
  robots: headers.get("x-robots-tag"),
});

describe("an open checkout", () => {
  it("continues in a new browser with its lines and the buyer's details", async () => {
    const { path, sessionId } = await createLink();
    const browser = browse();
    const checkout = await browser.open(path);
    expect(checkout).toMatchObject({ path: `${home}/checkout`, status: 200 });
    expect(textOf(checkout)).toContain("1 × House tea");
    expect(checkout.html).toContain('value="Ama Serwaa"');
    expect(checkout.html).toContain('value="ama@example.com"');
    expect(sessionIdOf(browser)).toBe(sessionId);
    const order = await browser.press(checkout, "Place order", {
      fields: { payment_method: "cash" },
    });
    expect(order.path).toMatch(/^\/orders\//);
  });

  it("opens again in the same browser, also after a login there", async () => {
    const { path } = await createLink();
    const browser = browse();
    await browser.open(path);
    expect(await browser.open(path)).toMatchObject({ path: `${home}/checkout` });
    await logIn(browser);
    continued = { generation: 1 };
    expect(await browser.open(path)).toMatchObject({ path: `${home}/checkout` });
  });

  it("goes to nobody else once a customer has logged in to it", async () => {
    const { path } = await createLink();
    const browser = browse();
    await browser.open(path);
    await logIn(browser);
    continued = { generation: 1, ownedSince: 0 };
    const other = browse();
    const page = await other.open(path);
    expect(page.status).toBe(409);
    expect(textOf(page)).toContain("continues in another browser");
    expect(other.cookies.has(sessionCookie())).toBe(false);
  });

  it("replaces the browser's own cart only when its owner says so, who can come back", async () => {
    const { path, sessionId } = await createLink();
    const browser = await fillCart("3");
    const own = sessionIdOf(browser);
    const choice = await browser.open(path);
    expect(textOf(choice)).toContain("Your own cart here has 3 items");
    expect(headersOf(choice)).toEqual({ cache: "private, no-store", robots: "noindex, nofollow" });
    expect(sessionIdOf(browser)).toBe(own);
    expect(await browser.press(choice, "Stay with my own cart")).toMatchObject({
      path: `${home}/cart`,
    });
    expect(sessionIdOf(browser)).toBe(own);
    const checkout = await browser.press(choice, "Continue with the prepared checkout");
    expect(textOf(checkout)).toContain("1 × House tea");
    expect(sessionIdOf(browser)).toBe(sessionId);
    await browser.open((await createLink()).path);
    const cart = await browser.press(await browser.open(`${home}/cart`), "Back to my own cart");
    expect(sessionIdOf(browser)).toBe(own);
    expect(cart.html).toContain('value="3"');
    expect(textOf(cart)).not.toContain("Back to my own cart");
  });
});

async function logIn(browser: Browser): Promise<void> {
  const page = await browser.open(`${home}/account`);
  const sent = await browser.press(page, "Send a code", { fields: { contact: "ama@example.com" } });
  await browser.press(sent, "Log in", { fields: { code: "123456" } });
}

describe("a checkout that has ended", () => {
  it("leads to its order when it is complete", async () => {
    const { agent, path } = await createLink();
    const checkout = await agent.open(`${home}/checkout`);
    const order = await agent.press(checkout, "Place order", {
      fields: { name: "Ama", email: "ama@example.com", payment_method: "cash" },
    });
    const { pathname, searchParams } = new URL(order.path, "https://duka.test");
    continued = {
      state: "completed",
      order: {
        id: pathname.slice("/orders/".length),
        billToken: searchParams.get("token") ?? "",
      },
    };
    const browser = browse();
    expect(await browser.open(path)).toMatchObject({ path: order.path, status: 200 });
    expect(browser.cookies.get(sessionCookie())).not.toContain(agent.cookies.get(sessionCookie()));
  });

  it.each([
    ["was canceled", { state: "canceled" as const }],
    ["has expired", { expiresAt: 1 }],
  ])("says that it %s, and leads to the shop", async (text, state) => {
    const { path } = await createLink();
    continued = state;
    const page = await browse().open(path);
    expect(page.status).toBe(410);
    expect(textOf(page)).toContain(text);
    expect(page.html).toContain(`href="${home}"`);
    expect(headersOf(page)).toEqual({ cache: "private, no-store", robots: "noindex, nofollow" });
  });

  it("says so when the link or the session has expired", async () => {
    const { path } = await createLink({ expiresAt: Date.now() - hour });
    expect(textOf(await browse().open(path))).toContain("has expired");
    continued = null;
    expect(textOf(await browse().open((await createLink()).path))).toContain("has expired");
  });
});

it("is 404 for a link that was changed, and for that of another business", async () => {
  const { path } = await createLink();
  const other = await createBusiness();
  const foreign = await createLink({ businessId: other.business.id });
  const tampered = path.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  for (const wrong of [tampered, `${home}/continue/x`, foreign.path]) {
    const browser = browse();
    expect((await browser.open(wrong)).status).toBe(404);
    expect(browser.cookies.has(sessionCookie())).toBe(false);
  }
});

it("takes nothing over by a form of another site", async () => {
  const { path } = await createLink();
  const browser = await fillCart();
  const choice = await browser.open(path);
  const own = sessionIdOf(browser);
  const options = { headers: { Origin: "https://evil.example" } };
  const refused = await browser.press(choice, "Continue with the prepared checkout", options);
  expect(refused.status).toBe(403);
  expect(sessionIdOf(browser)).toBe(own);
});
