import { z } from "@hono/zod-openapi";
import { hasScope, type MerchantContext } from "../../../../shared/businesses/index.ts";
import { type AuditEntry, auditRepo } from "../../../../shared/database/index.ts";
import { memberRepo } from "../../../../shared/members/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { callerScopes } from "../../../http/authentication/caller.ts";
import { type RequestContext, requireCaller } from "../../../http/context.ts";
import { envelope, route } from "../../../http/contract.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import { timeBound, toTimeFilter } from "../../requests/time-bounds.ts";
import { AuditEntryView, viewAuditEntry } from "../../views/settings/audit-entry.ts";

const AuditQuery = z.object({
  ...pageQuery,
  actor: id().optional(),
  entity: id().optional(),
  from: timeBound().optional(),
  to: timeBound().optional(),
});

export const audit = createRoutes().openapi(
  route("get", "/v1/businesses/{business_id}/audit", {
    operationId: "listAuditEntries",
    tag: "Audit",
    summary: "List audit entries, latest first",
    access: secretKey("settings:read"),
    params: z.object({ business_id: id() }),
    query: AuditQuery,
    response: Page(AuditEntryView),
  }),
  async (c) => {
    const ctx = createMerchantContext(c);
    const { limit, cursor, actor, entity, ...bounds } = c.req.valid("query");
    const filter = { actor, entity, ...toTimeFilter(bounds, ctx.business) };
    const last = parseNumberPosition(cursor);
    const before = last && { at: last.number, id: last.id };
    const records = await auditRepo(ctx).list(filter, { limit: limit + 1, before });
    const emails = await findActorEmails(c, ctx, records);
    const { currency } = ctx.business;
    const view = (entry: AuditEntry) => viewAuditEntry(entry, { currency, emails });
    return c.json(envelope(createPage(records, { limit, view, position })), 200);
  },
);

const position = ({ at, id }: AuditEntry): string => formatNumberPosition(at, id);

/** The e-mail addresses of the members among the actors, for callers who may read members. */
async function findActorEmails(
  c: RequestContext,
  { core, business }: MerchantContext,
  entries: readonly AuditEntry[],
): Promise<ReadonlyMap<string, string>> {
  const userIds = new Set(entries.map(({ actor }) => actor).filter((id) => id.startsWith("usr_")));
  const mayRead = hasScope(callerScopes(requireCaller(c)), "members:read");
  if (userIds.size === 0 || !mayRead) return new Map();
  return memberRepo(core, business.id).findEmails([...userIds]);
}
