import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import { createDeliveryMethod } from "../support/create-delivery.ts";
import { createOrder, type OrderPaymentMethod } from "../support/create-order.ts";
import { createPaymentPath } from "../support/create-payment-path.ts";
import { createProduct } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant, operator } from "../support/world.ts";
import { createBrowser, linkOf, type OpenPage, textOf } from "./browse.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness({ name: "Ama & Sons <bakers>" });
  product = await createProduct(shop, { name: 'Bread "rye" <dark>', defaultPriceMinor: 2_500 });
});

/** An order that waits for a payment on a phone, with a browser for its payment page. */
async function createLinkedOrder(payWith: OrderPaymentMethod = "2") {
  const order = await createOrder(shop, product.id, { payWith });
  const path = await createPaymentPath(shop, order.id);
  return { id: order.id, number: order.number, path, browser: createBrowser() };
}

type LinkedOrder = Awaited<ReturnType<typeof createLinkedOrder>>;

/** The fields of a mobile-money payment; the last digit decides what the sandbox does. */
const phoneFields = (lastDigit: number) => ({
  payment_method: "mobile_money",
  mobile_phone: `024123456${lastDigit}`,
  mobile_network: "mtn",
});

const pay = async ({ browser, path }: LinkedOrder, fields: Record<string, string>) =>
  browser.press(await browser.open(path), "Pay GH₵50.00", { fields });

const loadOrder = async (id: string) => dataOf(await merchant(shop)("GET", `/orders/${id}`));

const loadCharges = (id: string) =>
  selectRows(shop, "select status from sandbox_charges where order_id = ? order by rowid", id);

const keyOf = ({ html }: OpenPage) => /name="form_key" value="([^"]+)"/.exec(html)?.[1];

describe("GET /pay/{token}", () => {
  it("shows what is owed and the methods that the business takes, and nothing of the customer", async () => {
    const address = { city: "Kumasi", country: "GH", street_address: "Palm Street 7" };
    const customer = { name: "Kofi Mensah", phone: "0241234567", notes: "Ring twice" };
    const fields = { customer, order_type: "delivery", address_info: address };
    const { id, number } = await createOrder(shop, product.id, { payWith: "cash", fields });
    const page = await createBrowser().open(await createPaymentPath(shop, id));
    expect(page.status).toBe(200);
    expect(page.html).toContain("Ama &amp; Sons &lt;bakers&gt;");
    expect(page.html).toContain("Bread &quot;rye&quot; &lt;dark&gt;");
    expect(page.html).not.toMatch(/Kofi|Kumasi|Palm|0241234567|Ring twice/);
    expect(textOf(page)).toContain(`Order ${number}`);
    expect(textOf(page)).toContain("Total GH₵50.00");
    expect(textOf(page)).toContain("in cash when you get your order, or here now.");
    expect(page.html).toMatch(/value="mobile_money" checked.*value="card"/s);
    expect(page.html).not.toContain('value="cash"');
  });

  it("lists only the methods that the business and the order's delivery take", async () => {
    const { id: methodId } = await createDeliveryMethod(shop, { paymentMethods: ["mobile_money"] });
    const fields = {
      order_type: "delivery",
      delivery_option_id: methodId,
      address_info: { city: "Accra", country: "GH" },
    };
    const { id } = await createOrder(shop, product.id, { payWith: "2", fields });
    const browser = createBrowser();
    const page = await browser.open(await createPaymentPath(shop, id));
    expect(page.html).toContain('value="mobile_money" checked');
    expect(page.html).not.toMatch(/value="(?:card|cash)"/);
    const refused = await browser.press(page, "Pay GH₵", { fields: { payment_method: "card" } });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("Choose how you want to pay.");
  });

  it("runs no script, and keeps its address out of frames, caches, indexes and other sites", async () => {
    const { path, browser } = await createLinkedOrder();
    const { html, headers } = await browser.open(path);
    expect(html).not.toMatch(/<script|\sstyle=|\son\w+=/i);
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toContain("script-src");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
  });

  it("is the same 404 for a forged, a changed and a foreign token", async () => {
    const { path, browser } = await createLinkedOrder();
    const other = await createLinkedOrder();
    for (const forged of [
      "/pay/x",
      `/pay/${"0".repeat(400)}`,
      "/pay/%00",
      `${path.slice(0, -1)}${path.endsWith("0") ? "1" : "0"}`,
      `${other.path.slice(0, -32)}${path.slice(-32)}`,
      path.toUpperCase().replace("/PAY", "/pay"),
    ]) {
      const page = await browser.open(forged);
      expect([forged, page.status]).toEqual([forged, 404]);
      expect(textOf(page)).toContain("This is not a payment link Check the address, or ask");
    }
  });

  it("says that the order is paid, cancelled, accepted or refunded, and has no form then", async () => {
    const paid = await createLinkedOrder();
    const form = await paid.browser.open(paid.path);
    await paid.browser.press(form, "Pay GH₵50.00", { fields: phoneFields(0) });
    const text = async ({ path, browser }: LinkedOrder) => textOf(await browser.open(path));
    expect(await text(paid)).toContain("GH₵50.00 paid by mobile money. Thank you.");
    await merchant(shop)("POST", `/orders/${paid.id}/refunds`, { body: { amount: "20" } });
    expect(await text(paid)).toContain("GH₵50.00 paid, and a part of it paid back.");
    await merchant(shop)("POST", `/orders/${paid.id}/refunds`, { body: {} });
    expect(await text(paid)).toContain("GH₵50.00 paid, and paid back.");
    const cancelled = await createLinkedOrder();
    await merchant(shop)("POST", `/orders/${cancelled.id}/cancel`, { body: {} });
    expect(await text(cancelled)).toContain("This order was cancelled. Nothing was charged.");
    const accepted = await createLinkedOrder("cash");
    await merchant(shop)("POST", `/orders/${accepted.id}/status`, { body: { status: "ready" } });
    expect(await text(accepted)).toContain("has accepted the order.");
    for (const { path, id, browser } of [paid, cancelled, accepted]) {
      expect((await browser.open(path)).html).not.toContain('method="post"');
      const before = await loadCharges(id);
      const late = { ...form, forms: form.forms.map((one) => ({ ...one, action: path })) };
      const sent = await browser.press(late, "Pay GH₵50.00", { fields: phoneFields(0) });
      expect([sent.status, await loadCharges(id)]).toEqual([
        paid.path === path ? 200 : 403,
        before,
      ]);
    }
  });

  it("says that an expired link cannot pay any more, without lines and amounts", async () => {
    vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z"));
    const inCash = await createLinkedOrder("cash");
    const byPhone = await createLinkedOrder();
    const form = await inCash.browser.open(inCash.path);
    vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z") + 7 * day + minute);
    await runJobsUntilIdle(shop);
    const late = inCash.browser.press(form, "Pay GH₵50.00", { fields: phoneFields(0) });
    for (const page of [await inCash.browser.open(inCash.path), await late]) {
      expect(page.status).toBe(410);
      expect(textOf(page)).toContain("This link has expired");
      expect(linkOf(page, "Log in")).toBe(`/shop/${shop.business.slug}/account`);
      expect(page.html).not.toMatch(/Bread|50\.00/);
    }
    expect(await loadCharges(inCash.id)).toEqual([]);
    expect(textOf(await byPhone.browser.open(byPhone.path))).toContain("This order was cancelled.");
  });

  it("takes no payment for a suspended business, and is 404 for a closed one", async () => {
    const linked = await createLinkedOrder("cash");
    const form = await linked.browser.open(linked.path);
    await operator("POST", `/v1/businesses/${shop.business.id}/suspend`, { body: {} });
    vi.setSystemTime(Date.now() + 6_000);
    expect((await linked.browser.open(linked.path)).status).toBe(403);
    const sent = linked.browser.press(form, "Pay GH₵50.00", { fields: phoneFields(0) });
    expect((await sent).status).toBe(403);
    expect(await loadCharges(linked.id)).toEqual([]);
    await operator("POST", `/v1/businesses/${shop.business.id}/close`, { body: {} });
    vi.setSystemTime(Date.now() + 12_000);
    expect((await linked.browser.open(linked.path)).status).toBe(404);
  });
});

describe("POST /pay/{token}", () => {
  it("pays the order once, however often the form is sent", async () => {
    const linked = await createLinkedOrder();
    const form = await linked.browser.open(linked.path);
    const send = () => linked.browser.press(form, "Pay GH₵50.00", { fields: phoneFields(0) });
    await Promise.all([send(), send(), send()]);
    const paid = await send();
    expect([paid.path, textOf(paid)]).toEqual([linked.path, expect.stringContaining("Thank you.")]);
    expect(await loadOrder(linked.id)).toMatchObject({ payment_status: "succeeded" });
    const charges = await loadCharges(linked.id);
    expect(charges.filter(({ status }) => status === "captured")).toHaveLength(1);
  });

  it("needs the Origin of this host and the token of its browser", async () => {
    const { id, path, browser } = await createLinkedOrder("cash");
    const form = await browser.open(path);
    for (const options of [
      { headers: { Origin: "https://evil.example" } },
      { headers: { Origin: "null" } },
      { fields: { form_token: "0".repeat(32) } },
    ]) {
      const fields = { ...phoneFields(0), ...options.fields };
      const refused = await browser.press(form, "Pay GH₵50.00", { ...options, fields });
      expect(refused.status).toBe(403);
    }
    const fields = { ...phoneFields(0), notes: "x".repeat(40_000) };
    expect((await browser.press(form, "Pay GH₵50.00", { fields })).status).toBe(413);
    expect(await loadCharges(id)).toEqual([]);
  });

  it("shows what is wrong beside the fields and keeps what was typed", async () => {
    const linked = await createLinkedOrder("cash");
    const typed = { ...phoneFields(0), mobile_phone: '"><b>12' };
    const missing = await pay(linked, { ...typed, mobile_network: "" });
    const wrong = await pay(linked, typed);
    for (const [page, error] of [
      [missing, 'id="mobile_network-error">Choose the network'],
      [wrong, 'id="mobile_phone-error">Is not a phone number'],
    ] as const) {
      expect(page.status).toBe(400);
      expect(page.html).toContain('value="&quot;&gt;&lt;b&gt;12"');
      expect(page.html).toContain(error);
      expect(page.html).toMatch(/aria-invalid="true" autofocus/);
      expect(page.html).toContain("<title>Error: ");
    }
    expect(textOf(await pay(linked, { payment_method: "" }))).toContain("Choose how you want");
    expect(await loadCharges(linked.id)).toEqual([]);
  });

  it("says why a payment was declined, and pays with another number", async () => {
    const linked = await createLinkedOrder("cash");
    const declined = await pay(linked, phoneFields(3));
    expect(declined.status).toBe(422);
    expect(textOf(declined)).toContain("The sandbox declines this phone number or card.");
    expect(declined.html).toContain('value="0241234563"');
    const again = await linked.browser.open(linked.path);
    expect(textOf(again)).toContain("The payment did not go through.");
    await pay(linked, phoneFields(0));
    expect(await loadOrder(linked.id)).toMatchObject({ payment_status: "succeeded" });
  });

  it("keeps the form's key when the provider does not answer, and charges once", async () => {
    const linked = await createLinkedOrder("cash");
    const form = await linked.browser.open(linked.path);
    const send = () => linked.browser.press(form, "Pay GH₵50.00", { fields: phoneFields(4) });
    const unanswered = await send();
    if (unanswered.status !== 200) {
      expect(textOf(unanswered)).toContain("The payment provider does not answer.");
      expect(keyOf(unanswered)).toBe(keyOf(form));
      expect((await send()).status).toBe(200);
    }
    expect(await loadCharges(linked.id)).toEqual([{ status: "captured" }]);
  });

  it("waits for the confirmation on the phone, and checks it ten times a minute at most", async () => {
    const linked = await createLinkedOrder("cash");
    const waiting = await pay(linked, phoneFields(2));
    expect(textOf(waiting)).toContain("Confirm the payment on your phone.");
    expect(await loadOrder(linked.id)).toMatchObject({ payment_status: "processing" });
    const paid = await linked.browser.open(linkOf(waiting, "I have confirmed it"));
    expect(textOf(paid)).toContain("Thank you.");
    const other = await createLinkedOrder("cash");
    const card = await pay(other, { payment_method: "card" });
    vi.setSystemTime(Math.ceil(Date.now() / minute) * minute);
    for (let loads = 0; loads < 12; loads += 1)
      expect(textOf(await other.browser.open(other.path))).toContain(
        "Continue to the payment page",
      );
    expect(linkOf(card, "Continue")).toContain("/api/v1/payments/sandbox/");
  });

  it("asks for a one-time code, and offers another payment after the third wrong one", async () => {
    const linked = await createLinkedOrder("cash");
    const asking = await pay(linked, phoneFields(1));
    expect(asking.html).toMatch(/name="code"[^>]*autocomplete="one-time-code"/);
    const enter = (code: string) => linked.browser.press(asking, "Confirm", { fields: { code } });
    expect(textOf(await enter(" "))).toContain("Enter the code.");
    const wrong = await enter("000000");
    expect(wrong.status).toBe(422);
    expect(textOf(wrong)).toContain("That is not right. Tries left: 2.");
    expect(wrong.html).not.toContain("000000");
    await linked.browser.press(wrong, "Confirm", { fields: { code: "000001" } });
    const failed = await linked.browser.press(wrong, "Confirm", { fields: { code: "000002" } });
    expect(textOf(failed)).toContain("That was wrong three times.");
    expect(failed.html).toContain('name="payment_method"');
    const code = await pay(linked, phoneFields(1));
    await linked.browser.press(code, "Confirm", { fields: { code: "123456" } });
    expect(await loadOrder(linked.id)).toMatchObject({ payment_status: "succeeded" });
  });

  it("sends a card to the provider's page and back", async () => {
    const linked = await createLinkedOrder("cash");
    const leaving = await pay(linked, { payment_method: "card" });
    const card = linkOf(leaving, "Continue to the payment page");
    expect(leaving.headers.get("refresh")).toContain(card);
    expect((await linked.browser.open(linked.path)).headers.get("refresh")).toBeNull();
    const back = await linked.browser.press(await linked.browser.open(card), "Approve");
    expect(back.path).toBe(`${linked.path}?order_id=${linked.id}`);
    expect(textOf(back)).toContain("Thank you.");
    const { metadata } = await loadOrder(linked.id);
    expect(JSON.stringify(metadata)).not.toContain(linked.path.slice(-32));
  });

  it("lets the customer pay in cash later", async () => {
    const linked = await createLinkedOrder();
    expect(textOf(await pay(linked, { payment_method: "cash" }))).toContain("You pay GH₵50.00 in");
    const order = { payment_status: "pending", payment_method: "cash" };
    expect(await loadOrder(linked.id)).toMatchObject(order);
  });

  it("takes ten submissions of an order a minute", async () => {
    const linked = await createLinkedOrder("cash");
    vi.setSystemTime(Math.ceil(Date.now() / minute) * minute);
    let page = await linked.browser.open(linked.path);
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      page = await linked.browser.press(page, "Pay GH₵50.00", { fields: phoneFields(3) });
      statuses.push(page.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
    expect(page.html).toContain('value="0241234563"');
    expect(await loadCharges(linked.id)).toHaveLength(10);
  });
});
