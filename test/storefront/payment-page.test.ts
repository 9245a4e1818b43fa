import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import { createDeliveryMethod } from "../support/create-delivery.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant, operator } from "../support/world.ts";
import {
  createPaymentPath,
  formKeyOf,
  openPage,
  phoneFields,
  submitForm,
  textOf,
} from "./payment-page-client.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness({ name: "Ama & Sons <bakers>" });
  product = await createProduct(shop, { name: 'Bread "rye" <dark>', defaultPriceMinor: 2_500 });
});

/** An order that waits for a payment on a phone, and the path of its payment page. */
async function createLinkedOrder(payWith: "2" | "cash" = "2") {
  const order = await createOrder(shop, product.id, { payWith });
  return { id: order.id, number: order.number, path: await createPaymentPath(shop, order.id) };
}

const loadOrder = async (id: string) => dataOf(await merchant(shop)("GET", `/orders/${id}`));

const loadCharges = (id: string) =>
  selectRows(shop, "select status from sandbox_charges where order_id = ? order by rowid", id);

describe("GET /pay/{token}", () => {
  it("shows what is owed and the methods that the business takes, without a key or a session", async () => {
    const { path, number } = await createLinkedOrder("cash");
    const page = await openPage(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(page.html).toContain("Ama &amp; Sons &lt;bakers&gt;");
    expect(page.html).toContain("2 × Bread &quot;rye&quot; &lt;dark&gt;");
    expect(textOf(page)).toContain(`Order ${number}`);
    expect(textOf(page)).toContain("Total 50.00 GHS");
    expect(page.html).toMatch(/value="cash".*value="mobile_money" checked.*value="card"/s);
    expect(page.html).toContain('<option value="mtn">MTN</option>');
    expect(page.headers.get("set-cookie")).toBeNull();
    expect(page.headers.get("server-timing")).toMatch(/d1;desc="[12]", do;desc="0"/);
  });

  it("lists only the methods of GET /business", async () => {
    const { path } = await createLinkedOrder();
    await merchant(shop)("PATCH", "", { body: { payment_methods: ["mobile_money"] } });
    vi.setSystemTime(Date.now() + 6_000);
    const { html } = await openPage(path);
    expect(html).toContain('<input type="hidden" name="payment_method" value="mobile_money">');
    expect(html).not.toContain('value="card"');
    const refused = await submitForm(path, { key: "k", payment_method: "card" });
    expect(refused.status).toBe(400);
  });

  it("lists only the methods that the order's delivery allows", async () => {
    const { id: methodId } = await createDeliveryMethod(shop, { paymentMethods: ["mobile_money"] });
    const fields = {
      order_type: "delivery",
      delivery_option_id: methodId,
      address_info: { city: "Accra", country: "GH" },
    };
    const { id } = await createOrder(shop, product.id, { payWith: "2", fields });
    const page = await openPage(await createPaymentPath(shop, id));
    expect(page.html).toContain('<input type="hidden" name="payment_method" value="mobile_money">');
    expect(page.html).not.toContain('value="card"');
  });

  it("allows no script, frame, referrer, cache or index", async () => {
    const { path } = await createLinkedOrder();
    const { html, headers } = await openPage(path);
    expect(html).not.toMatch(/<script|<link|<img|\sstyle=|\son\w+=/i);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    const style = new TextEncoder().encode(/<style>([^<]*)<\/style>/.exec(html)?.[1]);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", style));
    expect(headers.get("content-security-policy")).toContain(
      `'sha256-${btoa(String.fromCharCode(...digest))}'`,
    );
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
  });

  it("is the same 404 for a forged, a changed and a foreign token", async () => {
    const { path } = await createLinkedOrder();
    const other = await createLinkedOrder();
    const signature = path.slice(-32);
    for (const forged of [
      "/pay/x",
      `/pay/${"0".repeat(400)}`,
      "/pay/%00",
      `${path.slice(0, -1)}${path.endsWith("0") ? "1" : "0"}`,
      `${other.path.slice(0, -32)}${signature}`,
      path.toUpperCase().replace("/PAY", "/pay"),
    ]) {
      const page = await openPage(forged);
      expect([forged, page.status, textOf(page)]).toEqual([
        forged,
        404,
        "This is not a payment link Check the address, or ask the shop for a new link.",
      ]);
      expect(await submitForm(forged, {})).toMatchObject({ status: 404 });
      expect(await submitForm(`${forged}/authorize`, {})).toMatchObject({ status: 404 });
    }
  });

  it("says that the order is paid, cancelled, accepted or refunded, and has no form then", async () => {
    const paid = await createLinkedOrder();
    await submitForm(paid.path, phoneFields(0, "pay"));
    expect(textOf(await openPage(paid.path))).toContain(
      "Paid Ama &amp; Sons &lt;bakers&gt; has received your payment of 50.00 GHS.",
    );
    await merchant(shop)("POST", `/orders/${paid.id}/refunds`, { body: {} });
    expect(textOf(await openPage(paid.path))).toContain("Refunded");
    const cancelled = await createLinkedOrder();
    await merchant(shop)("POST", `/orders/${cancelled.id}/cancel`, { body: {} });
    expect(textOf(await openPage(cancelled.path))).toContain("This order was cancelled.");
    const accepted = await createLinkedOrder("cash");
    await merchant(shop)("POST", `/orders/${accepted.id}/status`, { body: { status: "ready" } });
    expect(textOf(await openPage(accepted.path))).toContain("has accepted the order.");
    for (const { path } of [paid, cancelled, accepted]) {
      expect((await openPage(path)).html).not.toContain("<form");
      const submitted = await submitForm(path, phoneFields(0, "late"));
      expect([submitted.status, submitted.headers.get("location")]).toEqual([303, path]);
    }
  });

  it("says that an expired link cannot pay any more, without lines and amounts", async () => {
    vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z"));
    const inCash = await createLinkedOrder("cash");
    const byPhone = await createLinkedOrder();
    vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z") + 7 * day + minute);
    await runJobsUntilIdle(shop);
    const page = await openPage(inCash.path);
    expect(page.status).toBe(410);
    expect(textOf(page)).toContain("This link has expired");
    expect(page.html).not.toMatch(/Bread|50\.00|<form/);
    const submitted = await submitForm(inCash.path, phoneFields(0, "late"));
    expect(submitted.status).toBe(303);
    expect(await loadCharges(inCash.id)).toEqual([]);
    expect(textOf(await openPage(byPhone.path))).toContain("This order was cancelled.");
  });

  it("takes no payment for a suspended business, and is 404 for a closed one", async () => {
    const { path, id } = await createLinkedOrder("cash");
    await operator("POST", `/v1/businesses/${shop.business.id}/suspend`, { body: {} });
    vi.setSystemTime(Date.now() + 6_000);
    expect(textOf(await openPage(path))).toContain("takes no payments at the moment");
    await submitForm(path, phoneFields(0, "k"));
    expect(await loadCharges(id)).toEqual([]);
    await operator("POST", `/v1/businesses/${shop.business.id}/close`, { body: {} });
    vi.setSystemTime(Date.now() + 12_000);
    expect((await openPage(path)).status).toBe(404);
  });
});

describe("POST /pay/{token}", () => {
  it("pays the order and leads back to the page, which says so", async () => {
    const { id, path } = await createLinkedOrder();
    const form = await openPage(path);
    const paid = await submitForm(path, phoneFields(0, formKeyOf(form)));
    expect([paid.status, paid.headers.get("location")]).toEqual([303, path]);
    expect(paid.headers.get("server-timing")).toContain('d1;desc="3"');
    expect(await loadOrder(id)).toMatchObject({ payment_status: "succeeded" });
  });

  it("charges once when the form is sent twice, one after the other or at once", async () => {
    const first = await createLinkedOrder();
    const fields = phoneFields(1, formKeyOf(await openPage(first.path)));
    await submitForm(first.path, fields);
    expect((await submitForm(first.path, fields)).status).toBe(303);
    expect(await loadCharges(first.id)).toHaveLength(2); // the checkout's and the form's
    const second = await createLinkedOrder();
    const key = formKeyOf(await openPage(second.path));
    const answers = await Promise.all(
      [1, 2, 3].map(() => submitForm(second.path, phoneFields(0, key))),
    );
    expect(answers.map(({ status }) => status)).toContain(303);
    const charges = await loadCharges(second.id);
    expect(charges.filter(({ status }) => status === "captured")).toHaveLength(1);
  });

  it("shows what is wrong beside the fields and keeps what was typed", async () => {
    const { id, path } = await createLinkedOrder("cash");
    const page = await submitForm(path, {
      ...phoneFields(0, "typed"),
      phone_number: '"><b>12',
      provider: "",
    });
    expect(page.status).toBe(400);
    expect(page.html).toContain('value="&quot;&gt;&lt;b&gt;12" aria-invalid="true"');
    expect(page.html).toContain('aria-describedby="phone_number-error" autofocus');
    expect(page.html).toMatch(/id="phone_number-error">Enter the whole phone number/);
    expect(page.html).toMatch(/id="provider-error">Choose the network/);
    expect(page.html).toContain('value="mobile_money" checked');
    expect(page.html).toContain("<title>Error: ");
    expect(formKeyOf(page)).toBe("typed");
    const empty = await submitForm(path, {});
    expect(textOf(empty)).toContain("Choose how you want to pay.");
    expect(await loadCharges(id)).toEqual([]);
  });

  it("says why a payment was declined, and pays with another number", async () => {
    const { id, path } = await createLinkedOrder("cash");
    const declined = await submitForm(path, phoneFields(3, "first"));
    expect(declined.status).toBe(422);
    expect(textOf(declined)).toContain(
      "The payment was declined. The sandbox declines this phone number or card.",
    );
    expect(declined.html).toContain('value="0241234563"');
    expect(formKeyOf(declined)).not.toBe("first");
    expect(textOf(await openPage(path))).toContain("The last payment did not go through");
    await submitForm(path, phoneFields(0, formKeyOf(declined)));
    expect(await loadOrder(id)).toMatchObject({ payment_status: "succeeded" });
  });

  it("keeps the form's key when the provider does not answer, and charges once", async () => {
    const { id, path } = await createLinkedOrder("cash");
    const unanswered = await submitForm(path, phoneFields(4, "lost"));
    expect(unanswered.status).toBe(503);
    expect(textOf(unanswered)).toContain("The payment provider did not answer.");
    expect(formKeyOf(unanswered)).toBe("lost");
    expect((await submitForm(path, phoneFields(4, "lost"))).status).toBe(303);
    expect(await loadCharges(id)).toEqual([{ status: "captured" }]);
  });

  it("waits for the confirmation on the phone, and shows the outcome when it is asked for", async () => {
    const { id, path } = await createLinkedOrder("cash");
    await submitForm(path, phoneFields(2, "wait"));
    const waiting = await openPage(path);
    expect(textOf(waiting)).toContain("Confirm the payment on your phone.");
    expect(waiting.html).toContain(`href="${path}?check=1"`);
    expect(await loadOrder(id)).toMatchObject({ payment_status: "processing" });
    expect(textOf(await openPage(`${path}?check=1`))).toContain("Paid");
    expect(await loadOrder(id)).toMatchObject({ payment_status: "succeeded" });
  });

  it("asks the provider ten times a minute at most, however often it is loaded", async () => {
    const { id, path } = await createLinkedOrder("cash");
    await submitForm(path, phoneFields(2, "wait"));
    vi.setSystemTime(Math.ceil(Date.now() / minute) * minute);
    for (let loads = 0; loads < 10; loads += 1) await openPage(path);
    const stored = await openPage(`${path}?check=1`);
    expect([stored.status, textOf(stored)]).toEqual([
      200,
      expect.stringContaining("Confirm the payment on your phone."),
    ]);
    expect(await loadOrder(id)).toMatchObject({ payment_status: "processing" });
    vi.setSystemTime(Date.now() + minute);
    expect(textOf(await openPage(`${path}?check=1`))).toContain("Paid");
  });

  it("asks for a one-time code, and says what is wrong with it", async () => {
    const { id, path } = await createLinkedOrder("cash");
    await submitForm(path, phoneFields(1, "code"));
    const asking = await openPage(path);
    expect(asking.html).toMatch(/name="value"[^>]*autocomplete="one-time-code"/);
    const authorize = (value: string) => submitForm(`${path}/authorize`, { type: "otp", value });
    expect(textOf(await authorize(" "))).toContain("Enter the value.");
    const wrong = await authorize("000000");
    expect(wrong.status).toBe(422);
    expect(textOf(wrong)).toContain("That is not right. Tries left: 2.");
    expect(wrong.html).not.toContain("000000");
    expect((await authorize("123456")).status).toBe(303);
    expect(await loadOrder(id)).toMatchObject({ payment_status: "succeeded" });
    expect((await authorize("123456")).status).toBe(303);
  });

  it("offers another payment after the third wrong code", async () => {
    const { path } = await createLinkedOrder("cash");
    await submitForm(path, phoneFields(1, "code"));
    const authorize = () => submitForm(`${path}/authorize`, { type: "otp", value: "000000" });
    await authorize();
    await authorize();
    const failed = await authorize();
    expect(textOf(failed)).toContain("The value was wrong three times.");
    expect(failed.html).toContain('name="payment_method"');
  });

  it("sends a card to the provider's page and back", async () => {
    const { id, path } = await createLinkedOrder("cash");
    const sent = await submitForm(path, { key: "card", payment_method: "card" });
    expect(sent.headers.get("location")).toBe(`${path}?continue=1`);
    const leaving = await openPage(`${path}?continue=1`);
    const target = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(leaving.html)?.[1] ?? "";
    expect(target).toContain("/api/v1/payments/sandbox/");
    const page = await openPage(path);
    expect(page.html).toContain(`<a class="button" href="${target}">`);
    expect(page.html).not.toContain("http-equiv");
    const decided = await exports.default.fetch(`${target}/approve`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      redirect: "manual",
    });
    expect(decided.headers.get("location")).toBe(`https://duka.test${path}`);
    expect(await loadOrder(id)).toMatchObject({ payment_status: "succeeded" });
  });

  it("lets the customer pay in cash later", async () => {
    const { id, path } = await createLinkedOrder();
    await submitForm(path, { key: "cash", payment_method: "cash" });
    expect(textOf(await openPage(path))).toContain("To be paid in cash");
    expect(await loadOrder(id)).toMatchObject({
      payment_status: "pending",
      payment_method: "cash",
    });
  });

  it("is limited per order, and refuses an oversized form", async () => {
    const { id, path } = await createLinkedOrder("cash");
    const answers = [];
    for (let index = 0; index < 11; index += 1)
      answers.push(await submitForm(path, phoneFields(3, `key-${index}`)));
    expect(answers.slice(0, 10).every(({ status }) => status === 422)).toBe(true);
    expect(answers[10]?.status).toBe(429);
    expect(answers[10]?.html).toContain('value="0241234563"');
    expect(await loadCharges(id)).toHaveLength(10);
    expect((await submitForm(path, { key: "x".repeat(20_000) })).status).toBe(413);
  });
});
