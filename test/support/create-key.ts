import { env } from "cloudflare:workers";
import { runtime } from "../../functions/runtime/runtime.ts";
import { type ApiKey, generateKeyText, keyRepo } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { sha256 } from "../../shared/kernel/index.ts";
import type { TestBusiness } from "./world.ts";

/** Creates another key, by default a secret one with all scopes of the business, and returns its text. */
export async function createKey(
  { business }: TestBusiness,
  fields: Partial<ApiKey> = {},
): Promise<string> {
  const key: ApiKey = {
    id: runtime.newId("key"),
    kind: "secret",
    mode: business.mode,
    owner: { type: "business", id: business.id },
    scopes: ["*"],
    label: "",
    createdAt: runtime.now(),
    revokedAt: null,
    lastUsedAt: null,
    ...fields,
  };
  const text = generateKeyText(key.kind, key.mode, runtime.randomBytes);
  await keyRepo(openDb(env.CORE, createMeter()), key.owner).insert(key, await sha256(text));
  return text;
}
