import type { Locator, Page } from "playwright-core";

const maxPresses = 150;

/** Moves the focus with Tab until a control has it. */
export async function focusByTab(page: Page, control: Locator): Promise<void> {
  await control.waitFor({ state: "attached" });
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${control}.`);
}

/** Presses Enter on a button or a link, once an earlier effect of it has ended. */
export async function press(page: Page, control: Locator): Promise<void> {
  await control.and(page.locator(":not([aria-disabled=true], :disabled)")).waitFor();
  await focusByTab(page, control);
  await page.keyboard.press("Enter");
}

/** Types into a field that Tab reaches. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await focusByTab(page, field);
  await page.keyboard.type(text);
}
