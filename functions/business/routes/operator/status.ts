import { z } from "@hono/zod-openapi";
import { reconciliationRepo } from "../../../../shared/reconciliation/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { envelope, route } from "../../../http/contract.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createOperatorContext } from "../../context.ts";
import { OperatorStatusView } from "../../views/settings/operator-status.ts";
import { DifferenceView, viewDifference } from "../../views/settings/reconciliation.ts";
import { loadStatus } from "./load-status.ts";

/** What in the deployment needs the operator (docs/contract/operator.md#operator-status). */
export const operatorStatus = createRoutes()
  .openapi(
    route("get", "/v1/operator/status", {
      operationId: "getOperatorStatus",
      tag: "Businesses",
      summary: "Show what needs the operator",
      access: operator,
      response: OperatorStatusView,
    }),
    async (c) => c.json(envelope(await loadStatus(c)), 200),
  )
  .openapi(
    route("get", "/v1/operator/reconciliation/differences", {
      operationId: "listReconciliationDifferences",
      tag: "Businesses",
      summary: "List where a provider's books differ from ours, newest first",
      access: operator,
      query: z.object(pageQuery),
      response: Page(DifferenceView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core } = createOperatorContext(c);
      const before = parseIdPosition(cursor, "rdf_");
      const found = await reconciliationRepo(core).list({ limit: limit + 1, before });
      return c.json(
        envelope(createPage(found, { limit, view: viewDifference, position: ({ id }) => id })),
        200,
      );
    },
  );
