import type { Browser, Page } from "playwright-core";
import { demoOwner } from "../seed/demo.ts";

type ConsoleLook = Readonly<{ width: number; colorScheme: "light" | "dark" }>;

/** Opens the console of the service's demo shops as their owner, in a browser of its own. */
export async function openConsole(
  browser: Browser,
  origin: string,
  { width, colorScheme }: ConsoleLook,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  const page = await context.newPage();
  await page.goto(`${origin}/console`);
  await page.getByLabel("E-mail address").fill(demoOwner);
  await page.getByRole("button", { name: "Send a code" }).click();
  await page.getByLabel("Code").fill("123456");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  return page;
}

/** Opens a page of the console, and waits until it shows what it has requested. */
export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
}
