import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOperator, createShop } from "../end-to-end/create-shop.ts";
import { findPageFaults, looks, sendCode } from "./console-page.ts";
import type { SharedService } from "./shared-service.ts";
import { startServiceAndBrowser } from "./start-service-and-browser.ts";

let service: SharedService;
let browser: Browser;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ browser, service, stop } = await startServiceAndBrowser());
});

afterAll(async () => {
  await stop?.();
});

/** Logs in on the console's first page in a browser of its own. */
async function logIn(email: string, path = ""): Promise<Page> {
  // The policy of the pages allows no script of a test, such as axe-core.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${service.origin}/console${path}`);
  await sendCode(page, email);
  return page;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

it("leads an operator without a shop to the state of the deployment", async () => {
  const email = "operator-alone@example.com";
  await createOperator(service.origin).operators.add({ email });
  const page = await logIn(email);
  await heading(page, "Operator").waitFor();
  await page.getByRole("region", { name: "Shards" }).getByText("SHOP_1").waitFor();
  expect(new URL(page.url()).pathname).toBe("/console/operator");

  const folder = process.env.SCREENSHOTS;
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    for (const path of ["", "/account"]) {
      await page.goto(`${service.origin}/console/operator${path}`);
      await page.waitForLoadState("networkidle");
      expect(await findPageFaults(page), `${path} at ${width} px`).toEqual([]);
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/operator${path.slice(1)}-${width}.png` });
    }
  }
  await heading(page, "Your login").waitFor();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await heading(page, "Log in").waitFor();
  await page.context().close();
});

it("leads an operator from a shop to the deployment and back", async () => {
  const email = "operator-with-shop@example.com";
  const shop = await createShop(service.origin, { name: "Operator's Shop" });
  await shop.merchant.members.invite({ email, role: "viewer" });
  await createOperator(service.origin).operators.add({ email });
  const page = await logIn(email);
  await heading(page, "Today").waitFor();
  const menu = page.getByRole("complementary", { name: "Menu" });
  await menu.getByRole("link", { name: "Operator", exact: true }).click();
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("The books agree").waitFor();
  await menu.getByRole("link", { name: "Operator's Shop" }).click();
  await heading(page, "Today").waitFor();
  await page.context().close();
});

it("shows the deployment to operators alone", async () => {
  const page = await logIn("no-operator@example.com", "/operator");
  await page.getByText("This page is for operators").waitFor();
  await page.context().close();
});
