import { z } from "@hono/zod-openapi";
import { type AuditEntry, auditRepo } from "../../../shared/database/index.ts";
import { invalid } from "../../../shared/kernel/index.ts";
import { secretKey } from "../../http/access.ts";
import { area } from "../../http/app.ts";
import { answer, contract } from "../../http/contract.ts";
import { id, instant } from "../../http/fields.ts";
import { Page, pageOf, pageQuery, positionOf } from "../../http/paging.ts";
import { merchantContext } from "../context.ts";
import { AuditEntryView, viewAuditEntry } from "../views/audit-entry.ts";

const Query = z.object({
  ...pageQuery,
  actor: id().optional(),
  entity: id().optional(),
  from: instant().optional(),
  to: instant().optional(),
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
    const { limit, cursor, ...filter } = c.req.valid("query");
    const before = instantAndId(positionOf(cursor));
    const found = await auditRepo(merchantContext(c)).list(filter, { limit: limit + 1, before });
    return c.json(answer(pageOf(found, { limit, view: viewAuditEntry, position })), 200);
  },
);

const position = ({ at, id }: AuditEntry): string => `${at} ${id}`;

function instantAndId(position: string | null): { at: number; id: string } | null {
  if (position === null) return null;
  const [, at, id] = /^(\d{1,15}) (\S+)$/.exec(position) ?? [];
  if (at === undefined || id === undefined)
    throw invalid("cursor", "must be a next_cursor of this list");
  return { at: Number(at), id };
}
