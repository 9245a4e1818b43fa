import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Link, UnauthorizedError } from "../../sdk/src/index.ts";
import { createCustomerLink, createShop, type EndToEndShop } from "../end-to-end/create-shop.ts";
import { sheaSoap } from "../end-to-end/request-bodies.ts";
import { assertPublishedResponses, type Embedding, embed } from "./embed-element.ts";
import type { SharedService } from "./shared-service.ts";
import { type Parent, startParent } from "./start-parent.ts";
import { startOwnServiceAndBrowser } from "./start-service-and-browser.ts";

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;
let parent: Parent;
let shop: EndToEndShop;
let productId: string;

beforeAll(async () => {
  [parent, { browser, service, stop }] = await Promise.all([
    startParent(),
    startOwnServiceAndBrowser(),
  ]);
  shop = await createShop(service.origin);
  const soap = { ...sheaSoap, inventory_type: "none" } as const;
  productId = (await shop.merchant.products.create(soap)).data.id;
});

afterEach(async () => {
  await assertPublishedResponses();
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await Promise.all([stop?.(), parent?.stop()]);
});

let customers = 0;
const uniqueEmail = () => {
  customers += 1;
  return `owner-${customers}@example.com`;
};

type Customer = Readonly<{ contact: string; sessionToken: string; link: Link }>;

async function createCustomer(): Promise<Customer> {
  const contact = uniqueEmail();
  await shop.link.auth.requestOtp({ contact });
  const { data: login } = await shop.link.auth.verifyOtp({ contact, otp_code: "123456" });
  const sessionToken = login.session_token;
  return { contact, sessionToken, link: createCustomerLink(service.origin, { sessionToken }) };
}

/** Somebody without a session enrols an order that names the customer's contact. */
async function sendDetails({ contact }: Customer): Promise<void> {
  const guest = shop.shopper();
  const { data: cart } = await guest.cart.addItem({ item_id: productId });
  const { data: order } = await guest.checkout.placeOrder({
    cart_id: cart.id,
    customer: { email: contact },
    payment_method: "cash",
  });
  const { order_id, bill_token } = order;
  await createCustomerLink(service.origin).enrolment.enrollAndLinkOrder({
    ...{ order_id, bill_token, business_id: shop.id, order_type: "pickup" },
    address: { label: "Work", street_address: "5 Oxford Street", city: "Kumasi" },
    mobile_money: { phone_number: "+233241234567", provider: "mtn" },
  });
}

async function openAccount({ sessionToken }: Customer): Promise<Embedding> {
  const query = new URLSearchParams({ public_key: shop.keys.publishable, origin: parent.origin });
  const src = `${service.origin}/v1/link/elements/account?${query}`;
  const opened = await embed(browser, {
    parent: parent.origin,
    src,
    init: { session_token: sessionToken },
  });
  await opened.next("ready");
  return opened;
}

describe("details that wait, in the account page", () => {
  it("are saved with a button", async () => {
    const customer = await createCustomer();
    await sendDetails(customer);
    const { inside } = await openAccount(customer);
    const waiting = inside.getByRole("list", { name: "Waiting for you" }).getByRole("listitem");
    await expect
      .poll(() => waiting.locator("span").allTextContents())
      .toEqual(
        expect.arrayContaining([
          "From Adinkra Goods",
          "Work, 5 Oxford Street, Kumasi",
          "+233241234567, MTN",
          "How you usually order: Pickup",
        ]),
      );
    await inside.getByText("No address is saved.").waitFor();
    await waiting.getByRole("button", { name: /^Save/ }).click();
    await inside.getByText("Work, 5 Oxford Street, Kumasi (default)").waitFor();
    expect(await inside.getByText("Waiting for you").isVisible()).toBe(false);
    expect((await customer.link.mobileMoney.list()).data).toHaveLength(1);
  });

  it("are discarded with a button, and not shown when there are none", async () => {
    const customer = await createCustomer();
    await sendDetails(customer);
    const { inside } = await openAccount(customer);
    await inside.getByRole("button", { name: /^Discard/ }).click();
    await expect.poll(() => inside.getByText("Waiting for you").isVisible()).toBe(false);
    expect((await customer.link.pendingDetails.list()).data).toEqual([]);
    expect((await customer.link.addresses.list()).data).toEqual([]);
  });
});

describe("contacts, in the account page", () => {
  it("are added with a code to both contacts, and removed with all sessions", async () => {
    const customer = await createCustomer();
    const added = uniqueEmail();
    const { inside, next } = await openAccount(customer);
    const contacts = inside.getByRole("list", { name: "Contacts" }).getByRole("listitem");
    await expect.poll(() => contacts.count()).toBe(1);
    expect(await contacts.getByRole("button").count()).toBe(0);
    await inside.getByRole("button", { name: "Add a contact" }).click();
    await inside.getByLabel("Phone number or e-mail address").fill(added);
    await inside.getByRole("button", { name: "Send codes" }).click();
    await inside.getByLabel(`Code sent to ${added}`).fill("000000");
    await inside.getByLabel(`Code sent to ${customer.contact}`).fill("123456");
    await inside.getByRole("button", { name: "Add the contact" }).click();
    expect(await next("error")).toMatchObject({ code: "BUSINESS_RULE_VIOLATION" });
    await inside.getByLabel(`Code sent to ${added}`).fill("123456");
    await inside.getByRole("button", { name: "Add the contact" }).click();
    await expect.poll(() => contacts.count()).toBe(2);
    await contacts
      .nth(1)
      .getByRole("button", { name: /^Remove/ })
      .click();
    await contacts.nth(1).getByRole("button", { name: "Keep" }).click();
    await contacts
      .nth(1)
      .getByRole("button", { name: /^Remove/ })
      .click();
    await contacts.nth(1).getByRole("button", { name: "Remove and log out everywhere" }).click();
    await next("ready");
    await inside.getByText("Nobody is logged in.").waitFor();
    await expect(customer.link.contacts.list()).rejects.toThrow(UnauthorizedError);
  });
});

describe.each([
  { width: 390, theme: "light" },
  { width: 390, theme: "dark" },
  { width: 1280, theme: "light" },
  { width: 1280, theme: "dark" },
] as const)("the account page at $width px, $theme", ({ width, theme }) => {
  it("shows waiting details and the forms of a contact without overflow", async () => {
    const customer = await createCustomer();
    await sendDetails(customer);
    const { inside, page } = await openAccount(customer);
    await page.setViewportSize({ width, height: 1_600 });
    await page.evaluate('frame.style.width = "100%"');
    await page.emulateMedia({ colorScheme: theme });
    await inside.getByText("From Adinkra Goods").waitFor();
    await expectNoOverflow(inside);
    await inside.getByRole("button", { name: "Add a contact" }).click();
    const added = `other.${"long.".repeat(9)}name.${width}.${theme}@example.com`;
    await inside.getByLabel("Phone number or e-mail address").fill(added);
    await inside.getByRole("button", { name: "Send codes" }).click();
    await inside.getByLabel(`Code sent to ${added}`).waitFor();
    await expectNoOverflow(inside);
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/account-${width}-${theme}.png` });
  });
});

async function expectNoOverflow(inside: Embedding["inside"]): Promise<void> {
  const overflow = await inside
    .locator("html")
    .evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}
