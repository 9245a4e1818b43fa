import { createRoute, z } from "@hono/zod-openapi";
import { conflict } from "../../../../shared/kernel/index.ts";
import {
  isExport,
  jobRepo,
  readExportFile,
  requestExport,
} from "../../../../shared/portability/index.ts";
import { createFileStore } from "../../../../shared/uploads/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import { sendChunks } from "../../csv-response.ts";
import type { BusinessBindings } from "../../env.ts";
import { ExportView, viewExport } from "../../views/settings/export.ts";
import { wakeCoreJob } from "../../wake-jobs.ts";

const path = "/v1/businesses/{business_id}/exports";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ export_id: id() });

const originOf = (c: RequestContext): string => new URL(c.req.url).origin;

/** A type of its own: hono takes the name of the format for one of a JSON document. */
const fileContent: Readonly<Record<string, { schema: z.ZodString }>> = {
  "application/x-ndjson": { schema: z.string() },
};

const fileRoute = createRoute({
  ...route("get", `${path}/{export_id}/file`, {
    operationId: "getExportFile",
    tag: "Imports and exports",
    summary: "Download the file of a completed export",
    access: secretKey("*"),
    params: oneParams,
    response: z.string(),
    errors: ["CONFLICT"],
  }),
  responses: {
    200: {
      description: "Everything of the business as JSON Lines",
      content: fileContent,
    },
  },
});

/** Exports of everything that a business has (docs/contract/business.md#business-exports). */
export const businessExports = createRoutes<BusinessBindings>()
  .openapi(
    route("post", path, {
      operationId: "createExport",
      tag: "Imports and exports",
      summary: "Export everything of the business as JSON Lines",
      description: "Writes to the business wait while the file is written.",
      access: secretKey("*"),
      params,
      response: ExportView,
      status: 201,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const job = await requestExport(createMerchantContext(c));
      c.executionCtx.waitUntil(wakeCoreJob(c.env, "transfer-businesses"));
      return c.json(envelope(viewExport(job, originOf(c))), 201);
    },
  )
  .openapi(
    route("get", path, {
      operationId: "listExports",
      tag: "Imports and exports",
      summary: "List the exports of the last 7 days, newest first",
      access: secretKey("*"),
      params,
      query: z.object(pageQuery),
      response: Page(ExportView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core, business } = createMerchantContext(c);
      const range = { limit: limit + 1, before: parseIdPosition(cursor) };
      const jobs = await jobRepo(core).list(business.id, "export", range);
      const view = (job: (typeof jobs)[number]) => viewExport(job, originOf(c));
      return c.json(envelope(createPage(jobs, { limit, view, position: ({ id }) => id })), 200);
    },
  )
  .openapi(
    route("get", `${path}/{export_id}`, {
      operationId: "getExport",
      tag: "Imports and exports",
      summary: "Get an export",
      access: secretKey("*"),
      params: oneParams,
      response: ExportView,
    }),
    async (c) => c.json(envelope(viewExport(await findExport(c), originOf(c))), 200),
  )
  .openapi(fileRoute, async (c) => {
    const job = await findExport(c);
    if (job.status !== "completed") throw conflict("The export has no file yet.");
    const chunks = readExportFile({ files: createFileStore(c.env.FILES) }, job);
    return sendChunks(c, chunks, {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": `attachment; filename="${job.businessId}-${job.id}.jsonl"`,
    });
  });

async function findExport(c: RequestContext) {
  const { core, business } = createMerchantContext(c);
  const job = await jobRepo(core).get(business.id, "export", c.req.param("export_id") ?? "");
  if (!isExport(job)) throw new Error(`${job.id} is no export.`);
  return job;
}
