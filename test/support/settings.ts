import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { Settings } from "../../shared/businesses/index.ts";
import type { contextFor } from "./world.ts";

/** Changes a business's settings, and lets what isolates remember of it grow old. */
export async function givenSettings(
  { business }: Parameters<typeof contextFor>[0],
  settings: Partial<Settings>,
): Promise<void> {
  await env.CORE.prepare("update businesses set settings = ? where id = ?")
    .bind(JSON.stringify({ ...business.settings, ...settings }), business.id)
    .run();
  vi.setSystemTime(Date.now() + 6_000);
}
