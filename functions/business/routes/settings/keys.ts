import { z } from "@hono/zod-openapi";
import {
  createKey,
  type KeyScope,
  keyRepo,
  revokeKey,
} from "../../../../shared/businesses/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey, secretKeyOrOperator } from "../../../http/authentication/access.ts";
import { callerScopes } from "../../../http/authentication/caller.ts";
import { type RequestContext, requireCaller } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext, createMerchantOrOperatorContext } from "../../context.ts";
import { NewKeyFields } from "../../requests/key-fields.ts";
import { KeyView, NewKeyView, viewKey } from "../../views/settings/key.ts";

const path = "/v1/businesses/{business_id}/keys";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ key_id: id() });

const businessKeyRepo = (c: RequestContext) => {
  const { core, business } = createMerchantContext(c);
  return keyRepo(core, { type: "business", id: business.id });
};

export const keys = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listKeys",
      tag: "Keys",
      summary: "List keys, including revoked ones, newest first",
      access: secretKey("keys:read"),
      params,
      query: z.object(pageQuery),
      response: Page(KeyView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const records = await businessKeyRepo(c).list({
        limit: limit + 1,
        before: parseIdPosition(cursor),
      });
      return c.json(
        envelope(createPage(records, { limit, view: viewKey, position: ({ id }) => id })),
        200,
      );
    },
  )
  .openapi(
    route("get", `${path}/{key_id}`, {
      operationId: "getKey",
      tag: "Keys",
      summary: "Get a key, which may be revoked",
      access: secretKey("keys:read"),
      params: oneParams,
      response: KeyView,
    }),
    async (c) => {
      const record = await businessKeyRepo(c).get(c.req.valid("param").key_id);
      return c.json(envelope(viewKey(record)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createKey",
      tag: "Keys",
      summary: "Create a key, as the merchant or the operator",
      description: "Only this response contains its text.",
      access: secretKeyOrOperator("keys:write"),
      params,
      body: requireJson(NewKeyFields),
      response: NewKeyView,
      status: 201,
    }),
    async (c) => {
      const ctx = await createMerchantOrOperatorContext(c, c.req.valid("param").business_id);
      const heldScopes: readonly KeyScope[] = c.get("isOperator")
        ? ["*"]
        : callerScopes(requireCaller(c));
      const { key, text } = await createKey(ctx, { ...c.req.valid("json"), heldScopes });
      return c.json(envelope({ ...viewKey(key), key: text }), 201);
    },
  )
  .openapi(
    route("delete", `${path}/{key_id}`, {
      operationId: "revokeKey",
      tag: "Keys",
      summary: "Revoke a key",
      description: "It stops working within 10 seconds.",
      access: secretKey("keys:write"),
      rules: ["LAST_KEY"],
      params: oneParams,
      response: KeyView,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const heldScopes = callerScopes(requireCaller(c));
      const { key_id: id } = c.req.valid("param");
      const revoked = await revokeKey(createMerchantContext(c), { id, heldScopes });
      return c.json(envelope(viewKey(revoked)), 200);
    },
  );
