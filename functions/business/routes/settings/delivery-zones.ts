import { z } from "@hono/zod-openapi";
import {
  archiveZone,
  createZone,
  updateZone,
  zoneRepo,
} from "../../../../shared/delivery/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createContextForLocations, createMerchantContext } from "../../context.ts";
import {
  NewZoneFields,
  toNewZone,
  toZonePatch,
  ZoneFields,
} from "../../requests/delivery-fields.ts";
import { viewZone, ZoneView } from "../../views/settings/delivery.ts";

const path = "/v1/businesses/{business_id}/delivery/zones";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ zone_id: id() });

export const deliveryZones = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listDeliveryZones",
      tag: "Delivery",
      summary: "List delivery zones, oldest first",
      access: secretKey("settings:read"),
      params,
      query: z.object(pageQuery),
      response: Page(ZoneView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const after = parseIdPosition(cursor);
      const zones = await zoneRepo(createMerchantContext(c)).list({ limit: limit + 1, after });
      const page = createPage(zones, { limit, view: viewZone, position: (zone) => zone.id });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{zone_id}`, {
      operationId: "getDeliveryZone",
      tag: "Delivery",
      summary: "Get a delivery zone",
      access: secretKey("settings:read"),
      params: oneParams,
      response: ZoneView,
    }),
    async (c) => {
      const { zone } = await zoneRepo(createMerchantContext(c)).get(c.req.valid("param").zone_id);
      return c.json(envelope(viewZone(zone)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createDeliveryZone",
      tag: "Delivery",
      summary: "Create a delivery zone",
      access: secretKey("settings:write"),
      rules: ["AREA_OVERLAP"],
      params,
      body: requireJson(NewZoneFields),
      response: ZoneView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, fields.location_ids ?? []);
      return c.json(envelope(viewZone(await createZone(ctx, toNewZone(fields)))), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{zone_id}`, {
      operationId: "updateDeliveryZone",
      tag: "Delivery",
      summary: "Update a delivery zone",
      access: secretKey("settings:write"),
      rules: ["AREA_OVERLAP"],
      params: oneParams,
      body: requireJson(ZoneFields),
      response: ZoneView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, fields.location_ids ?? []);
      const zone = await updateZone(ctx, c.req.valid("param").zone_id, toZonePatch(fields));
      return c.json(envelope(viewZone(zone)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{zone_id}`, {
      operationId: "archiveDeliveryZone",
      tag: "Delivery",
      summary: "Archive a delivery zone with its methods",
      description: "Its areas are free for another zone. Existing orders keep their delivery.",
      access: secretKey("settings:write"),
      params: oneParams,
      response: ZoneView,
    }),
    async (c) => {
      const zone = await archiveZone(createMerchantContext(c), c.req.valid("param").zone_id);
      return c.json(envelope(viewZone(zone)), 200);
    },
  );
