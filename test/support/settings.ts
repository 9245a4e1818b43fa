import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { Settings } from "../../shared/businesses/index.ts";
import { second } from "../../shared/kernel/index.ts";
import type { TestBusiness } from "./world.ts";

/** Changes a business's settings, and moves the clock on until no isolate caches the old ones. */
export async function changeSettings(
  { business }: TestBusiness,
  settings: Partial<Settings>,
): Promise<void> {
  await env.CORE.prepare("update businesses set settings = ? where id = ?")
    .bind(JSON.stringify({ ...business.settings, ...settings }), business.id)
    .run();
  vi.setSystemTime(Date.now() + 6 * second);
}
