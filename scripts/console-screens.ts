import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/browser/launch-browser.ts";
import { createDevInstance, root, startService } from "../test/end-to-end/dev-process.ts";
import { openConsole, openPage } from "./console/open-console.ts";
import { type Demo, type DemoShop, parseDemo } from "./seed/demo.ts";

// Writes the pictures of docs/console.md from a service with the demo shops: `npm run console:screens`.
// With a folder as argument it writes there.

const folder = process.argv[2] ?? join(root, "docs/images/console");
const maxBytes = 120_000;

/** A page of a demo shop. With `isDetail` it is the first record of the list at this path. */
type Screen = Readonly<{
  name: string;
  shop: DemoShop["kind"];
  path: string;
  isDetail?: boolean;
}>;

const screens: readonly Screen[] = [
  { name: "today", shop: "cafe", path: "" },
  { name: "orders", shop: "cafe", path: "/orders" },
  { name: "order", shop: "clothes", path: "/orders?status=confirmed", isDetail: true },
  { name: "product", shop: "clothes", path: "/products", isDetail: true },
  { name: "stock", shop: "clothes", path: "/stock" },
  { name: "calendar", shop: "salon", path: "/calendar" },
  { name: "inbox", shop: "salon", path: "/inbox", isDetail: true },
  { name: "reports", shop: "cafe", path: "/reports" },
];
const onPhone: readonly string[] = ["today", "order"];

const instance = createDevInstance();
try {
  const service = await startService(instance);
  const browser = await launchBrowser();
  try {
    mkdirSync(folder, { recursive: true });
    const demo = parseDemo(readFileSync(join(instance.stateDir, "demo.json"), "utf8"));
    if (demo === null) throw new Error("The service has no demo shops.");
    const source = { browser, origin: service.origin, demo };
    await writeScreens(source, screens, { width: 1280, colorScheme: "light" });
    const phoneScreens = screens.filter(({ name }) => onPhone.includes(name));
    await writeScreens(source, phoneScreens, { width: 390, colorScheme: "dark" });
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  rmSync(instance.stateDir, { recursive: true, force: true });
}

async function writeScreens(
  { browser, origin, demo }: Readonly<{ browser: Browser; origin: string; demo: Demo }>,
  shown: readonly Screen[],
  look: Parameters<typeof openConsole>[2],
): Promise<void> {
  const page = await openConsole(browser, origin, look);
  for (const { name, shop: kind, path, isDetail } of shown) {
    const shop = demo.shops.find((one) => one.kind === kind);
    await openPage(page, `${origin}/console/${shop?.id}${path}`);
    if (isDetail) await openFirstRecord(page);
    const picture = await takePicture(page);
    const file = `${look.width < 600 ? `${name}-phone` : name}.webp`;
    if (picture.length > maxBytes) throw new Error(`${file} has ${picture.length} bytes.`);
    writeFileSync(join(folder, file), picture);
    console.log(`${file}, ${picture.length} bytes`);
  }
}

async function openFirstRecord(page: Page): Promise<void> {
  const link = page.locator("a.row-link, .threads li a").first();
  await openPage(page, new URL((await link.getAttribute("href")) ?? "", page.url()).href);
}

/** Takes the page as WebP, which is a third of PNG and which Playwright does not offer. */
async function takePicture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 90 });
  await session.detach();
  return Buffer.from(data, "base64");
}
