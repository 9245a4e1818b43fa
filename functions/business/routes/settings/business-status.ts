import { z } from "@hono/zod-openapi";
import {
  type Business,
  closeBusiness,
  type MerchantContext,
  resumeBusiness,
  suspendBusiness,
} from "../../../../shared/businesses/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createOperatorContextOf } from "../../context.ts";
import { BusinessView, viewBusiness } from "../../views/settings/business.ts";

const path = "/v1/businesses/{business_id}";
const common = {
  access: operator,
  params: z.object({ business_id: id() }),
  response: BusinessView,
  rules: ["INVALID_STATE"],
} as const;

const respond = async (
  c: RequestContext,
  businessId: string,
  changeStatus: (ctx: MerchantContext) => Promise<Business>,
) => {
  const changed = await changeStatus(await createOperatorContextOf(c, businessId));
  return c.json(envelope(viewBusiness(changed)), 200);
};

/** The operator's calls about the status of a business (docs/contract/operator.md#business-status). */
export const businessStatus = createRoutes()
  .openapi(
    route("post", `${path}/suspend`, {
      operationId: "suspendBusiness",
      tag: "Businesses",
      summary: "Suspend the business: it cannot sell, and its merchant keeps access",
      ...common,
    }),
    (c) => respond(c, c.req.valid("param").business_id, suspendBusiness),
  )
  .openapi(
    route("post", `${path}/resume`, {
      operationId: "resumeBusiness",
      tag: "Businesses",
      summary: "Let a suspended or closed business sell again",
      ...common,
    }),
    (c) => respond(c, c.req.valid("param").business_id, resumeBusiness),
  )
  .openapi(
    route("post", `${path}/close`, {
      operationId: "closeBusiness",
      tag: "Businesses",
      summary: "Close the business",
      description: "It is erased 30 days later.",
      ...common,
    }),
    (c) => respond(c, c.req.valid("param").business_id, closeBusiness),
  );
