import { z } from "@hono/zod-openapi";
import {
  businessRepo,
  createKey,
  keyKinds,
  revokeKey,
  scopes,
} from "../../../shared/businesses/index.ts";
import { secretKey } from "../../http/access.ts";
import { area } from "../../http/app.ts";
import { keyed } from "../../http/context.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { id, text } from "../../http/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../http/paging.ts";
import { merchantContext } from "../context.ts";
import { KeyView, NewKeyView, viewKey } from "../views/key.ts";

const path = "/v1/businesses/{business_id}/keys";
const params = z.object({ business_id: id() });

const NewKey = z.object({
  kind: z.enum(keyKinds),
  scopes: z.array(z.enum(scopes)).max(scopes.length).default([]),
  label: text(200).default(""),
});

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
      const { core, business } = merchantContext(c);
      const before = idPosition(cursor);
      const found = await businessRepo(core).listKeys(business.id, { limit: limit + 1, before });
      return c.json(answer(pageOf(found, { limit, view: viewKey, position: ({ id }) => id })), 200);
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
      params: params.extend({ key_id: id() }),
      answer: KeyView,
    }),
    async (c) => {
      const revoked = await revokeKey(merchantContext(c), c.req.valid("param").key_id);
      return c.json(answer(viewKey(revoked)), 200);
    },
  );
