import { z } from "@hono/zod-openapi";
import { businessRepo, updateBusiness } from "../../../../shared/businesses/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKeyOrAnyMember, secretKeyOrOperator } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createMerchantContext, createMerchantOrOperatorContext } from "../../context.ts";
import { BusinessFields, toBusinessPatch } from "../../requests/business-fields.ts";
import { BusinessView, viewBusiness } from "../../views/settings/business.ts";

const path = "/v1/businesses/{business_id}";
const params = z.object({ business_id: id() });

export const business = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "getBusiness",
      tag: "Business",
      summary: "Get the business and its settings",
      access: secretKeyOrAnyMember("settings:read"),
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
      operationId: "updateBusiness",
      tag: "Business",
      summary: "Update the business's name and settings, and its organization as the operator",
      access: secretKeyOrOperator("settings:write"),
      params,
      body: requireJson(BusinessFields),
      response: BusinessView,
    }),
    async (c) => {
      const ctx = await createMerchantOrOperatorContext(c, c.req.valid("param").business_id);
      const patch = toBusinessPatch(c.req.valid("json"), ctx.business.currency);
      return c.json(envelope(viewBusiness(await updateBusiness(ctx, patch))), 200);
    },
  );
