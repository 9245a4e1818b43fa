import { z } from "@hono/zod-openapi";
import {
  addLocation,
  archiveLocation,
  locationRepo,
  updateLocation,
} from "../../../../shared/businesses/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { answersOfKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { id, name } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import { timezone } from "../../requests/fields.ts";
import {
  AddressFields,
  Closures,
  LocationView,
  OperatingHours,
  readAddress,
  viewLocation,
} from "../../views/settings/location.ts";

const path = "/v1/businesses/{business_id}/locations";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ location_id: id() });

const LocationFields = z
  .object({
    name: name(),
    address: AddressFields.nullable(),
    timezone: timezone(),
    operating_hours: OperatingHours,
    closures: Closures,
    is_default: z.boolean(),
  })
  .partial();

const NewLocation = LocationFields.required({ name: true });

const readFields = (fields: z.infer<typeof LocationFields>) => ({
  address: fields.address && readAddress(fields.address),
  timezone: fields.timezone,
  operatingHours: fields.operating_hours,
  closures: fields.closures,
  isDefault: fields.is_default,
});

export const locations = area()
  .openapi(
    contract("get", path, {
      summary: "The business's locations, as they were added",
      access: secretKey("settings:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(LocationView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core, business } = merchantContext(c);
      const after = idPosition(cursor);
      const found = await locationRepo(core, business.id).list({ limit: limit + 1, after });
      const view = viewLocation;
      return c.json(answer(pageOf(found, { limit, view, position: ({ id }) => id })), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{location_id}`, {
      summary: "One location",
      access: secretKey("settings:read"),
      params: oneParams,
      answer: LocationView,
    }),
    async (c) => {
      const { core, business } = merchantContext(c);
      const { location_id } = c.req.valid("param");
      const found = await locationRepo(core, business.id).getStanding(location_id);
      return c.json(answer(viewLocation(found)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Add a location",
      access: secretKey("settings:write"),
      params,
      body: json(NewLocation),
      answer: LocationView,
      status: 201,
      answersOf: answersOfKeyInCore,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const added = await addLocation(merchantContext(c), {
        ...readFields(fields),
        name: fields.name,
      });
      return c.json(answer(viewLocation(added)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{location_id}`, {
      summary: "Change a location",
      access: secretKey("settings:write"),
      params: oneParams,
      body: json(LocationFields),
      answer: LocationView,
      answersOf: answersOfKeyInCore,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const changes = { ...readFields(fields), name: fields.name };
      const { location_id } = c.req.valid("param");
      const changed = await updateLocation(merchantContext(c), { id: location_id, changes });
      return c.json(answer(viewLocation(changed)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{location_id}`, {
      summary: "Archive a location",
      access: secretKey("settings:write"),
      params: oneParams,
      answer: LocationView,
      answersOf: answersOfKeyInCore,
    }),
    async (c) => {
      const { location_id } = c.req.valid("param");
      const { location, archivedAt } = await archiveLocation(merchantContext(c), location_id);
      return c.json(answer(viewLocation(location, archivedAt)), 200);
    },
  );
