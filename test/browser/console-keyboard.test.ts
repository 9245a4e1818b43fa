import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createShop, type EndToEndShop } from "../end-to-end/create-shop.ts";
import { cashCheckout, sheaSoap } from "../end-to-end/request-bodies.ts";
import { focusByTab, press, type } from "./keyboard.ts";
import type { SharedService } from "./shared-service.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

const manager = "keyboard@example.com";
/** The smallest PNG: one transparent pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;
let shop: EndToEndShop;
let soapId: string;
let buyer: ReturnType<EndToEndShop["shopper"]>;
let page: Page;

beforeAll(async () => {
  ({ browser, service, stop } = await startServiceAndBrowser());
  shop = await createShop(service.origin);
  await shop.merchant.members.invite({ email: manager, role: "manager" });
  soapId = (await shop.merchant.products.create(sheaSoap)).data.id;
  await shop.merchant.inventory.setStockLevel(soapId, shop.locationId, { quantity_on_hand: 20 });
  buyer = shop.shopper();
  await buyer.support.open();
  await buyer.support.sendMessage({ client_id: "silk", content: "Is the scarf silk?" });
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } });
  page = await context.newPage();
  await logInByKeyboard();
});

afterAll(async () => {
  await stop?.();
});

// A test that uses the mouse by accident finds nothing under it.
beforeEach(() => page.mouse.move(0, 0));

async function logInByKeyboard(): Promise<void> {
  await page.goto(`${service.origin}/console`);
  await type(page, page.getByLabel("E-mail address"), manager);
  await page.keyboard.press("Enter");
  await type(page, page.getByLabel("Code"), "123456");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
}

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");

/** Places an order of two soaps, and opens it from the list. */
async function openOrder(orderType: "pickup" | "delivery"): Promise<string> {
  const { cart, checkout } = shop.shopper();
  const { data: filled } = await cart.addItem({ item_id: soapId, quantity: 2 });
  const { data: placed } = await checkout.placeOrder({
    ...cashCheckout(filled.id),
    order_type: orderType,
    ...(orderType === "delivery" && { address: { line1: "1 Ring Road", city: "Accra" } }),
  });
  await press(page, page.getByRole("link", { name: "Orders", exact: true }));
  await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
  await press(page, button("Skip the menu"));
  await press(page, page.getByRole("link", { name: placed.order_number }));
  await page.getByRole("heading", { level: 1, name: placed.order_number }).waitFor();
  return placed.order_id;
}

const readOrder = async (id: string) => (await shop.merchant.orders.get(id)).data;

it("ships an order and completes it by keyboard", async () => {
  const id = await openOrder("delivery");
  await press(page, button("Mark confirmed"));
  await press(page, button("Ship items"));
  await type(page, dialog().getByLabel("Carrier"), "Ghana Post");
  await page.keyboard.press("Enter");
  await page.getByText("Ghana Post", { exact: true }).waitFor();
  for (const name of ["Mark preparing", "Mark ready", "Mark completed"]) {
    await press(page, button(name));
  }
  await page.getByText("The order is completed.").waitFor();
  expect(await readOrder(id)).toMatchObject({
    status: "completed",
    shipments: [{ carrier: "Ghana Post", status: "shipped" }],
  });
});

it("refunds an order by keyboard", async () => {
  const id = await openOrder("pickup");
  await press(page, button("Mark as paid"));
  await focusByTab(page, dialog().getByRole("button", { name: "Mark as paid" }));
  await page.keyboard.press("Enter");
  await press(page, button("Refund"));
  await type(page, dialog().getByLabel("Amount (GHS)"), "4.88");
  await type(page, dialog().getByLabel("Reason"), "Broken");
  await focusByTab(page, dialog().getByLabel("Put the items back into stock"));
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog().count()).toBe(0);
  await press(page, button("Refund"));
  await type(page, dialog().getByLabel("Amount (GHS)"), "4.88");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await readOrder(id)).payment.refunds, { timeout: 10_000 })
    .toMatchObject([{ amount: "4.88", status: "refunded" }]);
});

it("adds a product with variants and images, and orders the images, by keyboard", async () => {
  await press(page, page.getByRole("link", { name: "Products", exact: true }));
  await press(page, button("New product"));
  await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
  await type(page, page.getByLabel("Name", { exact: true }), "Batik scarf");
  const chooser = page.waitForEvent("filechooser");
  await press(page, button("Add images"));
  await (await chooser).setFiles(
    ["front.png", "back.png"].map((name) => ({ name, mimeType: "image/png", buffer: png })),
  );
  await type(page, page.getByLabel("Price (GHS)", { exact: true }), "45");
  await press(page, button("Options"));
  await type(page, dialog().getByLabel("Option", { exact: true }), "Size");
  await type(page, dialog().getByLabel("Value 1 of Size"), "Small");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Large");
  await press(page, dialog().getByRole("button", { name: "Apply" }));
  await press(page, button("Create product"));
  await page.getByRole("heading", { level: 1, name: "Batik scarf" }).waitFor();

  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const read = async () => (await shop.merchant.products.get(id)).data;
  const before = await read();
  expect(before).toMatchObject({ name: "Batik scarf", default_price: "45.00" });
  expect(before.variants.map(({ name }) => name)).toEqual(["Small", "Large"]);
  const [front, back] = before.images;
  await press(page, button("Move image 1 back"));
  await page.getByText("The image is now number 2.").waitFor();
  expect((await read()).images).toEqual([back, front]);
});

it("answers a chat by keyboard", async () => {
  await press(page, page.getByRole("link", { name: /^Inbox/ }));
  await press(page, page.getByRole("link", { name: /^Guest/ }));
  await page.getByText("Is the scarf silk?").waitFor();
  await type(page, page.getByLabel("Message", { exact: true }), "It is cotton.");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await buyer.support.listMessages()).data.map(({ content }) => content))
    .toContain("It is cotton.");
});
