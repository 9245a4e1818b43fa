import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export type Look = Readonly<{ width: number; colorScheme: "light" | "dark" }>;

/** The screens on which every page of the console must be without a fault. */
export const looks: readonly Look[] = [
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
];

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations }: AxeResults = await page.evaluate("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** What is wrong with the page that is shown: it is too wide, or axe-core objects to it. */
export async function findPageFaults(page: Page): Promise<readonly string[]> {
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return [
    ...(overflow === 0 ? [] : [`is ${overflow} px too wide`]),
    ...(await findViolations(page)),
  ];
}

/** Fills in the login that the page shows, with the code of development. */
export async function sendCode(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send a code" }).click();
  await page.getByLabel("Code").fill("123456");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}
