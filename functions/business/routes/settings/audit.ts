import { z } from "@hono/zod-openapi";
import { type AuditEntry, auditRepo } from "../../../../shared/database/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
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
    const view = (entry: AuditEntry) => viewAuditEntry(entry, ctx.business);
    const before = last && { at: last.number, id: last.id };
    const records = await auditRepo(ctx).list(filter, { limit: limit + 1, before });
    return c.json(envelope(createPage(records, { limit, view, position })), 200);
  },
);

const position = ({ at, id }: AuditEntry): string => formatNumberPosition(at, id);
