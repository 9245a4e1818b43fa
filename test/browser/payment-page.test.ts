import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createShop, type EndToEndShop } from "../end-to-end/create-shop.ts";
import { cashCheckout, kenteShirt } from "../end-to-end/request-bodies.ts";
import type { SharedService } from "./shared-service.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;
let shop: EndToEndShop;
let shirtId: string;

beforeAll(async () => {
  ({ browser, service, stop } = await startServiceAndBrowser());
  shop = await createShop(service.origin);
  const { data: clothes } = await shop.merchant.categories.create({ name: "Clothes" });
  shirtId = (await shop.merchant.products.create(kenteShirt(clothes.id))).data.id;
});

afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

afterAll(async () => {
  await stop?.();
});

async function createPaymentUrl(): Promise<string> {
  const { cart, checkout } = shop.shopper();
  const { data: filled } = await cart.addItem({ item_id: shirtId, quantity: 2 });
  const { data: order } = await checkout.placeOrder(cashCheckout(filled.id));
  return (await shop.merchant.orders.createPaymentLink(order.order_id)).data.url;
}

type Look = Readonly<{ width?: number; theme?: "light" | "dark" }>;

/** Opens a page in a browser without scripts, and records what its policy blocks. */
async function openWithoutScripts(url: string, { width = 390, theme = "light" }: Look = {}) {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width, height: 800 },
    colorScheme: theme,
  });
  const page = await context.newPage();
  const violations: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) violations.push(message.text());
  });
  await page.goto(url);
  return { page, violations };
}

const payByPhone = async (page: Page, phone: string) => {
  await page.getByRole("radio", { name: "Mobile money" }).check();
  await page.getByLabel("Mobile money number").fill(phone);
  await page.getByLabel("Network").selectOption("MTN");
  await page.getByRole("button", { name: "Pay GH₵240.00" }).click();
};

describe("the page of a payment link", () => {
  it("pays by keyboard alone, after a declined attempt, without scripts", async () => {
    const { page, violations } = await openWithoutScripts(await createPaymentUrl());
    await page.getByRole("radio", { name: "Mobile money" }).focus();
    expect(await page.getByRole("radio", { name: "Mobile money" }).isChecked()).toBe(true);
    await page.keyboard.press("Tab");
    await page.keyboard.type("0241234563");
    await page.keyboard.press("Tab");
    await page.keyboard.type("MTN");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("Nothing was paid.");
    expect(await page.getByLabel("Mobile money number").inputValue()).toBe("0241234563");
    await page.getByLabel("Mobile money number").fill("0241234560");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("status").textContent()).toContain("Thank you.");
    expect(violations).toEqual([]);
  });

  it("puts the focus on the first wrong field", async () => {
    const { page } = await openWithoutScripts(await createPaymentUrl());
    await page.getByRole("button", { name: "Pay GH₵240.00" }).click();
    const phone = page.getByLabel("Mobile money number");
    expect(await phone.getAttribute("aria-invalid")).toBe("true");
    await page.keyboard.type("0241234560");
    expect(await phone.inputValue()).toBe("0241234560");
  });

  it("asks for a phone number only for mobile money", async () => {
    const { page } = await openWithoutScripts(await createPaymentUrl());
    expect(await page.getByLabel("Mobile money number").isVisible()).toBe(true);
    await page.getByRole("radio", { name: "Card" }).check();
    expect(await page.getByLabel("Mobile money number").isVisible()).toBe(false);
    await page.getByRole("radio", { name: "Mobile money" }).check();
    expect(await page.getByRole("button", { name: "Pay GH₵240.00" }).isVisible()).toBe(true);
  });

  it("goes to the provider's page for a card, and comes back paid", async () => {
    const { page, violations } = await openWithoutScripts(await createPaymentUrl());
    await page.getByRole("radio", { name: "Card" }).check();
    await page.getByRole("button", { name: "Pay GH₵240.00" }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.waitForURL(/\/pay\//);
    expect(await page.getByRole("status").textContent()).toContain("Thank you.");
    expect(violations).toEqual([]);
  });

  it("waits for the confirmation on the phone", async () => {
    const { page } = await openWithoutScripts(await createPaymentUrl());
    await payByPhone(page, "0241234562");
    expect(await page.getByRole("status").textContent()).toContain("Confirm the payment");
    await page.getByRole("link", { name: "I have confirmed it" }).click();
    expect(await page.getByRole("status").textContent()).toContain("Thank you.");
  });

  it("fits a phone and a desktop in both themes", async () => {
    const url = await createPaymentUrl();
    for (const width of [390, 1_280]) {
      for (const theme of ["light", "dark"] as const) {
        const context = await browser.newContext({
          viewport: { width, height: 800 },
          colorScheme: theme,
        });
        const page = await context.newPage();
        await page.goto(url);
        const { overflow, background } = await page.evaluate(() => ({
          overflow: document.documentElement.scrollWidth - innerWidth,
          background: getComputedStyle(document.body).backgroundColor,
        }));
        expect(overflow).toBeLessThanOrEqual(0);
        expect(background).toBe(theme === "light" ? "rgb(250, 249, 246)" : "rgb(22, 24, 23)");
      }
    }
  });
});
