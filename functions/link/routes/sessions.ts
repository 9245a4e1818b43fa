import { z } from "@hono/zod-openapi";
import { iso, notFound } from "../../../shared/kernel/index.ts";
import { type LinkSession, linkSessionRepo } from "../../../shared/link/index.ts";
import { createRoutes } from "../../http/app.ts";
import { envelope, route, unwrappedRoute } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { linkSessionRequired as access } from "../access.ts";
import { createAccountContext, requireLinkSession } from "../context.ts";

const SessionView = z
  .object({
    id: z.string(),
    device: z.string().nullable(),
    country: z.string().nullable(),
    created_at: z.string(),
    last_used_at: z.string(),
    expires_at: z.string(),
    is_current: z.boolean(),
  })
  .openapi("LinkSession");

const RevokedView = z
  .object({ success: z.literal(true), revoked: z.number().int() })
  .openapi("LinkRevoked");

const revokedResponse = (revoked: number) => ({ success: true as const, revoked });

/** The account's sessions (docs/contract/link.md#sessions). */
export const sessions = createRoutes()
  .openapi(
    route("get", "/sessions", {
      operationId: "listSessions",
      tag: "Sessions",
      summary: "List the account's sessions, the newest first",
      access,
      response: z.array(SessionView),
    }),
    async (c) => {
      const { db, accountId, now } = createAccountContext(c);
      const sessions = await linkSessionRepo(db).list(accountId, now());
      const currentId = requireLinkSession(c).session.id;
      return c.json(envelope(sessions.map((session) => viewSession(session, currentId))), 200);
    },
  )
  .openapi(
    unwrappedRoute("delete", "/sessions", {
      operationId: "endAllSessions",
      tag: "Sessions",
      summary: "End all sessions, including this one, and disconnect all platforms",
      access,
      response: RevokedView,
    }),
    async (c) => {
      const { db, accountId, now } = createAccountContext(c);
      return c.json(revokedResponse(await linkSessionRepo(db).revokeAll(accountId, now())), 200);
    },
  )
  .openapi(
    unwrappedRoute("delete", "/sessions/{id}", {
      operationId: "endSession",
      tag: "Sessions",
      summary: "End one session",
      access,
      params: z.object({ id: id() }),
      response: RevokedView,
    }),
    async (c) => {
      const { db, accountId, now } = createAccountContext(c);
      const target = { accountId, sessionId: c.req.valid("param").id };
      const isRevoked = await linkSessionRepo(db).revoke(target, now());
      if (!isRevoked) throw notFound("session");
      return c.json(revokedResponse(1), 200);
    },
  );

const viewSession = (session: LinkSession, currentId: string): z.infer<typeof SessionView> => ({
  id: session.id,
  device: session.device,
  country: session.country,
  created_at: iso(session.createdAt),
  last_used_at: iso(session.lastUsedAt),
  expires_at: iso(session.expiresAt),
  is_current: session.id === currentId,
});
