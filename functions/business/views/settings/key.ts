import { z } from "@hono/zod-openapi";
import { type ApiKey, keyKinds, scopes } from "../../../../shared/businesses/index.ts";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";

export const KeyView = z
  .object({
    id: z.string(),
    kind: z.enum(keyKinds),
    mode: z.enum(["live", "test"]),
    scopes: z.array(z.enum(scopes)),
    label: z.string(),
    created_at: z.string(),
    revoked_at: z.string().nullable(),
    /** When the key was last used. Only accurate to the hour, because not every use is written. */
    last_used_at: z.string().nullable(),
  })
  .openapi("ApiKey");
export type KeyView = z.infer<typeof KeyView>;

/** The only response that contains the key's text. */
export const NewKeyView = KeyView.extend({ key: z.string() }).openapi("NewApiKey");

export const viewKey = (key: ApiKey): KeyView => ({
  id: key.id,
  kind: key.kind,
  mode: key.mode,
  scopes: [...key.scopes],
  label: key.label,
  created_at: iso(key.createdAt),
  revoked_at: isoOrNull(key.revokedAt),
  last_used_at: isoOrNull(key.lastUsedAt),
});
