import { z } from "@hono/zod-openapi";
import {
  archiveResource,
  createResource,
  resourceRepo,
  updateResource,
} from "../../../../shared/scheduling/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id, name } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import { ResourceView, viewResource } from "../../views/scheduling/resource.ts";

const path = "/v1/businesses/{business_id}/resources";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ resource_id: id() });

const ResourceFields = z
  .object({ name: name(), capacity: z.number().int().min(1).max(100_000) })
  .partial();

const NewResourceBody = ResourceFields.required({ name: true });

export const resources = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listResources",
      tag: "Resources",
      summary: "List resources, oldest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(ResourceView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const records = await resourceRepo(ctx).list({
        limit: limit + 1,
        after: parseIdPosition(cursor),
      });
      const position = ({ resource }: (typeof records)[number]) => resource.id;
      return c.json(envelope(createPage(records, { limit, view: viewResource, position })), 200);
    },
  )
  .openapi(
    route("get", `${path}/{resource_id}`, {
      operationId: "getResource",
      tag: "Resources",
      summary: "Get a resource",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: ResourceView,
    }),
    async (c) => {
      const record = await resourceRepo(createMerchantContext(c)).get(
        c.req.valid("param").resource_id,
      );
      return c.json(envelope(viewResource(record)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createResource",
      tag: "Resources",
      summary: "Create a resource that services need",
      description: "Its default capacity is one booking at a time.",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewResourceBody),
      response: ResourceView,
      status: 201,
    }),
    async (c) => {
      const { name, capacity = 1 } = c.req.valid("json");
      const record = await createResource(createMerchantContext(c), { name, capacity });
      return c.json(envelope(viewResource(record)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{resource_id}`, {
      operationId: "updateResource",
      tag: "Resources",
      summary: "Update a resource",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(ResourceFields),
      response: ResourceView,
    }),
    async (c) => {
      const { resource_id } = c.req.valid("param");
      const record = await updateResource(
        createMerchantContext(c),
        resource_id,
        c.req.valid("json"),
      );
      return c.json(envelope(viewResource(record)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{resource_id}`, {
      operationId: "archiveResource",
      tag: "Resources",
      summary: "Archive a resource, which then limits no service",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: ResourceView,
    }),
    async (c) => {
      const { resource_id } = c.req.valid("param");
      const record = await archiveResource(createMerchantContext(c), resource_id);
      return c.json(envelope(viewResource(record)), 200);
    },
  );
