import { z } from "@hono/zod-openapi";
import { iso, notFound } from "../../../shared/kernel/index.ts";
import {
  isPlatformScope,
  type LinkedPlatform,
  platformGrantRepo,
  platformScopes,
} from "../../../shared/link/index.ts";
import { createRoutes } from "../../http/app.ts";
import { envelope, route } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { linkSessionRequired as access } from "../access.ts";
import { createAccountContext } from "../context.ts";
import { RemovedView, viewRemoved } from "../views/removed.ts";

const PlatformView = z
  .object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    business_id: z.string(),
    scopes: z.array(z.enum(platformScopes)),
    linked_at: z.string(),
    last_used_at: z.string(),
    expires_at: z.string(),
  })
  .openapi("LinkPlatform");

/** The platforms that may act for the account's owner (docs/contract/link.md#platforms). */
export const platforms = createRoutes()
  .openapi(
    route("get", "/platforms", {
      operationId: "listPlatforms",
      tag: "Platforms",
      summary: "List the platforms that the owner has linked, the newest first",
      access,
      response: z.array(PlatformView),
    }),
    async (c) => {
      const { db, accountId, now } = createAccountContext(c);
      const linked = await platformGrantRepo(db).listPlatforms(accountId, now());
      return c.json(envelope(linked.map(viewPlatform)), 200);
    },
  )
  .openapi(
    route("delete", "/platforms/{id}", {
      operationId: "disconnectPlatform",
      tag: "Platforms",
      summary: "Disconnect a platform and revoke its tokens",
      access,
      params: z.object({ id: id() }),
      response: RemovedView,
    }),
    async (c) => {
      const { db, accountId, now } = createAccountContext(c);
      const { id: grantId } = c.req.valid("param");
      const grants = platformGrantRepo(db);
      const wasLinked = await grants.disconnectPlatform({ accountId, grantId }, now());
      if (!wasLinked) throw notFound("platform");
      return c.json(envelope(viewRemoved(grantId)), 200);
    },
  );

const viewPlatform = (platform: LinkedPlatform): z.infer<typeof PlatformView> => ({
  id: platform.id,
  name: platform.clientName,
  host: new URL(platform.clientId).host,
  business_id: platform.businessId,
  scopes: platform.scopes.filter(isPlatformScope),
  linked_at: iso(platform.createdAt),
  last_used_at: iso(platform.lastUsedAt),
  expires_at: iso(platform.expiresAt),
});
