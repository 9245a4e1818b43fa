import type { Browser, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createBusiness, type Link, UnauthorizedError } from "../../sdk/src/index.ts";
import { createCustomerLink, createOperator } from "../end-to-end/create-shop.ts";
import { newBusiness } from "../end-to-end/request-bodies.ts";
import { assertPublishedResponses, embed } from "./embed-element.ts";
import type { SharedService } from "./shared-service.ts";
import { type Parent, startParent } from "./start-parent.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;
/** Two origins that the business allows, and one that it does not. */
let parent: Parent;
let second: Parent;
let otherParent: Parent;
let publicKey: string;

beforeAll(async () => {
  [parent, second, otherParent, { browser, service, stop }] = await Promise.all([
    startParent(),
    startParent(),
    startParent(),
    startServiceAndBrowser(),
  ]);
  const { data } = await createOperator(service.origin).businesses.create(newBusiness);
  const { business, keys } = data;
  publicKey = keys.publishable;
  const baseUrl = service.origin;
  const merchant = createBusiness({ baseUrl, businessId: business.id, secretKey: keys.secret });
  await merchant.business.update({
    allowed_origins: [parent.origin, second.origin, service.origin],
  });
});

afterEach(async () => {
  await assertPublishedResponses();
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await Promise.all([stop?.(), parent?.stop(), second?.stop(), otherParent?.stop()]);
});

const elementUrl = (element: string, origin = parent.origin) =>
  `${service.origin}/v1/link/elements/${element}?${new URLSearchParams({
    public_key: publicKey,
    origin,
  })}`;

const embedElement = (name: "auth" | "account", init: Record<string, string> = {}) =>
  embed(browser, { parent: parent.origin, src: elementUrl(name), init });

const linkOf = (sessionToken: unknown): Link =>
  createCustomerLink(service.origin, { sessionToken: String(sessionToken) });

/** The computed value of a style property. */
const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate(
    (node, name) => getComputedStyle(node as Element).getPropertyValue(name),
    property,
  );

/** How long the tests wait for a message that must not come. */
const silenceMs = 300;

let customers = 0;
const uniqueEmail = () => {
  customers += 1;
  return `customer-${customers}@example.com`;
};

/** A customer who is logged in outside the frame and has an address. */
async function createCustomer() {
  const { auth } = createCustomerLink(service.origin, { publicKey });
  const contact = uniqueEmail();
  await auth.requestOtp({ contact });
  const { data: login } = await auth.verifyOtp({ contact, otp_code: "123456" });
  const link = linkOf(login.session_token);
  const home = { label: "Home", street_address: "12 Ring Road", city: "Accra" };
  await link.addresses.create(home);
  return {
    contact,
    link,
    sessionToken: login.session_token,
    refreshToken: login.refresh_token,
  };
}

describe("GET /v1/link/elements/auth in a frame", () => {
  it("logs in with a code and sends the tokens to the parent page", async () => {
    const { inside, next, page } = await embedElement("auth");
    await next("ready");
    const contact = uniqueEmail();
    await inside.getByLabel("Phone number or e-mail address").fill(contact);
    await inside.getByRole("button", { name: "Send me a code" }).click();
    await next("requires_otp");
    await inside.getByLabel("Code").fill("123456");
    await inside.getByRole("button", { name: "Log in" }).click();
    const { session_token, refresh_token, expires_in } = await next("authenticated");
    expect(expires_in).toBe(3_600);
    expect(refresh_token).toMatch(/^rfr_/);
    expect(await inside.getByText("You are logged in.").isVisible()).toBe(true);
    const { customer } = (await linkOf(session_token).account.getData()).data;
    expect(customer.email).toBe(contact);
    const { cookies, origins } = await page.context().storageState();
    expect({ cookies, origins }).toEqual({ cookies: [], origins: [] });
  });

  it("reports a wrong code to the reader and the parent page, and accepts the right one", async () => {
    const { inside, next } = await embedElement("auth", { contact: uniqueEmail() });
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

  it("can be used with the keyboard only", async () => {
    const { inside, next, page } = await embedElement("auth", { contact: uniqueEmail() });
    await next("ready");
    await inside.getByLabel("Phone number or e-mail address").press("Enter");
    await next("requires_otp");
    await page.keyboard.type("123456");
    await page.keyboard.press("Enter");
    await next("authenticated");
  });

  it("has a heading, and looks as the parent page asks", async () => {
    const init = { contact: uniqueEmail(), theme: "dark", accent: "#0a7d3b" };
    const { inside, next } = await embedElement("auth", init);
    await next("ready");
    expect(await inside.getByRole("heading", { level: 1 }).textContent()).toBe("Log in");
    const button = inside.getByRole("button", { name: "Send me a code" });
    expect(await styleOf(inside.locator("html"), "color-scheme")).toBe("dark");
    expect(await styleOf(inside.locator("html"), "background-color")).toBe("rgb(19, 21, 24)");
    expect(await styleOf(button, "background-color")).toBe("rgb(10, 125, 59)");
    expect(await styleOf(button, "color")).toBe("rgb(255, 255, 255)");
  });

  it("writes in black on a light accent", async () => {
    const { inside, next } = await embedElement("auth", { theme: "light", accent: "#ffd54f" });
    await next("ready");
    const button = inside.getByRole("button", { name: "Send me a code" });
    expect(await styleOf(button, "color")).toBe("rgb(0, 0, 0)");
    expect(await styleOf(inside.locator("html"), "background-color")).toBe("rgb(255, 255, 255)");
  });

  it.each([
    ["purple", "red"],
    ["dark;", "#12345"],
    ["", "#0a7d3b; background: url(https://evil.example)"],
  ])("ignores the theme %j and the accent %j", async (theme, accent) => {
    const { inside, next } = await embedElement("auth", { theme, accent });
    await next("ready");
    expect(await inside.locator("html").getAttribute("style")).toBeNull();
    expect(await inside.locator("html").getAttribute("data-theme")).toBeNull();
  });

  it("sends a new code after half a minute", async () => {
    const contact = uniqueEmail();
    const { inside, next, page } = await embedElement("auth", { contact });
    await next("ready");
    await page.clock.install();
    await inside.getByRole("button", { name: "Send me a code" }).click();
    await next("requires_otp");
    const resend = inside.getByRole("button", { name: /^Send a new code/ });
    expect(await resend.isDisabled()).toBe(true);
    await page.clock.runFor(29_000);
    await expect.poll(() => resend.textContent()).toMatch(/ in [12] seconds$/);
    await page.clock.runFor(2_000);
    await expect.poll(() => resend.isEnabled()).toBe(true);
    await inside.getByLabel("Code").fill("1111");
    // The service's own clock has not moved, so this response takes the place of its refusal.
    let sentBody: unknown;
    await page.route(
      "**/elements/request-otp",
      async (route) => {
        sentBody = route.request().postDataJSON();
        await route.fulfill({
          contentType: "application/json",
          body: JSON.stringify({ success: true, message: "A code was sent." }),
        });
      },
      { times: 1 },
    );
    await resend.click();
    await next("requires_otp");
    expect(sentBody).toEqual({ contact });
    expect(await inside.getByLabel("Code").inputValue()).toBe("");
    expect(await resend.isDisabled()).toBe(true);
  });

  it("sends its height when it changes", async () => {
    const { inside, next, heights } = await embedElement("auth", { contact: uniqueEmail() });
    await next("ready");
    await expect.poll(async () => (await heights()).at(-1)).toBeGreaterThan(50);
    const before = Number((await heights()).at(-1));
    await inside.getByRole("button", { name: "Send me a code" }).click();
    await next("requires_otp");
    await expect.poll(async () => (await heights()).at(-1)).toBeGreaterThan(before);
  });

  it("is not shown in a page of a disallowed origin and sends it nothing", async () => {
    const src = elementUrl("auth");
    const { page, lines, messages } = await embed(browser, { parent: otherParent.origin, src });
    await expect.poll(lines).toContainEqual(expect.stringContaining("frame-ancestors"));
    await expect.poll(() => page.frames().at(1)?.url()).toBe("chrome-error://chromewebdata/");
    expect(await messages()).toEqual([]);
  });

  it("ignores a page whose origin differs from the one in its URL, and sends it nothing", async () => {
    const src = elementUrl("auth", parent.origin);
    const { inside, page, messages } = await embed(browser, { parent: second.origin, src });
    await inside.locator("form").first().waitFor({ state: "attached" });
    await page.waitForTimeout(silenceMs);
    expect(await inside.locator("form:visible").count()).toBe(0);
    expect(await messages()).toEqual([]);
  });

  it("does nothing outside a frame", async () => {
    const page = await browser.newPage();
    await page.goto(elementUrl("auth", service.origin));
    const init = { type: "init", nonce: "0123456789abcdef" };
    await page.evaluate(`window.postMessage(${JSON.stringify(init)}, location.origin)`);
    await page.waitForTimeout(silenceMs);
    expect(await page.locator("form:visible").count()).toBe(0);
  });
});

describe("GET /v1/link/elements/account in a frame", () => {
  it("shows the saved data of the session's customer", async () => {
    const { contact, sessionToken } = await createCustomer();
    const { inside, next } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    await inside.locator("#customer").getByText(contact).waitFor();
    const addresses = inside.getByRole("list", { name: "Addresses" }).getByRole("listitem");
    expect(await addresses.locator("span:first-child").first().textContent()).toBe(
      "Home, 12 Ring Road, Accra (default)",
    );
    expect(await inside.getByRole("heading", { level: 1 }).textContent()).toBe("Your account");
  });

  it("adds, changes and removes addresses", async () => {
    const { link, sessionToken } = await createCustomer();
    const { inside, next } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    const list = inside.getByRole("list", { name: "Addresses" }).getByRole("listitem");
    await inside.getByRole("button", { name: "Add an address" }).click();
    const form = inside.getByRole("form", { name: "New address" });
    await form.getByLabel("Street").fill("5 Oxford Street");
    await form.getByLabel("City").fill("Kumasi");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => list.count()).toBe(2);
    await list.nth(1).getByRole("button", { name: "Edit" }).click();
    const edit = inside.getByRole("form", { name: "Edit the address" });
    expect(await edit.getByLabel("City").inputValue()).toBe("Kumasi");
    await edit.getByLabel("City").fill("");
    await edit.getByLabel("Name of the address").fill("Work");
    await edit.getByRole("button", { name: "Save" }).click();
    await inside.getByText("Work, 5 Oxford Street", { exact: true }).waitFor();
    await list.nth(1).getByRole("button", { name: "Make default" }).click();
    await inside.getByText("Work, 5 Oxford Street (default)").waitFor();
    await list
      .nth(0)
      .getByRole("button", { name: /^Remove/ })
      .click();
    await list.nth(0).getByRole("button", { name: "Keep" }).click();
    await list
      .nth(0)
      .getByRole("button", { name: /^Remove/ })
      .click();
    await list.nth(0).getByRole("button", { name: "Remove for good" }).click();
    await expect.poll(() => list.count()).toBe(1);
    expect((await link.addresses.list()).data).toMatchObject([
      { label: "Work", street_address: "5 Oxford Street", city: null, is_default: true },
    ]);
  });

  it("saves an address once when the first response is lost", async () => {
    const { link, sessionToken } = await createCustomer();
    const { inside, next, page } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    await inside.getByRole("button", { name: "Add an address" }).click();
    await inside.getByLabel("Street").fill("5 Oxford Street");
    await page.route(
      "**/v1/link/addresses",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const save = inside
      .getByRole("form", { name: "New address" })
      .getByRole("button", { name: "Save" });
    await save.click();
    expect(await next("error")).toMatchObject({ retryable: true });
    await save.click();
    await inside.getByText("5 Oxford Street", { exact: true }).waitFor();
    expect((await link.addresses.list()).data).toHaveLength(2);
  });

  it("adds, changes and removes mobile-money accounts", async () => {
    const { link, sessionToken } = await createCustomer();
    const { inside, next } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    const list = inside.getByRole("list", { name: "Mobile money" }).getByRole("listitem");
    await inside.getByRole("button", { name: "Add a mobile-money account" }).click();
    await inside.getByLabel("Phone number", { exact: true }).fill("+233241234567");
    await inside.getByRole("form").getByRole("button", { name: "Save", exact: true }).click();
    await inside.getByText("+233241234567, MTN (default)").waitFor();
    await list.nth(0).getByRole("button", { name: "Edit" }).click();
    await inside.getByLabel("Network").selectOption("Telecel (Vodafone)");
    await inside.getByRole("form").getByRole("button", { name: "Save", exact: true }).click();
    await inside.getByText("+233241234567, Telecel (Vodafone) (default)").waitFor();
    expect((await link.mobileMoney.list()).data).toMatchObject([
      { phone_number: "+233241234567", provider: "vod", is_default: true },
    ]);
    await list
      .nth(0)
      .getByRole("button", { name: /^Remove/ })
      .click();
    await list.nth(0).getByRole("button", { name: "Remove for good" }).click();
    await inside.getByText("No mobile-money account is saved.").waitFor();
    expect((await link.mobileMoney.list()).data).toEqual([]);
  });

  it("changes the preferences of an enrolled customer, and shows none to others", async () => {
    const { link, contact, sessionToken } = await createCustomer();
    const before = await embedElement("account", { session_token: sessionToken });
    await before.next("ready");
    await before.inside.getByText("12 Ring Road").waitFor();
    expect(await before.inside.getByLabel("How I usually order").isVisible()).toBe(false);
    const credentials = { publicKey, sessionToken };
    await createCustomerLink(service.origin, credentials).enrolment.enroll({ contact });
    const { inside, next } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    await inside.getByLabel("How I usually order").selectOption("Pickup");
    await inside.getByLabel("Send me messages about my orders").uncheck();
    await inside.getByRole("button", { name: "Save preferences" }).click();
    await inside.getByText("Your preferences are saved.").waitFor();
    expect((await link.account.getPreferences()).data).toMatchObject({
      preferred_order_type: "pickup",
      notify_on_order: false,
    });
    await inside.getByLabel("How I usually order").selectOption("No preference");
    await inside.getByRole("button", { name: "Save preferences" }).click();
    await expect
      .poll(async () => (await link.account.getPreferences()).data.preferred_order_type)
      .toBeNull();
  });

  it("tells what is wrong with a field and keeps what was typed", async () => {
    const { sessionToken } = await createCustomer();
    const { inside, next } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    await inside.getByRole("button", { name: "Add a mobile-money account" }).click();
    await inside.getByLabel("Phone number", { exact: true }).fill("12");
    await inside.getByRole("form").getByRole("button", { name: "Save", exact: true }).click();
    expect(await next("error")).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await inside.getByRole("alert").textContent()).toMatch(/phone/i);
    expect(await inside.getByLabel("Phone number", { exact: true }).inputValue()).toBe("12");
  });

  it("accepts a refresh token and sends the new tokens", async () => {
    const { refreshToken } = await createCustomer();
    const { inside, next, send } = await embedElement("account");
    await next("ready");
    await inside.getByText("Nobody is logged in.").waitFor();
    await send({ type: "refresh_token", refresh_token: refreshToken });
    const { session_token, refresh_token } = await next("authenticated");
    expect(refresh_token).not.toBe(refreshToken);
    await linkOf(session_token).account.getData();
    await inside.getByText("12 Ring Road").waitFor();
    await send({ type: "refresh_token", refresh_token: refreshToken });
    expect(await next("error")).toMatchObject({ code: "UNAUTHORIZED", retryable: false });
  });

  it("repeats a refresh whose response was lost", async () => {
    const { refreshToken } = await createCustomer();
    const { next, page, send } = await embedElement("account");
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
    await linkOf(session_token).account.getData();
  });

  it("logs out on the parent page's message and shows no data", async () => {
    const { link, sessionToken } = await createCustomer();
    const { inside, next, send } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    await inside.getByText("12 Ring Road").waitFor();
    await send({ type: "logout" });
    await next("ready");
    await inside.getByText("Nobody is logged in.").waitFor();
    expect(await inside.getByText("12 Ring Road").count()).toBe(0);
    await expect(link.account.getData()).rejects.toThrow(UnauthorizedError);
  });

  it("logs out with its button", async () => {
    const { link, sessionToken } = await createCustomer();
    const { inside, next } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    await inside.getByRole("button", { name: "Log out" }).click();
    await next("ready");
    await expect(link.account.getData()).rejects.toThrow(UnauthorizedError);
  });

  it("reports UNAUTHORIZED for a revoked session", async () => {
    const { link, sessionToken } = await createCustomer();
    await link.auth.logOut();
    const { inside, next } = await embedElement("account", { session_token: sessionToken });
    await next("ready");
    expect(await next("error")).toMatchObject({ code: "UNAUTHORIZED" });
    await inside.getByText("Nobody is logged in.").waitFor();
  });

  it("ignores messages with another nonce, of another window or of an unknown type", async () => {
    const { link, sessionToken } = await createCustomer();
    const { next, page, send, messages } = await embedElement("account", {
      session_token: sessionToken,
    });
    await next("ready");
    await send({ type: "logout", nonce: "0123456789abcdef" });
    await send({ type: "init", nonce: "0123456789abcdef" });
    await send({ type: "log_out" });
    // A sibling window with the right origin and nonce, which is not the parent.
    await page.evaluate(`new Promise((sent) => {
      const other = document.createElement("iframe");
      document.body.append(other);
      const script = other.contentDocument.createElement("script");
      script.textContent = 'parent.frames[0].postMessage({ type: "logout", nonce: ' +
        JSON.stringify(nonce) + ' }, "*")';
      other.contentDocument.body.append(script);
      sent();
    })`);
    await send({ type: "init", session_token: sessionToken }); // accepted, unlike the messages before
    await next("ready");
    expect(await messages()).toHaveLength(2);
    await link.account.getData();
  });

  it("ignores messages before an init with a nonce of at least 16 characters", async () => {
    const { sessionToken } = await createCustomer();
    const { next, page, send, messages } = await embed(browser, {
      parent: parent.origin,
      src: elementUrl("account"),
      init: { nonce: "short", session_token: sessionToken },
    });
    await page.frameLocator("iframe").locator("#error").waitFor({ state: "attached" });
    await send({ type: "logout" });
    await send({ type: "init" });
    await next("ready");
    expect(await messages()).toHaveLength(1);
  });
});
