import { z } from "@hono/zod-openapi";
import {
  archiveResource,
  createResource,
  resourceRepo,
  updateResource,
} from "../../../../shared/scheduling/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id, name } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import { ResourceView, viewResource } from "../../views/scheduling/resource.ts";

const path = "/v1/businesses/{business_id}/resources";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ resource_id: id() });

const ResourceFields = z
  .object({ name: name(), capacity: z.number().int().min(1).max(100_000) })
  .partial();

const NewResource = ResourceFields.required({ name: true });

export const resources = area()
  .openapi(
    contract("get", path, {
      summary: "The business's resources, as they were added",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(ResourceView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const found = await resourceRepo(ctx).list({ limit: limit + 1, after: idPosition(cursor) });
      const position = ({ resource }: (typeof found)[number]) => resource.id;
      return c.json(answer(pageOf(found, { limit, view: viewResource, position })), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{resource_id}`, {
      summary: "One resource",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: ResourceView,
    }),
    async (c) => {
      const record = await resourceRepo(merchantContext(c)).get(c.req.valid("param").resource_id);
      return c.json(answer(viewResource(record)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Add what services take places of, one at a time unless it has room for more",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewResource),
      answer: ResourceView,
      status: 201,
    }),
    async (c) => {
      const { name, capacity = 1 } = c.req.valid("json");
      const record = await createResource(merchantContext(c), { name, capacity });
      return c.json(answer(viewResource(record)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{resource_id}`, {
      summary: "Change a resource",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(ResourceFields),
      answer: ResourceView,
    }),
    async (c) => {
      const { resource_id } = c.req.valid("param");
      const record = await updateResource(merchantContext(c), resource_id, c.req.valid("json"));
      return c.json(answer(viewResource(record)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{resource_id}`, {
      summary: "Archive a resource: it bounds services no more",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: ResourceView,
    }),
    async (c) => {
      const { resource_id } = c.req.valid("param");
      const record = await archiveResource(merchantContext(c), resource_id);
      return c.json(answer(viewResource(record)), 200);
    },
  );
