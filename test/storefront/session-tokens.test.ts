import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, second } from "../../shared/kernel/index.ts";
import { sendMessage } from "../support/create-conversation.ts";
import { createProduct } from "../support/create-product.ts";
import {
  anonymousStatus,
  createCart,
  logIn,
  parseCookieClaims,
  readAuthStatus,
  readCart,
  sessionCookieOf,
} from "../support/sessions.ts";
import { openSocketClient } from "../support/sockets.ts";
import {
  type ApiClient,
  type ApiResponse,
  type CallOptions,
  call,
  createBusiness,
  dataOf,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  product = await createProduct(shop);
});

const phone = "+233241234567";

/** Calls the storefront as a client without cookies. */
const callWithToken = (
  token: string,
  method: string,
  path: string,
  options: CallOptions = {},
  { keys }: Pick<CreatedBusiness, "keys"> = shop,
): Promise<ApiResponse> =>
  call(method, `/api/v1${path}`, {
    ...options,
    headers: { "X-Public-Key": keys.publishable, "X-Session-Token": token, ...options.headers },
  });

const clientOf =
  (token: string): ApiClient =>
  (method, path, options) =>
    callWithToken(token, method, path, options);

const tokenIn = ({ headers }: ApiResponse): string | null => headers.get("x-session-token");

async function startSession(): Promise<string> {
  const started = await call("POST", "/api/v1/sessions", {
    headers: { "X-Public-Key": shop.keys.publishable },
  });
  return String(dataOf(started).session_token);
}

const addToCart = (ask: ApiClient) => ask("POST", "/cart/items", { body: { item_id: product.id } });

describe("POST /sessions", () => {
  it("starts a session each time, whose token works for 30 days, and sets no cookie", async () => {
    vi.setSystemTime(Math.floor(Date.now() / second) * second);
    const started = await shopper(shop)("POST", "/sessions");
    expect(started).toMatchObject({
      status: 200,
      body: { data: { expires_at: new Date(Date.now() + 30 * day).toISOString() } },
    });
    expect(sessionCookieOf(started)).toBeNull();
    expect(roundTrips(started)).toMatchObject({ do: 0 });
    const ask = clientOf(String(dataOf(started).session_token));
    const added = await addToCart(ask);
    expect(added).toMatchObject({ status: 200, body: { data: { item_count: 1 } } });
    expect([sessionCookieOf(added), tokenIn(added)]).toEqual([null, null]);
    expect(await readCart(ask)).toMatchObject({ item_count: 1 });
    expect(await readCart(clientOf(await startSession()))).toMatchObject({ item_count: 0 });
  });

  it("needs a publishable key", async () => {
    expect(await call("POST", "/api/v1/sessions")).toMatchObject({ status: 401 });
  });
});

describe("X-Session-Token", () => {
  it("is renewed once a day in the response", async () => {
    const token = await startSession();
    vi.setSystemTime(Date.now() + day + second);
    const renewed = tokenIn(await clientOf(token)("GET", "/cart"));
    expect(parseCookieClaims(renewed)).toMatchObject({ sub: parseCookieClaims(token).sub });
    expect(renewed).not.toBe(token);
    expect(tokenIn(await clientOf(String(renewed))("GET", "/cart"))).toBeNull();
  });

  it.each([
    ["changed", (token: string) => `${token.slice(0, -4)}AAAA`],
    ["empty", () => ""],
    ["no token", () => "ses_1 or 1=1"],
  ])("that is %s counts as none, and the response has another", async (_, change) => {
    const token = await startSession();
    await addToCart(clientOf(token));
    const response = await clientOf(change(token))("GET", "/cart");
    expect(response).toMatchObject({ status: 200, body: { data: { items: [] } } });
    expect(sessionCookieOf(response)).toBeNull();
    expect(parseCookieClaims(tokenIn(response)).sub).not.toBe(parseCookieClaims(token).sub);
  });

  it("that has expired, or is another business's, counts as none", async () => {
    const token = await startSession();
    await addToCart(clientOf(token));
    const other = await createBusiness();
    const elsewhere = await callWithToken(token, "GET", "/cart", {}, other);
    expect(dataOf(elsewhere)).toMatchObject({ items: [] });
    expect(parseCookieClaims(tokenIn(elsewhere)).sub).not.toBe(parseCookieClaims(token).sub);
    vi.setSystemTime(Date.now() + 30 * day + second);
    expect(await readCart(clientOf(token))).toMatchObject({ items: [] });
  });

  it("is ignored beside a cookie, also when the cookie is not valid", async () => {
    const token = await startSession();
    await addToCart(clientOf(token));
    const { cookie } = await createCart(shop, product.id);
    await addToCart(shopper(shop, cookie));
    const both = await callWithToken(token, "GET", "/cart", {
      headers: { Cookie: String(cookie) },
    });
    expect(dataOf(both)).toMatchObject({ item_count: 2 });
    const broken = await callWithToken(token, "GET", "/cart", {
      headers: { Cookie: "__Host-session=broken" },
    });
    expect(dataOf(broken)).toMatchObject({ items: [] });
    expect(sessionCookieOf(broken)).not.toBeNull();
    expect(tokenIn(broken)).toBeNull();
  });

  it("may be sent and read by pages of other origins", async () => {
    const preflight = await call("OPTIONS", "/api/v1/cart", {
      headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "GET" },
    });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("X-Session-Token");
    const { headers } = await callWithToken(await startSession(), "GET", "/cart", {
      headers: { Origin: "https://shop.example" },
    });
    expect(headers.get("access-control-expose-headers")).toContain("X-Session-Token");
  });
});

describe("a login with X-Session-Token", () => {
  it("gives a new token in the body and the header, keeps the cart and ends the old token", async () => {
    const planted = await startSession();
    await addToCart(clientOf(planted));
    const response = await logIn(clientOf(planted), phone);
    const token = dataOf(response).session.session_token;
    expect([sessionCookieOf(response), tokenIn(response)]).toEqual([null, token]);
    const owner = clientOf(token);
    expect(await readAuthStatus(owner)).toMatchObject({ customer: { phone } });
    expect(await readCart(owner)).toMatchObject({ item_count: 1 });
    expect(await readAuthStatus(clientOf(planted))).toEqual(anonymousStatus);
    expect(await readCart(clientOf(planted))).toMatchObject({ items: [] });
    expect(await clientOf(planted)("GET", "/orders")).toMatchObject({ status: 401 });
  });

  it("ends with a logout, which sets no cookie", async () => {
    const response = await logIn(clientOf(await startSession()), phone);
    const owner = clientOf(dataOf(response).session.session_token);
    const loggedOut = await owner("POST", "/auth/logout");
    expect(loggedOut).toMatchObject({ status: 200 });
    expect(sessionCookieOf(loggedOut)).toBeNull();
    expect(await readAuthStatus(owner)).toEqual(anonymousStatus);
  });

  it("gives a token to a caller without a session, and none to the holder of a cookie", async () => {
    const first = await logIn(shopper(shop), phone);
    expect(sessionCookieOf(first)).toBe(`__Host-session=${dataOf(first).session.session_token}`);
    const { ask } = await createCart(shop, product.id);
    const response = await logIn(ask, "ama@example.com");
    expect(dataOf(response).session).toEqual({ expires_at: expect.any(String) });
  });

  it("is not sent by the replay of a call that renewed it", async () => {
    const token = await startSession();
    await addToCart(clientOf(token));
    const body = { item_id: product.id };
    const headers = { "Idempotency-Key": "key" };
    vi.setSystemTime(Date.now() + day + second);
    const add = () => clientOf(token)("POST", "/cart/items", { body, headers });
    expect(tokenIn(await add())).not.toBeNull();
    const replay = await add();
    expect(replay.headers.get("idempotency-replayed")).toBe("true");
    expect(tokenIn(replay)).toBeNull();
  });
});

describe("the support socket of a client without cookies", () => {
  const openSocket = (token: string) =>
    openSocketClient(`/api/v1/support/conversation/ws?public_key=${shop.keys.publishable}`, {
      "Sec-WebSocket-Protocol": `duka, duka.session.${token}`,
    });

  it("takes the session's token as a subprotocol", async () => {
    const token = await startSession();
    await sendMessage(clientOf(token), "Hello");
    const socket = await openSocket(token);
    expect(socket.protocol).toBe("duka");
    await socket.nextFrame("resync");
    await sendMessage(clientOf(token), "Are you there?");
    expect(await socket.nextFrame("message")).toMatchObject({
      message: { content: "Are you there?" },
    });
    socket.disconnect();
  });

  it("is closed with 4001 for the token of before a login, with the subprotocol selected", async () => {
    const token = await startSession();
    await sendMessage(clientOf(token), "Hello");
    await logIn(clientOf(token), phone);
    const socket = await openSocket(token);
    expect(await socket.waitForClose()).toBe(4001);
    expect(socket.protocol).toBe("duka");
  });
});
