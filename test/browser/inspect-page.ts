import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const looks = [
  [390, "dark"],
  [1_280, "light"],
] as const;

/** Expects no finding of axe and no overflow, on a phone in the dark and on a desktop in the light. */
export async function expectCleanPage(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 844 });
    // Without it axe may see a colour in its transition from one scheme to the other.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.addScriptTag({ path: axePath });
    const found = await page.evaluate(async () => {
      const { axe } = Object(globalThis);
      const { violations } = await axe.run();
      return {
        findings: violations.map(({ id }: { id: string }) => id),
        overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      };
    });
    expect(found, `${name} ${width} ${colorScheme}`).toEqual({ findings: [], overflow: 0 });
  }
}
