import { rmSync } from "node:fs";
import type { CDPSession, Page, Response } from "playwright-core";
import { openConsole, openPage } from "../scripts/console/open-console.ts";
import { launchBrowser } from "../test/browser/launch-browser.ts";
import { createDevInstance, startService } from "../test/end-to-end/dev-process.ts";
import { growOrders } from "./console/grow-orders.ts";
import { formatTable } from "./format-table.ts";

// Measures how long Chromium scripts for the pages of orders in a shop with many, and how long the
// API takes for what they request: `node bench/console.ts`. BENCH_ORDERS sets their number.

const orderCount = Number(process.env.BENCH_ORDERS ?? 100_000);
const repeats = 5;

type Times = Readonly<{ scriptMs: number; apiMs: number }>;

const instance = createDevInstance();
try {
  const seeded = await startService(instance);
  await seeded.stop();
  const shopId = growOrders(instance.stateDir, orderCount);
  const service = await startService(instance);
  const browser = await launchBrowser();
  try {
    const page = await openConsole(browser, service.origin, { width: 1280, colorScheme: "light" });
    const rows = await measurePages(page, `${service.origin}/console/${shopId}/orders`);
    console.log(`${orderCount} orders, in milliseconds, the median of ${repeats}`);
    console.log(formatTable(["page", "scripting", "API"], rows));
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  rmSync(instance.stateDir, { recursive: true, force: true });
}

/** Opens each page several times. Returns its name, the time of scripts, and that of the API. */
async function measurePages(page: Page, list: string): Promise<string[][]> {
  const metrics = await page.context().newCDPSession(page);
  await metrics.send("Performance.enable");
  const rows: string[][] = [];
  const queries = {
    "list, first page": "",
    "list, one status": "?status=completed",
    "list, status and payment": "?status=completed&payment_status=captured",
    "list, one month": "?from=2026-01-01&to=2026-01-31",
    "search for a number": "?search=1001",
    "search for a name of thousands": "?search=a",
    "search without a result": "?search=zzzz",
  };
  const order = await firstOrder(page, list);
  const addresses = {
    ...Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, list + query])),
    "one order": order,
  };
  for (const [name, address] of Object.entries(addresses)) {
    const times: Times[] = [];
    for (let run = 0; run < repeats; run += 1) {
      times.push(await timesOf(page, metrics, () => openPage(page, address)));
    }
    rows.push([name, median(times, "scriptMs"), median(times, "apiMs")]);
  }
  return rows;
}

async function firstOrder(page: Page, list: string): Promise<string> {
  await openPage(page, list);
  const path = await page.locator("a.row-link").first().getAttribute("href");
  return new URL(path ?? "", list).href;
}

/** The times of a page that `open` loads. Chromium counts from the beginning of its document. */
async function timesOf(page: Page, metrics: CDPSession, open: () => Promise<void>): Promise<Times> {
  const responses: Response[] = [];
  const record = (response: Response) => {
    if (/\/v1\/businesses\/[^/]+\/orders/.test(response.url())) responses.push(response);
  };
  page.on("response", record);
  await open();
  page.off("response", record);
  const requests = responses.map((response) => {
    const { requestStart, responseEnd } = response.request().timing();
    return responseEnd - requestStart;
  });
  const { metrics: values } = await metrics.send("Performance.getMetrics");
  const seconds = values.find(({ name }) => name === "ScriptDuration")?.value ?? 0;
  return { scriptMs: seconds * 1_000, apiMs: Math.max(0, ...requests) };
}

function median(times: readonly Times[], field: keyof Times): string {
  const sorted = times.map((one) => one[field]).toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(0);
}
