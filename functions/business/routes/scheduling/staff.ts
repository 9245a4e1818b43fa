import { z } from "@hono/zod-openapi";
import {
  archiveStaffMember,
  createStaffMember,
  staffRepo,
  updateStaffMember,
} from "../../../../shared/scheduling/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id, name } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import { Closures, StaffHours } from "../../requests/location-fields.ts";
import { StaffView, viewStaff } from "../../views/scheduling/staff.ts";

const path = "/v1/businesses/{business_id}/staff";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ staff_id: id() });

const StaffFields = z.object({ name: name(), hours: StaffHours, time_off: Closures }).partial();

const NewStaffMemberBody = StaffFields.required({ name: true });

export const staff = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listStaffMembers",
      tag: "Staff",
      summary: "List staff members, oldest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(StaffView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const records = await staffRepo(ctx).list({
        limit: limit + 1,
        after: parseIdPosition(cursor),
      });
      const position = ({ member }: (typeof records)[number]) => member.id;
      return c.json(envelope(createPage(records, { limit, view: viewStaff, position })), 200);
    },
  )
  .openapi(
    route("get", `${path}/{staff_id}`, {
      operationId: "getStaffMember",
      tag: "Staff",
      summary: "Get a staff member",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: StaffView,
    }),
    async (c) => {
      const record = await staffRepo(createMerchantContext(c)).get(c.req.valid("param").staff_id);
      return c.json(envelope(viewStaff(record)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createStaffMember",
      tag: "Staff",
      summary: "Create a staff member",
      description: "Without hours, they work whenever the location is open.",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewStaffMemberBody),
      response: StaffView,
      status: 201,
    }),
    async (c) => {
      const { name, hours = null, time_off: timeOff = [] } = c.req.valid("json");
      const record = await createStaffMember(createMerchantContext(c), { name, hours, timeOff });
      return c.json(envelope(viewStaff(record)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{staff_id}`, {
      operationId: "updateStaffMember",
      tag: "Staff",
      summary: "Update a staff member",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(StaffFields),
      response: StaffView,
    }),
    async (c) => {
      const { name, hours, time_off: timeOff } = c.req.valid("json");
      const { staff_id } = c.req.valid("param");
      const record = await updateStaffMember(createMerchantContext(c), staff_id, {
        name,
        hours,
        timeOff,
      });
      return c.json(envelope(viewStaff(record)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{staff_id}`, {
      operationId: "archiveStaffMember",
      tag: "Staff",
      summary: "Archive a staff member, who then takes no more bookings",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: StaffView,
    }),
    async (c) => {
      const { staff_id } = c.req.valid("param");
      const record = await archiveStaffMember(createMerchantContext(c), staff_id);
      return c.json(envelope(viewStaff(record)), 200);
    },
  );
