import { z } from "@hono/zod-openapi";
import { businessRepo, updateBusiness } from "../../../../shared/businesses/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { answersOfKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id } from "../../../wire/fields.ts";
import { merchantContext } from "../../context.ts";
import { BusinessFields, readBusiness } from "../../requests/business-fields.ts";
import { BusinessView, viewBusiness } from "../../views/settings/business.ts";

const path = "/v1/businesses/{business_id}";
const params = z.object({ business_id: id() });

export const business = area()
  .openapi(
    contract("get", path, {
      summary: "The business and its settings",
      access: secretKey("settings:read"),
      params,
      answer: BusinessView,
    }),
    async (c) => {
      const { core, business } = merchantContext(c);
      return c.json(answer(viewBusiness(await businessRepo(core).get(business.id))), 200);
    },
  )
  .openapi(
    contract("patch", path, {
      summary: "Change the business's name and settings",
      access: secretKey("settings:write"),
      params,
      body: json(BusinessFields),
      answer: BusinessView,
      answersOf: answersOfKeyInCore,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const patch = readBusiness(c.req.valid("json"), ctx.business.currency);
      return c.json(answer(viewBusiness(await updateBusiness(ctx, patch))), 200);
    },
  );
