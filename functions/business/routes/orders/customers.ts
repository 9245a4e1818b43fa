import { z } from "@hono/zod-openapi";
import {
  addCustomerNote,
  createCustomer,
  customerRepo,
  exportCustomers,
  listCustomerNotes,
  updateCustomer,
} from "../../../../shared/customers/index.ts";
import { erasePersonalData, exportPersonalData } from "../../../../shared/personal-data/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { codeSettingsOf } from "../../../http/authentication/one-time-codes.ts";
import { publicAddressOf } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id, name } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import { readTranscripts } from "../../conversation-call.ts";
import { csvRoute, sendCsv } from "../../csv-response.ts";
import type { BusinessBindings } from "../../env.ts";
import { CustomerFields, NoteBody, toCustomerPatch } from "../../requests/customer-fields.ts";
import { MerchantCustomerView, viewMerchantCustomer } from "../../views/orders/customer.ts";
import { NoteView, viewNote } from "../../views/orders/note.ts";
import { PersonalDataView, viewPersonalData } from "../../views/orders/personal-data.ts";

const path = "/v1/businesses/{business_id}/customers";
const onePath = `${path}/{customer_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ customer_id: id() });

const search = name(100).optional();

/** The business's calls for customers (docs/contract/business.md#customer-calls). */
export const customers = createRoutes<BusinessBindings>()
  .openapi(
    route("get", path, {
      operationId: "listCustomers",
      tag: "Customers",
      summary: "List customers, newest first, optionally by name, e-mail address or phone number",
      access: secretKey("customers:read"),
      params,
      query: z.object({ ...pageQuery, search }),
      response: Page(MerchantCustomerView),
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { limit, cursor, search } = c.req.valid("query");
      const records = await customerRepo(ctx).list({
        search,
        limit: limit + 1,
        after: parseIdPosition(cursor),
      });
      const view = viewMerchantCustomer;
      return c.json(envelope(createPage(records, { limit, view, position: ({ id }) => id })), 200);
    },
  )
  .openapi(
    csvRoute(`${path}/export`, {
      operationId: "exportCustomers",
      tag: "Customers",
      summary: "Export customers as a CSV, newest first",
      access: secretKey("customers:read"),
      params,
      query: z.object({ search }),
    }),
    async (c) =>
      sendCsv(
        c,
        "customers.csv",
        exportCustomers(createMerchantContext(c), c.req.valid("query").search),
      ),
  )
  .openapi(
    route("post", path, {
      operationId: "createCustomer",
      tag: "Customers",
      summary: "Create a customer",
      description: "The first person who verifies one of the contacts gets it.",
      access: secretKey("customers:write"),
      params,
      body: requireJson(CustomerFields),
      response: MerchantCustomerView,
      status: 201,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const patch = toCustomerPatch(c.req.valid("json"), ctx.business);
      const customer = await createCustomer(ctx, {
        name: patch.name ?? null,
        email: patch.email ?? null,
        phone: patch.phone ?? null,
        tags: patch.tags ?? [],
        isTaxExempt: patch.isTaxExempt ?? false,
      });
      return c.json(envelope(viewMerchantCustomer(customer)), 201);
    },
  )
  .openapi(
    route("patch", onePath, {
      operationId: "updateCustomer",
      tag: "Customers",
      summary: "Change a customer's name, contacts, tags or tax exemption",
      access: secretKey("customers:write"),
      params: oneParams,
      body: requireJson(CustomerFields),
      response: MerchantCustomerView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const patch = toCustomerPatch(c.req.valid("json"), ctx.business);
      const updated = await updateCustomer(ctx, c.req.valid("param").customer_id, patch);
      return c.json(envelope(viewMerchantCustomer(updated)), 200);
    },
  )
  .openapi(
    route("get", `${onePath}/notes`, {
      operationId: "listCustomerNotes",
      tag: "Customers",
      summary: "List the notes about a customer, newest first",
      access: secretKey("customers:read"),
      params: oneParams,
      query: z.object(pageQuery),
      response: Page(NoteView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const notes = await listCustomerNotes(
        createMerchantContext(c),
        c.req.valid("param").customer_id,
        { limit: limit + 1, after: parseIdPosition(cursor) },
      );
      const page = createPage(notes, { limit, view: viewNote, position: ({ id }) => id });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/notes`, {
      operationId: "addCustomerNote",
      tag: "Customers",
      summary: "Add a note to a customer",
      description: "Shoppers never see it.",
      access: secretKey("customers:write"),
      params: oneParams,
      body: requireJson(NoteBody),
      response: NoteView,
      status: 201,
    }),
    async (c) => {
      const note = await addCustomerNote(
        createMerchantContext(c),
        c.req.valid("param").customer_id,
        c.req.valid("json").text,
      );
      return c.json(envelope(viewNote(note)), 201);
    },
  )
  .openapi(
    route("get", onePath, {
      operationId: "getCustomer",
      tag: "Customers",
      summary: "Get a customer",
      access: secretKey("customers:read"),
      params: oneParams,
      response: MerchantCustomerView,
    }),
    async (c) => {
      const customer = await customerRepo(createMerchantContext(c)).get(
        c.req.valid("param").customer_id,
      );
      return c.json(envelope(viewMerchantCustomer(customer)), 200);
    },
  )
  .openapi(
    route("get", `${onePath}/data`, {
      operationId: "exportCustomerData",
      tag: "Customers",
      summary: "Export a customer's personal data",
      access: secretKey("customers:read"),
      params: oneParams,
      response: PersonalDataView,
    }),
    async (c) => {
      const data = await exportPersonalData(
        createMerchantContext(c),
        c.req.valid("param").customer_id,
      );
      const conversations = await readTranscripts(c, data.supportConversations);
      return c.json(
        envelope(viewPersonalData(data, { conversations, address: publicAddressOf(c) })),
        200,
      );
    },
  )
  .openapi(
    route("delete", `${onePath}/data`, {
      operationId: "eraseCustomerData",
      tag: "Customers",
      summary: "Erase a customer's personal data",
      description: "Orders keep their amounts.",
      access: secretKey("customers:write"),
      params: oneParams,
      response: MerchantCustomerView,
      idempotency: { resumable: true },
    }),
    async (c) => {
      const codes = await codeSettingsOf(c.get("settings"));
      const erased = await erasePersonalData(
        { ...createMerchantContext(c), codes },
        c.req.valid("param").customer_id,
      );
      return c.json(envelope(viewMerchantCustomer(erased)), 200);
    },
  );
