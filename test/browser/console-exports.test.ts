import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createShop, type EndToEndShop } from "../end-to-end/create-shop.ts";
import { sheaSoap } from "../end-to-end/request-bodies.ts";
import { findPageFaults, looks, sendCode } from "./console-page.ts";
import type { SharedService } from "./shared-service.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

const owner = "exports-owner@example.com";
const manager = "exports-manager@example.com";

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;
let shop: EndToEndShop;
let emptyShop: EndToEndShop;

beforeAll(async () => {
  ({ browser, service, stop } = await startServiceAndBrowser());
  [shop, emptyShop] = await Promise.all([
    createShop(service.origin, { name: "Full Shop" }),
    createShop(service.origin, { name: "Empty Shop", currency: "KES" }),
  ]);
  await shop.merchant.products.create(sheaSoap);
  await shop.merchant.members.invite({ email: manager, role: "manager" });
  for (const { merchant } of [shop, emptyShop])
    await merchant.members.invite({ email: owner, role: "owner" });
});

afterAll(async () => {
  await stop?.();
});

const pageOf = ({ id }: EndToEndShop) => `${service.origin}/console/${id}/settings/exports`;

async function logIn(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(pageOf(shop));
  await sendCode(page, email);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  return page;
}

/** Chooses a file for the shop of the page, and confirms the import. */
async function importFile(page: Page, content: string) {
  const chosen = { name: "shop.jsonl", mimeType: "", buffer: Buffer.from(content) };
  await page.locator("input[type=file]").setInputFiles(chosen);
  const dialog = page.getByRole("dialog", { name: "Import shop.jsonl" });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  return dialog;
}

it("exports a shop into a file, and imports the file into an empty shop alone", async () => {
  // The policy of the pages allows no script of a test, such as axe-core.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await logIn(context, owner);
  await page.getByText("No exports in the last 7 days").waitFor();
  await page.getByRole("button", { name: "Export everything" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Download the file of/ }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toContain(sheaSoap.name);
  expect((await download).suggestedFilename()).toMatch(/\.jsonl$/);

  const refusal = await importFile(page, file);
  await refusal.getByText("This shop is not empty").waitFor();
  await refusal.getByRole("button", { name: "Back" }).click();

  await page.goto(pageOf(emptyShop));
  const cut = await importFile(page, file.slice(0, -20));
  await cut.getByText("The last line of the export is missing").waitFor();
  await cut.getByRole("button", { name: "Back" }).click();
  await importFile(page, file.replace('"default_price_minor":2488', '"default_price_minor":"x"'));
  await page.getByText(/^Line \d+ of the file: products\.default_price_minor/).waitFor();
  await importFile(page, file);
  await page.getByRole("status").getByText("Completed").waitFor();
  const [product] = (await emptyShop.merchant.products.list().page()).items;
  expect(product).toMatchObject({ name: sheaSoap.name, default_price: "24.88" });
  const { data: business } = await emptyShop.merchant.business.get();
  expect(business).toMatchObject({ name: "Empty Shop", currency: "GHS" });

  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    for (const path of [pageOf(shop), page.url()]) {
      await page.goto(path);
      await page.waitForLoadState("networkidle");
      expect(await findPageFaults(page), `${path} at ${width} px`).toEqual([]);
      await takePicture(page, `exports-${width}-${path.includes(shop.id) ? "full" : "imported"}`);
    }
  }
  await context.close();
});

it("shows the page to owners alone", async () => {
  const context = await browser.newContext();
  const page = await logIn(context, manager);
  await page.getByText("This page is for owners").waitFor();
  const tabs = page.getByRole("navigation", { name: "Settings" });
  await tabs.getByRole("link", { name: "Domains" }).waitFor();
  expect(await tabs.getByRole("link", { name: "Export and import" }).count()).toBe(0);
  await context.close();
});

/** Stores what the page looks like in the folder of SCREENSHOTS, when that is set. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
