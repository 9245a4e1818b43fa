import { z } from "@hono/zod-openapi";
import { type AuditEntry, auditRepo } from "../../../../shared/database/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import { bound, within } from "../../requests/bounds.ts";
import { numberPosition, numberPositionOf } from "../../requests/list-position.ts";
import { AuditEntryView, viewAuditEntry } from "../../views/settings/audit-entry.ts";

const Query = z.object({
  ...pageQuery,
  actor: id().optional(),
  entity: id().optional(),
  from: bound().optional(),
  to: bound().optional(),
});

export const audit = area().openapi(
  contract("get", "/v1/businesses/{business_id}/audit", {
    summary: "Who changed what, the latest first",
    access: secretKey("settings:read"),
    params: z.object({ business_id: id() }),
    query: Query,
    answer: Page(AuditEntryView),
  }),
  async (c) => {
    const ctx = merchantContext(c);
    const { limit, cursor, actor, entity, ...bounds } = c.req.valid("query");
    const filter = { actor, entity, ...within(bounds, ctx.business) };
    const last = numberPosition(cursor);
    const view = (entry: AuditEntry) => viewAuditEntry(entry, ctx.business);
    const before = last && { at: last.number, id: last.id };
    const found = await auditRepo(ctx).list(filter, { limit: limit + 1, before });
    return c.json(answer(pageOf(found, { limit, view, position })), 200);
  },
);

const position = ({ at, id }: AuditEntry): string => numberPositionOf(at, id);
