import { z } from "@hono/zod-openapi";
import { type PublishedKey, publishedUntil } from "../../../../shared/agents/index.ts";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";

export const AgentKeyView = z
  .object({
    kid: z.string().openapi({ description: "The key's id in signatures and in the profile." }),
    created_at: z.string(),
    retired_at: z.string().nullable(),
    published_until: z
      .string()
      .nullable()
      .openapi({ description: "When the key leaves the profile; null while it signs." }),
  })
  .openapi("AgentKey");

export const viewAgentKey = (key: PublishedKey): z.infer<typeof AgentKeyView> => ({
  kid: key.kid,
  created_at: iso(key.createdAt),
  retired_at: isoOrNull(key.retiredAt),
  published_until: isoOrNull(publishedUntil(key)),
});
