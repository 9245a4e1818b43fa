import { z } from "@hono/zod-openapi";
import { defaultLocation } from "../../../../shared/businesses/index.ts";
import { defaultVariantOf } from "../../../../shared/catalogue/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  archiveService,
  createService,
  findBookableService,
  findOccupancy,
  occupancyRangeOfDays,
  serviceRepo,
  slotOfferFor,
  slotsOfDay,
  updateService,
  withoutBookingLimits,
} from "../../../../shared/scheduling/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { SlotDayView, viewSlotDay } from "../../../wire/views/slot-day.ts";
import {
  addArchivedLocations,
  createContextForLocations,
  createMerchantContext,
} from "../../context.ts";
import { SlotDayQuery } from "../../requests/booking-fields.ts";
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
    route("get", `${path}/{service_id}/slots`, {
      operationId: "listServiceSlots",
      tag: "Services",
      summary: "List a day's slots of a service, as the business may book them",
      access: secretKey("catalogue:read"),
      params: oneParams,
      query: SlotDayQuery,
      response: SlotDayView,
    }),
    async (c) => {
      const { date, participant_count: participants, ...query } = c.req.valid("query");
      const { location_id: locationId = null } = query;
      const ctx = await createContextForLocations(c, locationId === null ? [] : [locationId]);
      const { data } = await findBookableService(ctx, c.req.valid("param").service_id);
      if (data === null) throw notFound("service");
      const offer = slotOfferFor(
        withoutBookingLimits(data),
        {
          variantId: query.variant_id ?? defaultVariantOf(data.product)?.id ?? null,
          locationId,
          staffId: query.staff_id ?? null,
        },
        ctx.business,
      );
      const now = ctx.now();
      const range = occupancyRangeOfDays(offer, { first: date, last: date });
      const occupancy = await findOccupancy(ctx, offer, { range, now });
      const slots = slotsOfDay(offer, occupancy, { date, participants, now });
      return c.json(envelope(viewSlotDay(offer, date, slots)), 200);
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
