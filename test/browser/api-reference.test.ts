import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parseDemo } from "../../scripts/seed/demo.ts";
import type { SharedService } from "./shared-service.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ browser, service, stop } = await startServiceAndBrowser());
});

afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

afterAll(async () => {
  await stop?.();
});

type Look = Readonly<{ width?: number; colorScheme?: "light" | "dark" }>;

/** Opens the reference of an API and waits for an operation of it. */
async function openReference(
  operation: string,
  { width = 1280, colorScheme = "light", hash = "" }: Look & Readonly<{ hash?: string }> = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  context.setDefaultTimeout(60_000); // a page has up to 136 operations
  const page = await context.newPage();
  await page.goto(`${service.origin}/docs${hash}`);
  await page.locator(operation).waitFor();
  return page;
}

/** Sends an operation's request as it is filled in, and returns the response's text. */
async function tryOut(page: Page, operation: string): Promise<string> {
  const block = page.locator(operation);
  await block.getByRole("button").first().click();
  await block.getByRole("button", { name: "Execute" }).click();
  const response = block.locator(".live-responses-table");
  await response.waitFor();
  return (await response.textContent()) ?? "";
}

const listProducts = "#operations-Products-listProducts";

describe("/docs in development", () => {
  it("sends requests with the keys of the demo shop that is chosen", async () => {
    const demo = parseDemo(readFileSync(join(service.stateDir, "demo.json"), "utf8"));
    const page = await openReference(listProducts);
    await page.getByText(demo?.shops[0]?.keys.secret ?? "none").waitFor();
    await page.getByLabel("Requests carry the keys of").selectOption("Matembezi");
    await page.getByText(demo?.shops[1]?.keys.secret ?? "none").waitFor();
    expect(await tryOut(page, listProducts)).toContain("Canvas Tote");
  });

  it("fills in the business that the secret key serves", async () => {
    const page = await openReference(listProducts, { hash: "#business" });
    expect(await tryOut(page, listProducts)).toContain("Build a Bowl");
  });

  it("shows recorded bodies, and the sections by group, also those of a filter", async () => {
    const page = await openReference("#operations-Webhooks-createWebhook");
    const groups = page.locator("h2.group");
    const names = ["Catalogue", "Scheduling", "Sale", "Shopper", "Administration"];
    expect(await groups.allTextContents()).toEqual(names);
    const addItem = page.locator("#operations-Cart-addCartItem");
    await addItem.getByRole("button").first().click();
    await addItem.getByText('"item_count"').first().waitFor();
    await page.getByPlaceholder("Filter by tag or path").fill("Orders");
    await page.locator("#operations-Cart-addCartItem").waitFor({ state: "detached" });
    expect(await groups.allTextContents()).toEqual(["Sale"]);
  });

  it.each([
    { width: 390, colorScheme: "light" },
    { width: 1280, colorScheme: "dark" },
  ] as const)("fits a $colorScheme page of $width px", async (look) => {
    const page = await openReference(listProducts, look);
    const lines = await page
      .locator("#apis a")
      .evaluateAll((links) => [...new Set(links.map((link) => link.getBoundingClientRect().top))]);
    expect(lines).toHaveLength(1);
    const { scrollWidth, background } = await page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      background: getComputedStyle(document.body).backgroundColor,
    }));
    expect(scrollWidth).toBe(look.width);
    expect(background).toBe(look.colorScheme === "dark" ? "rgb(28, 32, 34)" : "rgb(255, 253, 249)");
  });
});
