import { z } from "@hono/zod-openapi";
import { defaultLocation } from "../../../../shared/businesses/index.ts";
import {
  archiveService,
  createService,
  serviceRepo,
  updateService,
} from "../../../../shared/scheduling/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { contextNaming, merchantContext, withArchivedLocations } from "../../context.ts";
import {
  locationsNamed,
  readPricedProduct,
  readProduct,
} from "../../requests/catalogue/product-fields.ts";
import {
  NewService,
  readNewService,
  readService,
  ServiceFields,
  serviceLocationsNamed,
} from "../../requests/catalogue/service-fields.ts";
import { ServiceRecordView, viewServiceRecord } from "../../views/scheduling/service.ts";

const path = "/v1/businesses/{business_id}/services";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ service_id: id() });

export const services = area()
  .openapi(
    contract("get", path, {
      summary: "The business's services, the newest first, inactive ones too",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(ServiceRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const found = await serviceRepo(ctx).list({ limit: limit + 1, after: idPosition(cursor) });
      const page = pageOf(found, {
        limit,
        view: (record) => viewServiceRecord(record, ctx.business),
        position: ({ service }) => service.id,
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{service_id}`, {
      summary: "One service, by its id or its product's",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: ServiceRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await serviceRepo(ctx).get(c.req.valid("param").service_id);
      return c.json(answer(viewServiceRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Offer a service",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewService),
      answer: ServiceRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await contextNaming(c, serviceLocationsNamed(fields));
      const record = await createService(ctx, {
        product: readPricedProduct(fields, ctx.business),
        service: readNewService(fields, defaultLocation(ctx.business)),
      });
      return c.json(answer(viewServiceRecord(record, ctx.business)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{service_id}`, {
      summary: "Change a service",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(ServiceFields),
      answer: ServiceRecordView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await contextNaming(c, serviceLocationsNamed(fields));
      const business = await withArchivedLocations(ctx, locationsNamed(fields));
      const record = await updateService(ctx, c.req.valid("param").service_id, {
        product: readProduct(fields, business),
        service: readService(fields),
      });
      return c.json(answer(viewServiceRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{service_id}`, {
      summary: "End the offer of a service and archive its product",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: ServiceRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await archiveService(ctx, c.req.valid("param").service_id);
      return c.json(answer(viewServiceRecord(record, ctx.business)), 200);
    },
  );
