import { z } from "@hono/zod-openapi";
import {
  archiveMethod,
  createMethod,
  type DeliveryMethod,
  methodRepo,
  updateMethod,
} from "../../../../shared/delivery/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import {
  MethodFields,
  NewMethodFields,
  toMethodPatch,
  toNewMethod,
} from "../../requests/delivery-fields.ts";
import { MethodView, viewMethod } from "../../views/settings/delivery.ts";

const path = "/v1/businesses/{business_id}/delivery/methods";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ method_id: id() });

export const deliveryMethods = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listDeliveryMethods",
      tag: "Delivery",
      summary: "List delivery methods, oldest first",
      access: secretKey("settings:read"),
      params,
      query: z.object(pageQuery),
      response: Page(MethodView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const after = parseIdPosition(cursor);
      const methods = await methodRepo(ctx).list({ limit: limit + 1, after });
      const view = (method: DeliveryMethod) => viewMethod(method, ctx.business);
      const page = createPage(methods, { limit, view, position: (method) => method.id });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{method_id}`, {
      operationId: "getDeliveryMethod",
      tag: "Delivery",
      summary: "Get a delivery method",
      access: secretKey("settings:read"),
      params: oneParams,
      response: MethodView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { method } = await methodRepo(ctx).get(c.req.valid("param").method_id);
      return c.json(envelope(viewMethod(method, ctx.business)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createDeliveryMethod",
      tag: "Delivery",
      summary: "Create a delivery method",
      access: secretKey("settings:write"),
      params,
      body: requireJson(NewMethodFields),
      response: MethodView,
      status: 201,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const method = await createMethod(ctx, toNewMethod(c.req.valid("json"), ctx.business));
      return c.json(envelope(viewMethod(method, ctx.business)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{method_id}`, {
      operationId: "updateDeliveryMethod",
      tag: "Delivery",
      summary: "Update a delivery method",
      access: secretKey("settings:write"),
      params: oneParams,
      body: requireJson(MethodFields),
      response: MethodView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const patch = toMethodPatch(c.req.valid("json"), ctx.business);
      const method = await updateMethod(ctx, c.req.valid("param").method_id, patch);
      return c.json(envelope(viewMethod(method, ctx.business)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{method_id}`, {
      operationId: "archiveDeliveryMethod",
      tag: "Delivery",
      summary: "Archive a delivery method",
      description: "Existing orders keep their delivery.",
      access: secretKey("settings:write"),
      params: oneParams,
      response: MethodView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const method = await archiveMethod(ctx, c.req.valid("param").method_id);
      return c.json(envelope(viewMethod(method, ctx.business)), 200);
    },
  );
