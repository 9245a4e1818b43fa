import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { at, createBooking, createBookingShop, createService } from "../bookings/create-booking.ts";
import { setPhoneDigit } from "../renewals/renewal-state.ts";
import { createSubscription, runCronAt } from "../subscriptions/create-subscription.ts";
import { createOrder } from "../support/create-order.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";
import { createBrowser, linkOf, type OpenPage, textOf } from "./browse.ts";

type Browser = ReturnType<typeof createBrowser>;

const accountOf = ({ business }: CreatedBusiness) => `/shop/${business.slug}/account`;

/** Asks for a code at a page of the account. */
async function requestCode(browser: Browser, path: string, contact: string): Promise<OpenPage> {
  return browser.press(await browser.open(path), "Send a code", { fields: { contact } });
}

/** A browser that logs in at a page of the account, and the page that it comes to. */
async function logIn(path: string, contact: string, browser = createBrowser()) {
  const coded = await requestCode(browser, path, contact);
  const page = await browser.press(coded, "Log in", { fields: { code: "123 456" } });
  return { browser, page };
}

describe("the account", () => {
  let shop: CreatedBusiness;
  let home: string;
  let account: string;

  beforeEach(async () => {
    shop = await createBusiness({ name: "Corner spa" });
    home = `/shop/${shop.business.slug}`;
    account = accountOf(shop);
    const body = { name: "House tea", slug: "tea", default_price: "12.50" };
    await merchant(shop)("POST", "/products", { body });
  });

  async function buyAsGuest(email: string) {
    const browser = createBrowser();
    await browser.press(await browser.open(`${home}/products/tea`), "Add to cart");
    const fields = { name: "Ama", email, payment_method: "cash" };
    const checkout = await browser.open(`${home}/checkout`);
    return { browser, order: await browser.press(checkout, "Place order", { fields }) };
  }

  it("logs in with a code, shows the orders of before, and opens them without their links", async () => {
    await buyAsGuest("ama@example.com");
    await buyAsGuest("kofi@example.com");
    const start = await createBrowser().open(home);
    expect(linkOf(start, "Account")).toBe(account);
    const { browser, page } = await logIn(account, "Ama@Example.com");
    expect(page).toMatchObject({ status: 200, path: account });
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(textOf(page)).toMatch(/Order ORD-1001 .* Received House tea GH₵12.50/);
    expect(textOf(page)).not.toContain("ORD-1002");
    const order = await browser.open(linkOf(page, "ORD-1001"));
    expect(textOf(order)).toContain("You pay GH₵12.50 in cash");
    expect(textOf(await browser.open(linkOf(order, "Receipt")))).toContain("House tea");
    const cancelled = await browser.press(order, "Cancel order");
    expect(cancelled.path).toBe(order.path);
    expect(textOf(await browser.open(account))).toContain("Cancelled House tea");
  });

  it("refuses a contact that is none, wrong and used codes, and a second code at once", async () => {
    const browser = createBrowser();
    const refused = await requestCode(browser, account, "nobody at home");
    expect(refused).toMatchObject({ status: 400 });
    expect(textOf(refused)).toContain("Enter an e-mail address, or a phone number");
    expect(refused.html).toContain('value="nobody at home"');
    const coded = await browser.press(refused, "Send a code", {
      fields: { contact: "ama@example.com" },
    });
    expect(textOf(coded)).toContain("it is 123456");
    const again = await browser.press(coded, "Send another code");
    expect(again.status).toBe(429);
    expect(textOf(again)).toMatch(/The next code can be sent in \d+ seconds/);
    const short = await browser.press(again, "Log in", { fields: { code: "12" } });
    expect(short).toMatchObject({ status: 400 });
    for (let tries = 0; tries < 5; tries++) {
      const wrong = await browser.press(coded, "Log in", { fields: { code: "000000" } });
      expect(wrong.status).toBe(422);
      expect(textOf(wrong)).toContain("This code is wrong, used or expired.");
    }
    const late = await browser.press(coded, "Log in", { fields: { code: "123456" } });
    expect(late.status).toBe(422);
    const other = await requestCode(browser, account, "kofi@example.com");
    const right = await browser.press(other, "Log in", { fields: { code: "123456" } });
    expect(right.path).toBe(account);
    const twice = await browser.press(other, "Log in", { fields: { code: "123456" } });
    expect(twice.path).toBe(account);
    expect(textOf(twice)).toContain("You have no orders yet.");
  });

  it("keeps the cart, and forgets everything of the browser after a logout", async () => {
    const { browser, order } = await buyAsGuest("ama@example.com");
    await browser.press(await browser.open(`${home}/products/tea`), "Add to cart");
    const { page } = await logIn(`${account}/profile`, "ama@example.com", browser);
    expect(page.path).toBe(`${account}/profile`);
    expect(textOf(page)).toContain("1 in the cart");
    const own = linkOf(await browser.open(account), "ORD-1001");
    const out = await browser.press(page, "Log out");
    expect(textOf(out)).toContain("You are logged out.");
    expect(textOf(await browser.open(`${home}/cart`))).toContain("Your cart is empty.");
    expect((await browser.open(own)).status).toBe(404);
    expect((await browser.open(order.path)).status).toBe(200);
    for (const cookie of browser.cookies.values()) expect(cookie).not.toContain("bt_");
    for (const section of ["bookings", "subscriptions", "profile"])
      expect((await browser.open(`${account}/${section}`)).path).toBe(`${account}?next=${section}`);
  });

  it("opens an order of the account to its customer alone", async () => {
    await buyAsGuest("ama@example.com");
    const { page } = await logIn(account, "ama@example.com");
    const path = linkOf(page, "ORD-1001");
    const { browser: otherBrowser } = await logIn(account, "kofi@example.com");
    for (const browser of [otherBrowser, createBrowser()]) {
      const hidden = await browser.open(path);
      expect(hidden.status).toBe(404);
      expect(textOf(hidden)).toContain("as the customer who placed it");
      expect(textOf(hidden)).not.toContain("House tea");
    }
    const other = await createBusiness();
    const elsewhere = path.replace(shop.business.slug, other.business.slug);
    expect((await otherBrowser.open(elsewhere)).status).toBe(404);
  });

  it("needs the Origin and the token for every form", async () => {
    const { browser, page } = await logIn(account, "ama@example.com");
    for (const options of [
      { headers: { Origin: "https://evil.example" } },
      { fields: { form_token: "0".repeat(32) } },
    ])
      expect((await browser.press(page, "Log out", options)).status).toBe(403);
    expect(textOf(await browser.open(account))).toContain("Log out");
    for (const section of ["", "/bookings", "/subscriptions", "/profile"]) {
      const forged = { ...page, forms: page.forms.map((one) => ({ ...one, action: "" })) };
      const headers = { Origin: "https://evil.example" };
      const sent = browser.press({ ...forged, path: account + section }, "Log out", { headers });
      expect((await sent).status).toBe(403);
    }
  });

  it("pages the orders", async () => {
    const { items } = dataOf(await merchant(shop)("GET", "/products"));
    const { ask } = await createLoggedInShopper(shop, "ama@example.com");
    for (let orders = 0; orders < 11; orders++)
      await createOrder(shop, items[0].id, { payWith: "cash", ask });
    const { browser, page } = await logIn(account, "ama@example.com");
    expect(textOf(page)).not.toContain("ORD-1001 ");
    const rest = await browser.open(linkOf(page, "Show more"));
    expect(textOf(rest)).toContain("ORD-1001 ");
    expect(textOf(rest)).not.toContain("ORD-1002 ");
  });

  it("changes the name and the contacts, which a code confirms", async () => {
    const { browser } = await logIn(account, "ama@example.com");
    await logIn(account, "kofi@example.com");
    const profile = await browser.open(`${account}/profile`);
    const hostile = { fields: { name: "Ama <b>Serwaa</b>" } };
    const saved = await browser.press(profile, "Save", hostile);
    expect(textOf(saved)).toContain("Your changes are saved.");
    const named = await browser.open(`${account}/profile`);
    const save = (fields: Record<string, string>) => browser.press(named, "Save", { fields });
    expect(named.html).toContain("Ama &lt;b&gt;Serwaa&lt;/b&gt;");
    expect(textOf(await save({ email: "kofi@example.com" }))).toContain("Another customer");
    expect(textOf(await save({ phone: "12" }))).toContain("This is no phone number.");
    expect(textOf(await save({ email: "" }))).toContain("It can be replaced, but not removed.");
    const sent = await save({ email: "serwaa@example.com" });
    expect(textOf(sent)).toContain("Enter the code for serwaa@example.com");
    const waiting = await browser.open(`${account}/profile`);
    expect(textOf(waiting)).toContain("serwaa@example.com is not confirmed yet.");
    const wrong = await browser.press(sent, "Confirm", { fields: { code: "000000" } });
    expect(wrong.status).toBe(422);
    const confirmed = await browser.press(wrong, "Confirm", { fields: { code: "123456" } });
    expect(textOf(confirmed)).toContain("Your changes are saved.");
    expect(textOf(confirmed)).not.toContain("is not confirmed yet");
    expect(confirmed.html).toContain('value="serwaa@example.com"');
  });
});

describe("with a stopped clock", () => {
  beforeEach(() => vi.setSystemTime("2030-01-31T09:00:00.000Z"));
  afterEach(() => {
    vi.useRealTimers();
  });

  it("lists bookings, and cancels those whose notice has not passed", async () => {
    const shop = await createBookingShop();
    const service = await createService(shop, { cancellation_notice_minutes: 120 });
    await createBooking(shop, service, { when: at(9) });
    await createBooking(shop, service, { when: at(12) });
    const { browser, page } = await logIn(`${accountOf(shop)}/bookings`, "0241234567");
    expect(textOf(page)).toMatch(/Massage 6 May 2030, 9:00.*Massage 6 May 2030, 12:00/);
    expect(textOf(page)).toContain("2 hours before it starts");
    const moving = await browser.open(linkOf(page, "Move to another time"));
    const moved = await browser.press(moving, "Move to this time", { fields: { slot: at(10) } });
    expect(moved.path).toBe(`${accountOf(shop)}/bookings?moved=1`);
    expect(textOf(moved)).toMatch(/The booking is moved.*Massage 6 May 2030, 10:00/);
    vi.setSystemTime(at(8, 30));
    const late = await browser.press(page, "Cancel Massage");
    expect(late.status).toBe(422);
    expect(textOf(late)).toContain("can no longer be cancelled: that is possible until 2 hours");
    expect(textOf(late)).toContain("It can no longer be moved or cancelled here");
    const cancelled = await browser.press(late, "Cancel Massage");
    expect(textOf(cancelled)).toContain("The booking is cancelled.");
    expect(textOf(cancelled)).toMatch(/12:00.* Cancelled/);
    expect(textOf(await browser.open(linkOf(cancelled, "Past")))).toContain("Nothing is past yet.");
  });

  it("lists subscriptions, cancels and keeps them, and leads to what is due", async () => {
    const shop = await createBusiness();
    const { id, ask } = await createSubscription(shop);
    const { browser, page } = await logIn(`${accountOf(shop)}/subscriptions`, "0241234567");
    expect(textOf(page)).toContain("Active");
    expect(textOf(page)).toMatch(/Next payment: GH₵[\d.]+ on 28 Feb 2030/);
    const ending = await browser.press(page, "Cancel this subscription");
    expect(textOf(ending)).toContain("Ends on 28 Feb 2030.");
    const kept = await browser.press(ending, "Keep the subscription");
    expect(textOf(kept)).toContain("Next payment");
    expect(textOf(await browser.press(kept, "Pause"))).toContain("Paused");
    const refused = await browser.press(kept, "Skip");
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain("This is not possible any more");
    const going = await browser.press(refused, "Continue the subscription");
    expect(textOf(going)).toContain("Active");
    expect(dataOf(await ask("GET", `/subscriptions/${id}`)).subscription.status).toBe("active");
  });

  it("leads to the order of a renewal that was not paid, which pays it", async () => {
    const shop = await createBusiness();
    await setPhoneDigit(shop, await createSubscription(shop), "3");
    await runCronAt(shop, "2030-02-28T09:00:00.000Z");
    const { browser, page } = await logIn(`${accountOf(shop)}/subscriptions`, "0241234567");
    expect(textOf(page)).toMatch(/Payment due .*GH₵[\d.]+ is not paid/);
    const order = await browser.open(linkOf(page, "Pay now"));
    expect(textOf(order)).toContain("Order ORD-1002");
    const fields = {
      payment_method: "mobile_money",
      mobile_phone: "0241234560",
      mobile_network: "mtn",
    };
    const paid = await browser.press(order, "Pay GH₵", { fields });
    expect(textOf(paid)).toContain("paid by mobile money");
    const after = await browser.open(page.path);
    expect(textOf(after)).toContain("Next payment");
    expect(textOf(after)).not.toContain("Payment due");
  });
});
