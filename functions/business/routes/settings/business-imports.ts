import { z } from "@hono/zod-openapi";
import { invalid } from "../../../../shared/kernel/index.ts";
import { jobRepo, requestImport } from "../../../../shared/portability/index.ts";
import { createFileStore } from "../../../../shared/uploads/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id } from "../../../wire/fields.ts";
import { createMerchantContext } from "../../context.ts";
import type { BusinessBindings } from "../../env.ts";
import { limitBytes, mebibyte, requireBody } from "../../requests/form-body.ts";
import { BusinessImportView, viewBusinessImport } from "../../views/settings/business-import.ts";
import { wakeCoreJob } from "../../wake-jobs.ts";

const path = "/v1/businesses/{business_id}/imports/business";
const params = z.object({ business_id: id() });

const fileLimit = {
  maxBytes: 100 * mebibyte,
  message: "The file must be at most 100 MiB.",
};

/** Imports of exported businesses (docs/contract/business.md#business-imports). */
export const businessImports = createRoutes<BusinessBindings>()
  .openapi(
    route("post", path, {
      operationId: "importBusiness",
      tag: "Imports and exports",
      summary: "Import the file of an export into an empty business",
      access: secretKey("*"),
      params,
      rules: ["NOT_EMPTY"],
      body: {
        description: "The file of an export, of at most 100 MiB.",
        content: { "application/x-ndjson": { schema: z.string() } },
        required: true,
      },
      response: BusinessImportView,
      status: 201,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const type = c.req.header("content-type") ?? "";
      if (!/^application\/x-ndjson\s*(?:;|$)/i.test(type)) {
        throw invalid("content-type", "must be application/x-ndjson");
      }
      const body = requireBody(c, fileLimit).pipeThrough(limitBytes(fileLimit));
      const ctx = { ...createMerchantContext(c), files: createFileStore(c.env.FILES) };
      const job = await requestImport(ctx, body);
      c.executionCtx.waitUntil(wakeCoreJob(c.env, "transfer-businesses"));
      return c.json(envelope(viewBusinessImport(job)), 201);
    },
  )
  .openapi(
    route("get", `${path}/{import_id}`, {
      operationId: "getBusinessImport",
      tag: "Imports and exports",
      summary: "Get an import of a business",
      access: secretKey("*"),
      params: params.extend({ import_id: id() }),
      response: BusinessImportView,
    }),
    async (c) => {
      const { core, business } = createMerchantContext(c);
      const job = await jobRepo(core).get(business.id, "import", c.req.valid("param").import_id);
      return c.json(envelope(viewBusinessImport(job)), 200);
    },
  );
