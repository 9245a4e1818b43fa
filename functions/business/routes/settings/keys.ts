import { z } from "@hono/zod-openapi";
import { createKey, keyRepo, revokeKey } from "../../../../shared/businesses/index.ts";
import type { RequestContext } from "../../../http/api-env.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { answersOfKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import { NewKey } from "../../requests/key-fields.ts";
import { KeyView, NewKeyView, viewKey } from "../../views/settings/key.ts";

const path = "/v1/businesses/{business_id}/keys";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ key_id: id() });

const ownKeys = (c: RequestContext) => {
  const { core, business } = merchantContext(c);
  return keyRepo(core, { type: "business", id: business.id });
};

export const keys = area()
  .openapi(
    contract("get", path, {
      summary: "The business's keys, the newest first, the revoked ones too",
      access: secretKey("settings:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(KeyView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const found = await ownKeys(c).list({ limit: limit + 1, before: idPosition(cursor) });
      return c.json(answer(pageOf(found, { limit, view: viewKey, position: ({ id }) => id })), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{key_id}`, {
      summary: "One key, a revoked one too",
      access: secretKey("settings:read"),
      params: oneParams,
      answer: KeyView,
    }),
    async (c) => {
      const found = await ownKeys(c).get(c.req.valid("param").key_id);
      return c.json(answer(viewKey(found)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Make a key; its text is in this answer only",
      access: secretKey("settings:write"),
      params,
      body: json(NewKey),
      answer: NewKeyView,
      status: 201,
      answersOf: answersOfKeyInCore,
    }),
    async (c) => {
      const held = keyed(c).key.scopes;
      const { key, text } = await createKey(merchantContext(c), { ...c.req.valid("json"), held });
      return c.json(answer({ ...viewKey(key), key: text }), 201);
    },
  )
  .openapi(
    contract("delete", `${path}/{key_id}`, {
      summary: "Revoke a key; it stops working within 10 seconds",
      access: secretKey("settings:write"),
      params: oneParams,
      answer: KeyView,
      answersOf: answersOfKeyInCore,
    }),
    async (c) => {
      const revoked = await revokeKey(merchantContext(c), c.req.valid("param").key_id);
      return c.json(answer(viewKey(revoked)), 200);
    },
  );
