import { z } from "@hono/zod-openapi";
import { businessRepo, updateBusiness } from "../../../../shared/businesses/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id } from "../../../wire/fields.ts";
import { createMerchantContext } from "../../context.ts";
import { BusinessFields, toBusinessPatch } from "../../requests/business-fields.ts";
import { BusinessView, viewBusiness } from "../../views/settings/business.ts";

const path = "/v1/businesses/{business_id}";
const params = z.object({ business_id: id() });

export const business = createRoutes()
  .openapi(
    route("get", path, {
      summary: "Get the business and its settings",
      access: secretKey("settings:read"),
      params,
      response: BusinessView,
    }),
    async (c) => {
      const { core, business } = createMerchantContext(c);
      return c.json(envelope(viewBusiness(await businessRepo(core).get(business.id))), 200);
    },
  )
  .openapi(
    route("patch", path, {
      summary: "Update the business's name and settings",
      access: secretKey("settings:write"),
      params,
      body: requireJson(BusinessFields),
      response: BusinessView,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const patch = toBusinessPatch(c.req.valid("json"), ctx.business.currency);
      return c.json(envelope(viewBusiness(await updateBusiness(ctx, patch))), 200);
    },
  );
