import { z } from "@hono/zod-openapi";
import { addressRepo } from "../../../shared/link/index.ts";
import { createRoutes } from "../../http/app.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { linkSessionRequired as access } from "../access.ts";
import { createAccountContext } from "../context.ts";
import { AddressBody, addressFields, toAddressFields } from "../requests/saved-fields.ts";
import { AddressView, viewAddress } from "../views/address.ts";
import { RemovedView, viewRemoved } from "../views/removed.ts";

const params = z.object({ id: id() });
const Patch = z.object({
  ...addressFields,
  street_address: addressFields.street_address.optional(),
});

/** Saved addresses (docs/contract/link.md#addresses). */
export const addresses = createRoutes()
  .openapi(
    route("get", "/addresses", {
      operationId: "listAddresses",
      tag: "Addresses",
      summary: "List the account's addresses",
      access,
      response: z.array(AddressView),
    }),
    async (c) => {
      const addresses = await addressRepo(createAccountContext(c)).list();
      return c.json(envelope(addresses.map(viewAddress)), 200);
    },
  )
  .openapi(
    route("post", "/addresses", {
      operationId: "createAddress",
      tag: "Addresses",
      summary: "Save an address; the first one is the default, at most 50",
      access,
      rules: ["ADDRESS_LIMIT"],
      body: requireJson(AddressBody),
      response: AddressView,
    }),
    async (c) => {
      const ctx = createAccountContext(c);
      const address = { id: ctx.newId("addr"), ...toAddressFields(c.req.valid("json")) };
      return c.json(envelope(viewAddress(await addressRepo(ctx).add(address, ctx.now()))), 200);
    },
  )
  .openapi(
    route("post", "/addresses/{id}", {
      operationId: "updateAddress",
      tag: "Addresses",
      summary: "Update an address; omitted fields stay",
      access,
      params,
      body: requireJson(Patch),
      response: AddressView,
    }),
    async (c) => {
      const ctx = createAccountContext(c);
      const { street_address: streetAddress, ...patch } = c.req.valid("json");
      const changed = await addressRepo(ctx).update(
        c.req.valid("param").id,
        { ...patch, streetAddress },
        ctx.now(),
      );
      return c.json(envelope(viewAddress(changed)), 200);
    },
  )
  .openapi(
    route("delete", "/addresses/{id}", {
      operationId: "removeAddress",
      tag: "Addresses",
      summary: "Remove an address; the most recently used one replaces a removed default",
      access,
      params,
      response: RemovedView,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await addressRepo(createAccountContext(c)).remove(id);
      return c.json(envelope(viewRemoved(id)), 200);
    },
  )
  .openapi(
    route("post", "/addresses/{id}/default", {
      operationId: "setDefaultAddress",
      tag: "Addresses",
      summary: "Make the address the default",
      access,
      params,
      response: AddressView,
    }),
    async (c) => {
      const address = await addressRepo(createAccountContext(c)).makeDefault(
        c.req.valid("param").id,
      );
      return c.json(envelope(viewAddress(address)), 200);
    },
  )
  .openapi(
    route("post", "/addresses/{id}/track-usage", {
      operationId: "trackAddressUsage",
      tag: "Addresses",
      summary: "Record a use of the address",
      access,
      params,
      response: AddressView,
    }),
    async (c) => {
      const ctx = createAccountContext(c);
      const used = await addressRepo(ctx).countUse(c.req.valid("param").id, ctx.now());
      return c.json(envelope(viewAddress(used)), 200);
    },
  );
