import { z } from "@hono/zod-openapi";
import { defaultLocation } from "../../../../shared/businesses/index.ts";
import {
  archiveService,
  createService,
  serviceRepo,
  updateService,
} from "../../../../shared/scheduling/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import {
  addArchivedLocations,
  createContextForLocations,
  createMerchantContext,
} from "../../context.ts";
import {
  locationIdsIn,
  toNewProduct,
  toProductPatch,
} from "../../requests/catalogue/product-fields.ts";
import {
  NewServiceBody,
  ServiceFields,
  serviceLocationIdsIn,
  toNewServiceFields,
  toServicePatch,
} from "../../requests/catalogue/service-fields.ts";
import { ServiceRecordView, viewServiceRecord } from "../../views/scheduling/service.ts";

const path = "/v1/businesses/{business_id}/services";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ service_id: id() });

export const services = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listServices",
      tag: "Services",
      summary: "List services, including inactive ones, newest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(ServiceRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const records = await serviceRepo(ctx).list({
        limit: limit + 1,
        after: parseIdPosition(cursor),
      });
      const page = createPage(records, {
        limit,
        view: (record) => viewServiceRecord(record, ctx.business),
        position: ({ service }) => service.id,
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{service_id}`, {
      operationId: "getService",
      tag: "Services",
      summary: "Get a service by its id or its product's id",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: ServiceRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await serviceRepo(ctx).get(c.req.valid("param").service_id);
      return c.json(envelope(viewServiceRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createService",
      tag: "Services",
      summary: "Create a service",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewServiceBody),
      response: ServiceRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, serviceLocationIdsIn(fields));
      const record = await createService(ctx, {
        product: toNewProduct(fields, ctx.business),
        service: toNewServiceFields(fields, defaultLocation(ctx.business)),
      });
      return c.json(envelope(viewServiceRecord(record, ctx.business)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{service_id}`, {
      operationId: "updateService",
      tag: "Services",
      summary: "Update a service",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(ServiceFields),
      response: ServiceRecordView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, serviceLocationIdsIn(fields));
      const business = await addArchivedLocations(ctx, locationIdsIn(fields));
      const record = await updateService(ctx, c.req.valid("param").service_id, {
        product: toProductPatch(fields, business),
        service: toServicePatch(fields),
      });
      return c.json(envelope(viewServiceRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{service_id}`, {
      operationId: "archiveService",
      tag: "Services",
      summary: "Archive a service and its product",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: ServiceRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await archiveService(ctx, c.req.valid("param").service_id);
      return c.json(envelope(viewServiceRecord(record, ctx.business)), 200);
    },
  );
