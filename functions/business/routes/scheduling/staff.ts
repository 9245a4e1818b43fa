import { z } from "@hono/zod-openapi";
import {
  archiveStaffMember,
  createStaffMember,
  staffRepo,
  updateStaffMember,
} from "../../../../shared/scheduling/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id, name } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import { StaffView, viewStaff } from "../../views/scheduling/staff.ts";
import { Closures, StaffHours } from "../../views/settings/location.ts";

const path = "/v1/businesses/{business_id}/staff";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ staff_id: id() });

const StaffFields = z.object({ name: name(), hours: StaffHours, time_off: Closures }).partial();

const NewStaffMember = StaffFields.required({ name: true });

export const staff = area()
  .openapi(
    contract("get", path, {
      summary: "The business's staff, as they were added",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(StaffView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const found = await staffRepo(ctx).list({ limit: limit + 1, after: idPosition(cursor) });
      const position = ({ member }: (typeof found)[number]) => member.id;
      return c.json(answer(pageOf(found, { limit, view: viewStaff, position })), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{staff_id}`, {
      summary: "One staff member",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: StaffView,
    }),
    async (c) => {
      const record = await staffRepo(merchantContext(c)).get(c.req.valid("param").staff_id);
      return c.json(answer(viewStaff(record)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Add somebody who gives services; without hours, whenever the location is open",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewStaffMember),
      answer: StaffView,
      status: 201,
    }),
    async (c) => {
      const { name, hours = null, time_off: timeOff = [] } = c.req.valid("json");
      const record = await createStaffMember(merchantContext(c), { name, hours, timeOff });
      return c.json(answer(viewStaff(record)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{staff_id}`, {
      summary: "Change a staff member",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(StaffFields),
      answer: StaffView,
    }),
    async (c) => {
      const { name, hours, time_off: timeOff } = c.req.valid("json");
      const { staff_id } = c.req.valid("param");
      const record = await updateStaffMember(merchantContext(c), staff_id, {
        name,
        hours,
        timeOff,
      });
      return c.json(answer(viewStaff(record)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{staff_id}`, {
      summary: "Archive a staff member: they give no services any more",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: StaffView,
    }),
    async (c) => {
      const { staff_id } = c.req.valid("param");
      const record = await archiveStaffMember(merchantContext(c), staff_id);
      return c.json(answer(viewStaff(record)), 200);
    },
  );
