import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoOwner } from "../../scripts/seed/demo.ts";
import { findPageFaults, type Look, looks, sendCode } from "./console-page.ts";
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

/** Opens a browser of its own. What goes wrong in its pages is added to `faults`. */
async function openContext(
  { width, colorScheme }: Look,
  faults: string[],
  storageState?: StorageState,
): Promise<BrowserContext> {
  // The policy of the pages allows no script of a test, such as axe-core.
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    colorScheme,
    bypassCSP: true,
    ...(storageState && { storageState }),
  });
  context.on("console", (message) => {
    const { url } = message.location();
    if (message.type() === "error" && !isLoginCheck(url)) faults.push(`${url}: ${message.text()}`);
  });
  context.on("weberror", (error) => faults.push(String(error.error())));
  context.on("response", (response) => {
    const [status, url] = [response.status(), response.url()];
    if (status >= 400 && !(status === 401 && isLoginCheck(url))) faults.push(`${status} ${url}`);
  });
  return context;
}

/** The page asks first whether somebody is logged in. */
const isLoginCheck = (url: string): boolean => url.endsWith("/v1/console/me");

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

let login: Promise<StorageState> | undefined;

/** A browser that is logged in. The login is shared: an address gets five codes an hour. */
const openLoggedIn = async (look: Look, faults: string[]): Promise<BrowserContext> => {
  login ??= createLogin();
  return openContext(look, faults, await login);
};

async function createLogin(): Promise<StorageState> {
  const context = await openContext({ width: 1280, colorScheme: "light" }, []);
  await logIn(await context.newPage());
  const state = await context.storageState();
  await context.close();
  return state;
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${service.origin}/console`);
  await sendCode(page, demoOwner);
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
}

/** The addresses of all pages in the menu. */
const pagesOf = (page: Page): Promise<string[]> =>
  page
    .locator("nav[aria-label=Pages] a")
    .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute("href") ?? ""))]);

/** Opens a page, and adds what is wrong with it to `faults`. */
async function checkPage(page: Page, path: string, faults: string[]): Promise<void> {
  await page.goto(`${service.origin}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  faults.push(...(await findPageFaults(page)).map((fault) => `${path} ${fault}`));
}

/** The address of the first record of a list; null when the page shows none. */
const firstRecord = (page: Page): Promise<string | null> =>
  page
    .locator("a.row-link, .threads li a")
    .first()
    .getAttribute("href", { timeout: 100 })
    .catch(() => null);

/** The lists whose records have pages of their own. */
const lists =
  /\/(?:orders|products|collections|bundles|composites|deals|stock|services|staff|subscriptions|inbox|customers|webhooks)$/;

/** Checks lists that the first shop has no records for in the other ones, each where it has some. */
async function checkOtherShops(page: Page, emptyLists: readonly string[], faults: string[]) {
  const [first = "", ...others] = await page
    .locator("select.business option")
    .evaluateAll((options) => options.map((option) => option.getAttribute("value") ?? ""));
  for (const path of emptyLists) {
    for (const shop of others) {
      const ofShop = path.replace(first, shop);
      await page.goto(`${service.origin}${ofShop}`);
      await page.waitForLoadState("networkidle");
      const detail = await firstRecord(page);
      if (detail === null) continue;
      await checkPage(page, ofShop, faults);
      await checkPage(page, detail, faults);
      break;
    }
  }
}

describe("the console", () => {
  it.concurrent.each(looks)(
    "shows every page of a demo shop without a fault, at $width px and $colorScheme",
    async (look) => {
      const faults: string[] = [];
      const context = await openLoggedIn(look, faults);
      const page = await context.newPage();
      await page.goto(`${service.origin}/console`);
      await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
      const emptyLists: string[] = [];
      for (const path of await pagesOf(page)) {
        await checkPage(page, path, faults);
        const detail = await firstRecord(page);
        if (detail !== null) await checkPage(page, detail, faults);
        else if (lists.test(path)) emptyLists.push(path);
      }
      await checkOtherShops(page, emptyLists, faults);
      expect(faults).toEqual([]);
      await context.close();
    },
    4 * 60_000,
  );

  it("leads to the login when it has ended, and back to the same page", async () => {
    const context = await openContext({ width: 1280, colorScheme: "light" }, []);
    const page = await context.newPage();
    await logIn(page);
    await context.clearCookies();
    await page.getByRole("link", { name: "Orders", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
    await sendCode(page, demoOwner);
    await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
    await page.locator("a.row-link").first().waitFor();
    await context.close();
  });

  it("leads from the login to no other site", async () => {
    const context = await openContext({ width: 1280, colorScheme: "light" }, []);
    const page = await context.newPage();
    await page.goto(`${service.origin}/console/login?next=https://shop.example/`);
    await sendCode(page, demoOwner);
    await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
    expect(new URL(page.url()).origin).toBe(service.origin);
    await context.close();
  });

  it("books for a customer from an empty place, and moves the booking by keyboard alone", async () => {
    const faults: string[] = [];
    const context = await openLoggedIn({ width: 1280, colorScheme: "light" }, faults);
    const page = await context.newPage();
    await page.goto(`${service.origin}/console`);
    const salon = page.locator("select.business option", { hasText: "Salon" });
    const day = nextTuesday();
    const shop = await salon.first().getAttribute("value");
    await page.goto(`${service.origin}/console/${shop}/calendar?date=${day}`);

    const place = page.getByRole("button", { name: /^Book on .*, Katrin$/ });
    const { height } = (await place.boundingBox()) ?? { height: 0 };
    await place.click({ position: { x: 60, y: (height / 11) * 3.1 } }); // of the hours 8 to 19
    const form = page.getByRole("dialog", { name: "Book for a customer" });
    const time = form.getByLabel("Time").locator("option:checked");
    await expect.poll(() => time.textContent()).toMatch(/^11:00.AM/);
    await form.getByLabel("Name").fill("Efua Owusu");
    await form.getByRole("button", { name: "Book", exact: true }).click();
    await form.waitFor({ state: "detached" });
    const booking = page.getByRole("button", { name: /Efua Owusu/ });
    expect(await booking.textContent()).toMatch(/^11:00.AM/);

    await page.locator("body").press("Tab");
    await tabTo(page, booking);
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("button", { name: "Move", exact: true }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByLabel("Begins at"));
    await page.keyboard.press("ArrowUp"); // an hour later
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => booking.textContent()).toMatch(/^12:00.PM/);
    expect(await isFocused(booking)).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });
});

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Moves the focus with the Tab key until it reaches a control. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 60 && !(await isFocused(target)); presses += 1)
    await page.keyboard.press("Tab");
  expect(await isFocused(target), String(target)).toBe(true);
}

/** A Tuesday more than five weeks ahead, on which nothing is booked yet. */
function nextTuesday(): string {
  const day = new Date(Date.now() + 36 * 24 * 3_600_000);
  day.setUTCDate(day.getUTCDate() + ((9 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
}
