import { z } from "@hono/zod-openapi";
import {
  addLocation,
  archiveLocation,
  locationRepo,
  updateLocation,
} from "../../../../shared/businesses/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import {
  LocationFields,
  NewLocationBody,
  toLocationFields,
} from "../../requests/location-fields.ts";
import { LocationView, viewLocation } from "../../views/settings/location.ts";

const path = "/v1/businesses/{business_id}/locations";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ location_id: id() });

export const locations = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listLocations",
      tag: "Locations",
      summary: "List locations, oldest first",
      access: secretKey("settings:read"),
      params,
      query: z.object(pageQuery),
      response: Page(LocationView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core, business } = createMerchantContext(c);
      const after = parseIdPosition(cursor);
      const records = await locationRepo(core, business.id).list({ limit: limit + 1, after });
      const view = viewLocation;
      return c.json(envelope(createPage(records, { limit, view, position: ({ id }) => id })), 200);
    },
  )
  .openapi(
    route("get", `${path}/{location_id}`, {
      operationId: "getLocation",
      tag: "Locations",
      summary: "Get a location",
      access: secretKey("settings:read"),
      params: oneParams,
      response: LocationView,
    }),
    async (c) => {
      const { core, business } = createMerchantContext(c);
      const { location_id } = c.req.valid("param");
      const record = await locationRepo(core, business.id).getActive(location_id);
      return c.json(envelope(viewLocation(record)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createLocation",
      tag: "Locations",
      summary: "Create a location",
      access: secretKey("settings:write"),
      rules: ["INVALID_STATE"],
      params,
      body: requireJson(NewLocationBody),
      response: LocationView,
      status: 201,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const added = await addLocation(createMerchantContext(c), {
        ...toLocationFields(fields),
        name: fields.name,
      });
      return c.json(envelope(viewLocation(added)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{location_id}`, {
      operationId: "updateLocation",
      tag: "Locations",
      summary: "Update a location",
      access: secretKey("settings:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      body: requireJson(LocationFields),
      response: LocationView,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const changes = { ...toLocationFields(fields), name: fields.name };
      const { location_id } = c.req.valid("param");
      const changed = await updateLocation(createMerchantContext(c), { id: location_id, changes });
      return c.json(envelope(viewLocation(changed)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{location_id}`, {
      operationId: "archiveLocation",
      tag: "Locations",
      summary: "Archive a location",
      access: secretKey("settings:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      response: LocationView,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const { location_id } = c.req.valid("param");
      const { location, archivedAt } = await archiveLocation(createMerchantContext(c), location_id);
      return c.json(envelope(viewLocation(location, archivedAt)), 200);
    },
  );
