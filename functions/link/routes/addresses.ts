import { z } from "@hono/zod-openapi";
import { addressRepo } from "../../../shared/link/index.ts";
import { area } from "../../http/app.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { linkSession as access } from "../access.ts";
import { accountContext } from "../context.ts";
import { AddressBody, addressFields, addressOf } from "../requests/saved-fields.ts";
import { AddressView, viewAddress } from "../views/address.ts";
import { RemovedView, viewRemoved } from "../views/removed.ts";

const params = z.object({ id: id() });
const Patch = z.object({
  ...addressFields,
  street_address: addressFields.street_address.optional(),
});

/** interface.md, Link API: saved addresses. */
export const addresses = area()
  .openapi(
    contract("get", "/addresses", {
      summary: "The account's addresses",
      access,
      answer: z.array(AddressView),
    }),
    async (c) => {
      const listed = await addressRepo(accountContext(c)).list();
      return c.json(answer(listed.map(viewAddress)), 200);
    },
  )
  .openapi(
    contract("post", "/addresses", {
      summary: "Save an address; the first is the default, and there are at most 50",
      access,
      body: json(AddressBody),
      answer: AddressView,
    }),
    async (c) => {
      const ctx = accountContext(c);
      const address = { id: ctx.newId("addr"), ...addressOf(c.req.valid("json")) };
      return c.json(answer(viewAddress(await addressRepo(ctx).add(address, ctx.now()))), 200);
    },
  )
  .openapi(
    contract("post", "/addresses/{id}", {
      summary: "Change an address; what is left out stays",
      access,
      params,
      body: json(Patch),
      answer: AddressView,
    }),
    async (c) => {
      const ctx = accountContext(c);
      const { street_address: streetAddress, ...patch } = c.req.valid("json");
      const changed = await addressRepo(ctx).update(
        c.req.valid("param").id,
        { ...patch, streetAddress },
        ctx.now(),
      );
      return c.json(answer(viewAddress(changed)), 200);
    },
  )
  .openapi(
    contract("delete", "/addresses/{id}", {
      summary: "Remove an address; the one used last becomes the default when this was it",
      access,
      params,
      answer: RemovedView,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await addressRepo(accountContext(c)).remove(id);
      return c.json(answer(viewRemoved(id)), 200);
    },
  )
  .openapi(
    contract("post", "/addresses/{id}/default", {
      summary: "Make the address the default, and no other",
      access,
      params,
      answer: AddressView,
    }),
    async (c) => {
      const address = await addressRepo(accountContext(c)).makeDefault(c.req.valid("param").id);
      return c.json(answer(viewAddress(address)), 200);
    },
  )
  .openapi(
    contract("post", "/addresses/{id}/track-usage", {
      summary: "Count that the address was used",
      access,
      params,
      answer: AddressView,
    }),
    async (c) => {
      const ctx = accountContext(c);
      const used = await addressRepo(ctx).countUse(c.req.valid("param").id, ctx.now());
      return c.json(answer(viewAddress(used)), 200);
    },
  );
