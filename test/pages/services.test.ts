import { beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createRecord, createService, openLocation } from "../scheduling/create-service.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";
import { createBrowser, linkOf, type OpenPage, textOf } from "./browse.ts";

const now = Date.parse("2030-05-01T12:00:00Z");
const contact = { name: "Ama Serwaa", email: "ama@example.com", payment_method: "cash" };
const at = (time: string) => ({ slot: `2030-05-04T${time}:00.000Z` });

let shop: CreatedBusiness;
let home: string;

beforeEach(async () => {
  vi.setSystemTime(now);
  shop = await createBusiness({ name: "Corner salon" });
  home = `/shop/${shop.business.slug}`;
  await openLocation(shop);
  await createService(shop, { cancellation_notice_minutes: 60 });
});

/** The page of the service's times on a Saturday, as its links lead there. */
async function openSaturday(browser = createBrowser()) {
  const list = await browser.open(linkOf(await browser.open(home), "All services"));
  const page = await browser.open(linkOf(list, "Massage"));
  return { browser, page: await browser.open(linkOf(page, "4 May")) };
}

async function book(time: string, browser = createBrowser()) {
  const { page } = await openSaturday(browser);
  return { browser, cart: await browser.press(page, "Add to cart", { fields: at(time) }) };
}

async function order(time: string) {
  const { browser } = await book(time);
  const checkout = await browser.open(`${home}/checkout`);
  return { browser, placed: await browser.press(checkout, "Place order", { fields: contact }) };
}

const bookingOf = (page: OpenPage) => linkOf(page, "Move or cancel");

it("sells a time to a browser without scripts, and is paid at the appointment", async () => {
  const { browser, page } = await openSaturday();
  expect(textOf(page)).toContain("1 h");
  const none = await browser.press(page, "Add to cart");
  expect(none).toMatchObject({ status: 400, html: expect.stringContaining('id="slot-error"') });
  const cart = await browser.press(page, "Add to cart", { fields: at("10:00") });
  expect(textOf(cart)).toContain("Sat, 4 May 2030, 10:00 am to 11:00 am Held until 12:10 pm");
  const checkout = await browser.open(`${home}/checkout`);
  expect(textOf(checkout)).toContain("Held until 12:10 pm");
  expect(textOf(checkout)).not.toContain("Street and house number");
  const placed = await browser.press(checkout, "Place order", { fields: contact });
  expect(textOf(placed)).toContain("Your booking");
  expect(textOf(placed)).toContain("Sat, 4 May 2030, 10:00 am to 11:00 am");
  expect(textOf(placed)).toContain("You pay GH₵80.00 in cash at your appointment.");
  const receipt = await browser.open(linkOf(placed, "Receipt"));
  expect(textOf(receipt)).toContain("10:00 am to 11:00 am");
});

it("leads from a full week to the next free day, and says when there is none", async () => {
  const later = { booking_window_days: 30, min_notice_minutes: 9 * 24 * 60, name: "Later" };
  const id = dataOf(await merchant(shop)("GET", `/services/${await createService(shop, later)}`));
  const browser = createBrowser();
  const empty = await browser.open(`${home}/services/${id.product_id}`);
  expect(textOf(empty)).toContain("Nothing is free in this week.");
  const next = await browser.open(linkOf(empty, "Next free day"));
  expect(textOf(next)).toContain("8 free");
  expect(textOf(await browser.open(linkOf(next, "Earlier")))).toContain("none free");
  const closed = { booking_window_days: 5, min_notice_minutes: 9 * 24 * 60, name: "Closed" };
  const never = dataOf(
    await merchant(shop)("GET", `/services/${await createService(shop, closed)}`),
  );
  const nothing = await browser.open(`${home}/services/${never.product_id}`);
  expect(textOf(nothing)).toContain("Nothing is free in these days.");
});

it("says that a time has just been taken, and offers the others", async () => {
  const { browser, page } = await openSaturday();
  await book("10:00");
  const refused = await browser.press(page, "Add to cart", { fields: at("10:00") });
  expect(refused.status).toBe(422);
  expect(textOf(refused)).toContain("Somebody has just taken this time. Choose another one.");
  const cart = await browser.press(refused, "Add to cart", { fields: at("11:00") });
  expect(textOf(cart)).toContain("11:00 am to 12:00 pm");
});

it("says that a hold has ended, and leads back to the times", async () => {
  const { browser } = await book("10:00");
  vi.setSystemTime(now + 11 * 60_000);
  for (const path of [`${home}/cart`, `${home}/checkout`])
    expect(textOf(await browser.open(path))).toContain("the time is no longer held for you");
  await book("10:00");
  const checkout = await browser.open(`${home}/checkout`);
  const refused = await browser.press(checkout, "Place order", { fields: contact });
  expect(textOf(refused)).toContain("A time in your order is no longer free.");
  const times = await browser.open(linkOf(refused, "choose a time again"));
  const saturday = await browser.open(linkOf(times, "4 May"));
  const cart = await browser.press(saturday, "Change the time", { fields: at("13:00") });
  expect(textOf(cart)).toContain("1:00 pm to 2:00 pm Held until");
  expect(textOf(cart)).not.toContain("10:00 am");
});

it("books a chosen person, variant and option", async () => {
  const ama = await createRecord(shop, "/staff", { name: "Ama" });
  const kofi = await createRecord(shop, "/staff", { name: "Kofi" });
  const long = await createService(shop, {
    name: "Braids",
    staff_ids: [ama, kofi],
    variants: [
      { name: "Short", axis_values: {}, is_default: true },
      { name: "Long", axis_values: {}, price_adjustment: "20", duration_minutes: 120 },
    ],
  });
  const { product_id: product } = dataOf(await merchant(shop)("GET", `/services/${long}`));
  const browser = createBrowser();
  const first = await browser.open(`${home}/services/${product}`);
  const variant = /name="variant" value="([^"]+)"[^>]*><span>Long/.exec(first.html)?.[1] ?? "";
  const query = new URLSearchParams({ variant, staff: kofi, day: "2030-05-04" });
  const page = await browser.open(`${first.path.replace(product, "braids")}?${query}`);
  expect(textOf(page)).toContain("2 h");
  const cart = await browser.press(page, "Add to cart", { fields: at("10:00") });
  expect(textOf(cart)).toContain("Long");
  expect(textOf(cart)).toContain("10:00 am to 12:00 pm");
  const checkout = await browser.open(`${home}/checkout`);
  const placed = await browser.press(checkout, "Place order", { fields: contact });
  expect(textOf(placed)).toContain("With Kofi");
  const [booking] = dataOf(await merchant(shop)("GET", "/bookings?limit=5")).items;
  expect(booking).toMatchObject({ staff_id: kofi, variant_id: variant });
});

it("moves a booking on its order's page, and cancels it", async () => {
  const { browser, placed } = await order("10:00");
  const page = await browser.open(bookingOf(placed));
  const saturday = await browser.open(linkOf(page, "4 May"));
  const none = await browser.press(saturday, "Move to this time");
  expect(textOf(none)).toContain("Choose a time.");
  const moved = await browser.press(saturday, "Move to this time", { fields: at("15:00") });
  expect(textOf(moved)).toContain("3:00 pm to 4:00 pm");
  const again = await browser.open(bookingOf(moved));
  expect(textOf(await browser.press(again, "Cancel this booking"))).toContain("Cancelled.");
});

it("says when it is too late to change a booking", async () => {
  const { browser, placed } = await order("10:00");
  const page = await browser.open(bookingOf(placed));
  vi.setSystemTime(Date.parse("2030-05-04T09:30:00Z"));
  const refused = await browser.press(page, "Cancel this booking");
  expect(refused.status).toBe(422);
  expect(textOf(refused)).toContain("It is too late to change this booking here.");
  expect(refused.html).not.toContain("Cancel this booking");
});

it("asks for a login where the service needs a verified contact, and refuses foreign bookings", async () => {
  const strict = await createService(shop, {
    name: "Consultation",
    require_verified_contact: true,
  });
  const { product_id: product } = dataOf(await merchant(shop)("GET", `/services/${strict}`));
  const browser = createBrowser();
  const page = await browser.open(`${home}/services/${product}`);
  expect(textOf(page)).toContain("Log in and come back");
  expect(page.html).not.toContain("Add to cart");
  const { placed } = await order("10:00");
  const { placed: other } = await order("11:00");
  const foreign = bookingOf(placed).replace(/\?.*/, other.path.replace(/^[^?]*/, ""));
  expect((await browser.open(foreign)).status).toBe(404);
});

it("escapes hostile names, and takes no form of another site", async () => {
  const hostile = `"'><script>alert(1)</script>`;
  const staff = await createRecord(shop, "/staff", { name: `Ama ${hostile}` });
  const other = await createRecord(shop, "/staff", { name: `Kofi ${hostile}` });
  await createService(shop, { name: `Cut ${hostile}`, staff_ids: [staff, other] });
  const browser = createBrowser();
  const list = await browser.open(`${home}/services`);
  const page = await browser.open(linkOf(list, "Cut "));
  const saturday = await browser.open(linkOf(page, "4 May"));
  const cart = await browser.press(saturday, "Add to cart", { fields: at("10:00") });
  const checkout = await browser.open(`${home}/checkout`);
  const placed = await browser.press(checkout, "Place order", { fields: contact });
  const booking = await browser.open(bookingOf(placed));
  for (const { html } of [list, page, saturday, cart, checkout, placed, booking])
    expect(html).not.toMatch(/<script>|"'>/);
  const headers = { Origin: "https://elsewhere.example" };
  for (const [shown, button] of [
    [saturday, "Add to cart"],
    [booking, "Cancel this booking"],
  ] as const)
    expect((await browser.press(shown, button, { headers })).status).toBe(403);
});
