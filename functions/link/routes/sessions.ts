import { z } from "@hono/zod-openapi";
import { iso, notFound } from "../../../shared/kernel/index.ts";
import { type LinkSession, linkSessionRepo } from "../../../shared/link/index.ts";
import { area } from "../../http/app.ts";
import { answer, contract, flatContract } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { linkSession as access } from "../access.ts";
import { accountContext, sessionOf } from "../context.ts";

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

const revokedAnswer = (revoked: number) => ({ success: true as const, revoked });

/** interface.md, Link API: where the account is logged in. */
export const sessions = area()
  .openapi(
    contract("get", "/sessions", {
      summary: "The account's sessions, the newest first",
      access,
      answer: z.array(SessionView),
    }),
    async (c) => {
      const { db, accountId, now } = accountContext(c);
      const listed = await linkSessionRepo(db).list(accountId, now());
      const currentId = sessionOf(c).session.id;
      return c.json(answer(listed.map((one) => viewSession(one, currentId))), 200);
    },
  )
  .openapi(
    flatContract("delete", "/sessions", {
      summary: "End all sessions, this one too",
      access,
      answer: RevokedView,
    }),
    async (c) => {
      const { db, accountId, now } = accountContext(c);
      return c.json(revokedAnswer(await linkSessionRepo(db).revoke({ accountId }, now())), 200);
    },
  )
  .openapi(
    flatContract("delete", "/sessions/{id}", {
      summary: "End one session",
      access,
      params: z.object({ id: id() }),
      answer: RevokedView,
    }),
    async (c) => {
      const { db, accountId, now } = accountContext(c);
      const which = { accountId, sessionId: c.req.valid("param").id };
      const revoked = await linkSessionRepo(db).revoke(which, now());
      if (revoked === 0) throw notFound("session");
      return c.json(revokedAnswer(revoked), 200);
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
