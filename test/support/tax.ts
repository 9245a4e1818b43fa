import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { Settings } from "../../shared/businesses/index.ts";
import type { contextFor } from "./world.ts";

/** Gives a business its tax, and lets what isolates remember of it grow old. */
export async function givenTax(
  { business }: Parameters<typeof contextFor>[0],
  tax: Settings["tax"],
): Promise<void> {
  await env.CORE.prepare("update businesses set settings = ? where id = ?")
    .bind(JSON.stringify({ ...business.settings, tax }), business.id)
    .run();
  vi.setSystemTime(Date.now() + 6_000);
}
