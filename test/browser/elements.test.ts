import { rmSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Caller, callerAt, done } from "../end-to-end/caller.ts";
import { newBusiness } from "../end-to-end/goods.ts";
import { newPlace, type Place, type Service, startService } from "../end-to-end/service.ts";
import { operatorAt } from "../end-to-end/shop.ts";
import { launchBrowser } from "./browser.ts";
import { demandPublishedAnswers, embed } from "./embedding.ts";
import { type Parent, startParent } from "./parent.ts";

let place: Place;
let service: Service;
let browser: Browser;
/** The shop's own origins, which its business allows, and one that it does not. */
let parent: Parent;
let second: Parent;
let stranger: Parent;
let publicKey: string;

beforeAll(async () => {
  place = await newPlace();
  [parent, second, stranger, browser, service] = await Promise.all([
    startParent(),
    startParent(),
    startParent(),
    launchBrowser(),
    startService(place),
  ]);
  const { business, keys } = done(
    await operatorAt(service.origin)("POST", "", { body: newBusiness }),
  );
  publicKey = keys.publishable;
  const headers = { "X-API-Key": keys.secret };
  const body = { allowed_origins: [parent.origin, second.origin, service.origin] };
  done(
    await callerAt(`${service.origin}/v1/businesses/${business.id}`, headers)("PATCH", "", {
      body,
    }),
  );
});

afterEach(async () => {
  await demandPublishedAnswers();
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await Promise.all([browser?.close(), parent?.stop(), second?.stop(), stranger?.stop()]);
  await service?.stop().finally(() => rmSync(place.stateDir, { recursive: true, force: true }));
});

const addressOf = (element: string, origin = parent.origin) =>
  `${service.origin}/v1/link/elements/${element}?${new URLSearchParams({
    public_key: publicKey,
    origin,
  })}`;

const element = (name: "auth" | "account", init: Record<string, string> = {}) =>
  embed(browser, { parent: parent.origin, src: addressOf(name), init });

const linkWith = (credential: Record<string, string>): Caller =>
  callerAt(`${service.origin}/v1/link`, credential);

const bearer = (token: unknown) => linkWith({ Authorization: `Bearer ${token}` });

/** How long a message is waited for that is not to come. */
const quietMs = 300;

let customers = 0;
const someEmail = () => {
  customers += 1;
  return `customer-${customers}@example.com`;
};

/** A customer who is logged in elsewhere, with an address. */
async function givenCustomer() {
  const storefront = linkWith({ "X-Public-Key": publicKey });
  const contact = someEmail();
  await storefront("POST", "/auth/request-otp", { body: { contact } });
  const body = { contact, otp_code: "123456" };
  const login = Object((await storefront("POST", "/auth/verify-otp", { body })).body);
  const ask = bearer(login.session_token);
  const home = { label: "Home", street_address: "12 Ring Road", city: "Accra" };
  done(await ask("POST", "/addresses", { body: home }));
  return {
    contact,
    ask,
    sessionToken: String(login.session_token),
    refreshToken: String(login.refresh_token),
  };
}

describe("GET /v1/link/elements/auth in a page of the shop", () => {
  it("logs in with a code, and hands the tokens to the page around it", async () => {
    const { inside, next, page } = await element("auth");
    await next("ready");
    const contact = someEmail();
    await inside.getByLabel("Phone number or e-mail address").fill(contact);
    await inside.getByRole("button", { name: "Send me a code" }).click();
    await next("requires_otp");
    await inside.getByLabel("Code").fill("123456");
    await inside.getByRole("button", { name: "Log in" }).click();
    const { session_token, refresh_token, expires_in } = await next("authenticated");
    expect(expires_in).toBe(3_600);
    expect(refresh_token).toMatch(/^rfr_/);
    expect(await inside.getByText("You are logged in.").isVisible()).toBe(true);
    const { customer } = done(await bearer(session_token)("GET", "/data"));
    expect(customer.email).toBe(contact);
    const { cookies, origins } = await page.context().storageState();
    expect({ cookies, origins }).toEqual({ cookies: [], origins: [] });
  });

  it("says that a code is wrong, to the reader and to the page, and takes the right one", async () => {
    const { inside, next } = await element("auth", { contact: someEmail() });
    await next("ready");
    await inside.getByRole("button", { name: "Send me a code" }).click();
    await next("requires_otp");
    await inside.getByLabel("Code").fill("000000");
    await inside.getByRole("button", { name: "Log in" }).click();
    const { message, code, retryable } = await next("error");
    expect({ code, retryable }).toEqual({
      code: expect.stringMatching(/^[A-Z_]+$/),
      retryable: false,
    });
    expect(await inside.getByRole("alert").textContent()).toBe(message);
    await inside.getByLabel("Code").fill("123456");
    await inside.getByRole("button", { name: "Log in" }).click();
    await next("authenticated");
    expect(await inside.getByRole("alert").textContent()).toBe("");
  });

  it("is usable from the keyboard alone", async () => {
    const { inside, next, page } = await element("auth", { contact: someEmail() });
    await next("ready");
    await inside.getByLabel("Phone number or e-mail address").press("Enter");
    await next("requires_otp");
    await page.keyboard.type("123456");
    await page.keyboard.press("Enter");
    await next("authenticated");
  });

  it("tells its height, and tells it again as it grows", async () => {
    const { inside, next, heights } = await element("auth", { contact: someEmail() });
    await next("ready");
    await expect.poll(async () => (await heights()).at(-1)).toBeGreaterThan(50);
    const before = Number((await heights()).at(-1));
    await inside.getByRole("button", { name: "Send me a code" }).click();
    await next("requires_otp");
    await expect.poll(async () => (await heights()).at(-1)).toBeGreaterThan(before);
  });

  it("is not shown in a page of another origin, and tells it nothing", async () => {
    const src = addressOf("auth");
    const { page, lines, told } = await embed(browser, { parent: stranger.origin, src });
    await expect.poll(lines).toContainEqual(expect.stringContaining("frame-ancestors"));
    await expect.poll(() => page.frames().at(1)?.url()).toBe("chrome-error://chromewebdata/");
    expect(await told()).toEqual([]);
  });

  it("neither hears nor tells a page of an origin that its address does not name", async () => {
    const src = addressOf("auth", parent.origin);
    const { inside, page, told } = await embed(browser, { parent: second.origin, src });
    await inside.locator("form").first().waitFor({ state: "attached" });
    await page.waitForTimeout(quietMs);
    expect(await inside.locator("form:visible").count()).toBe(0);
    expect(await told()).toEqual([]);
  });

  it("does nothing at all in a window of its own", async () => {
    const page = await browser.newPage();
    await page.goto(addressOf("auth", service.origin));
    const init = { type: "init", nonce: "0123456789abcdef" };
    await page.evaluate(`window.postMessage(${JSON.stringify(init)}, location.origin)`);
    await page.waitForTimeout(quietMs);
    expect(await page.locator("form:visible").count()).toBe(0);
  });
});

describe("GET /v1/link/elements/account in a page of the shop", () => {
  it("shows what the customer of the session token has saved", async () => {
    const { contact, sessionToken } = await givenCustomer();
    const { inside, next } = await element("account", { session_token: sessionToken });
    await next("ready");
    await inside.getByText(contact).waitFor();
    const addresses = inside.getByRole("list", { name: "Addresses" }).getByRole("listitem");
    expect(await addresses.allTextContents()).toEqual(["Home, 12 Ring Road, Accra (default)"]);
  });

  it("takes a refresh token for a login, and hands on the next pair", async () => {
    const { refreshToken } = await givenCustomer();
    const { inside, next, send } = await element("account");
    await next("ready");
    await inside.getByText("Nobody is logged in.").waitFor();
    await send({ type: "refresh_token", refresh_token: refreshToken });
    const { session_token, refresh_token } = await next("authenticated");
    expect(refresh_token).not.toBe(refreshToken);
    done(await bearer(session_token)("GET", "/data"));
    await inside.getByText("12 Ring Road").waitFor();
    await send({ type: "refresh_token", refresh_token: refreshToken });
    expect(await next("error")).toMatchObject({ code: "UNAUTHORIZED", retryable: false });
  });

  it("gets the next pair by itself when the answer to a refresh is lost", async () => {
    const { refreshToken } = await givenCustomer();
    const { next, page, send } = await element("account");
    await next("ready");
    await page.route(
      "**/elements/refresh",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await send({ type: "refresh_token", refresh_token: refreshToken });
    const { session_token } = await next("authenticated");
    done(await bearer(session_token)("GET", "/data"));
  });

  it("logs out when it is told to: the session is over and nothing of it is shown", async () => {
    const { ask, sessionToken } = await givenCustomer();
    const { inside, next, send } = await element("account", { session_token: sessionToken });
    await next("ready");
    await inside.getByText("12 Ring Road").waitFor();
    await send({ type: "logout" });
    await next("ready");
    await inside.getByText("Nobody is logged in.").waitFor();
    expect(await inside.getByText("12 Ring Road").count()).toBe(0);
    expect(await ask("GET", "/data")).toMatchObject({ status: 401 });
  });

  it("logs out at the customer's own wish, too", async () => {
    const { ask, sessionToken } = await givenCustomer();
    const { inside, next } = await element("account", { session_token: sessionToken });
    await next("ready");
    await inside.getByRole("button", { name: "Log out" }).click();
    await next("ready");
    expect(await ask("GET", "/data")).toMatchObject({ status: 401 });
  });

  it("says UNAUTHORIZED when the session is over", async () => {
    const { ask, sessionToken } = await givenCustomer();
    await ask("POST", "/auth/logout");
    const { inside, next } = await element("account", { session_token: sessionToken });
    await next("ready");
    expect(await next("error")).toMatchObject({ code: "UNAUTHORIZED" });
    await inside.getByText("Nobody is logged in.").waitFor();
  });

  it("ignores a message with another nonce, of another window, or of no known type", async () => {
    const { ask, sessionToken } = await givenCustomer();
    const { next, page, send, told } = await element("account", { session_token: sessionToken });
    await next("ready");
    await send({ type: "logout", nonce: "0123456789abcdef" });
    await send({ type: "init", nonce: "0123456789abcdef" });
    await send({ type: "log_out" });
    // A window beside the frame: of the right origin, with the right nonce, and not the parent.
    await page.evaluate(`new Promise((sent) => {
      const other = document.createElement("iframe");
      document.body.append(other);
      const script = other.contentDocument.createElement("script");
      script.textContent = 'parent.frames[0].postMessage({ type: "logout", nonce: ' +
        JSON.stringify(nonce) + ' }, "*")';
      other.contentDocument.body.append(script);
      sent();
    })`);
    await send({ type: "init", session_token: sessionToken }); // heeded: all before it was not
    await next("ready");
    expect(await told()).toHaveLength(2);
    done(await ask("GET", "/data"));
  });

  it("heeds nobody before an init with a nonce of at least 16 characters", async () => {
    const { sessionToken } = await givenCustomer();
    const { next, page, send, told } = await embed(browser, {
      parent: parent.origin,
      src: addressOf("account"),
      init: { nonce: "short", session_token: sessionToken },
    });
    await page.frameLocator("iframe").locator("#error").waitFor({ state: "attached" });
    await send({ type: "logout" });
    await send({ type: "init" });
    await next("ready");
    expect(await told()).toHaveLength(1);
  });
});
