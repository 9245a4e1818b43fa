import { createRequire } from "node:module";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createShop, type EndToEndShop } from "../end-to-end/create-shop.ts";
import { kenteShirt } from "../end-to-end/request-bodies.ts";
import type { SharedService } from "./shared-service.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;
let shop: EndToEndShop;
let home: string;
let productPath: string;

beforeAll(async () => {
  ({ browser, service, stop } = await startServiceAndBrowser());
  shop = await createShop(service.origin);
  const { data: clothes } = await shop.merchant.categories.create({ name: "Clothes" });
  const { data: shirt } = await shop.merchant.products.create(kenteShirt(clothes.id));
  const { data: business } = await shop.merchant.business.get();
  home = `${service.origin}/shop/${business.slug}`;
  productPath = `${home}/products/${shirt.slug}`;
});

afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

afterAll(async () => {
  await stop?.();
});

/** Clicks a link or button that leads to another page, and waits until that page is loaded. */
async function follow(page: Page, control: Locator): Promise<void> {
  await Promise.all([page.waitForEvent("load"), control.click()]);
}

/** What axe finds, and how much wider than the window the page is. */
async function inspect(page: Page): Promise<unknown> {
  await page.addScriptTag({ path: axePath });
  return page.evaluate(async () => {
    const { axe } = Object(globalThis);
    const { violations } = await axe.run();
    return {
      findings: violations.map(({ id }: { id: string }) => id),
      overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    };
  });
}

const clean = { findings: [], overflow: 0 };

const looks = [
  [390, "dark"],
  [1_280, "light"],
] as const;

/** Moves on with the tabulator until the element with this text or label has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : "";
      return `${element?.textContent} ${label} ${element?.getAttribute("aria-label")}`;
    });
    if (focused.includes(name)) return;
  }
  throw new Error(`The focus never reached ${name}.`);
}

describe("the pages of a shop", () => {
  it("sell by keyboard alone, without scripts and without a blocked resource", async () => {
    const context = await browser.newContext({ javaScriptEnabled: true, colorScheme: "dark" });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await page.goto(productPath);
    expect(await page.locator("script:not([type='application/ld+json'])").count()).toBe(0);
    await tabTo(page, "Add to cart");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/cart\?added=/);
    await tabTo(page, "Go to checkout");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/checkout$/);
    await tabTo(page, "Name");
    await page.keyboard.type("Ama Serwaa");
    await tabTo(page, "E-mail address");
    await page.keyboard.type("ama@example.com");
    await tabTo(page, "Cash");
    await page.keyboard.press("Space");
    await tabTo(page, "Place order");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/orders\/ord_/);
    expect(await page.locator(".state").textContent()).toBe("Received");
    expect(problems).toEqual([]);
  });

  it("let a customer log in and change the account by keyboard, in both looks", async () => {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${home}/account?next=profile`);
    await tabTo(page, "E-mail address or phone number");
    await page.keyboard.type("abena@example.com");
    await page.keyboard.press("Enter");
    await page.getByLabel("Code", { exact: true }).waitFor();
    await tabTo(page, "Code");
    await page.keyboard.type("123456");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/account\/profile$/);
    await tabTo(page, "Name");
    await page.keyboard.type("Abena");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?saved=1$/);
    for (const section of ["", "/bookings", "/subscriptions", "/profile"]) {
      await page.goto(`${home}/account${section}`);
      for (const [width, colorScheme] of looks) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await inspect(page), `${section} ${width} ${colorScheme}`).toEqual(clean);
      }
    }
  });

  it.each([
    { width: 390, colorScheme: "dark" },
    { width: 1_280, colorScheme: "light" },
  ] as const)(
    "have no finding of axe at $width pixels, $colorScheme",
    async ({ width, colorScheme }) => {
      const viewport = { width, height: 844 };
      // The policy of the pages would block axe itself.
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      const lists = ["search?q=kente", "collections", "plans", "products/none"];
      for (const path of [home, ...lists.map((list) => `${home}/${list}`)]) {
        await page.goto(path);
        expect(await inspect(page), path).toEqual(clean);
      }
      await page.goto(productPath);
      expect(await inspect(page)).toEqual(clean);
      await follow(page, page.getByRole("button", { name: "Add to cart" }));
      expect(await inspect(page)).toEqual(clean);
      await follow(page, page.getByRole("link", { name: "Go to checkout" }));
      expect(await inspect(page)).toEqual(clean);
      await page.getByLabel("Name", { exact: true }).fill("Ama");
      await page.getByRole("radio", { name: "Cash" }).check();
      await page.getByRole("button", { name: "Place order" }).click();
      expect(await page.getByLabel("E-mail address").getAttribute("aria-invalid")).toBe("true");
      expect(await inspect(page)).toEqual(clean);
      await page.getByLabel("E-mail address").fill("ama@example.com");
      await page.getByRole("button", { name: "Place order" }).click();
      await page.waitForURL(/\/orders\/ord_/);
      expect(await inspect(page)).toEqual(clean);
      await follow(page, page.getByRole("link", { name: "Receipt to print" }));
      expect(await inspect(page)).toEqual(clean);
      await page.goto(service.origin);
      expect(await inspect(page)).toEqual(clean);
    },
  );
});
