import { z } from "@hono/zod-openapi";
import { contactTypes } from "../../../shared/customers/index.ts";
import { iso, isoOrNull } from "../../../shared/kernel/index.ts";
import {
  addContact,
  type ContactChangeContext,
  type LinkContact,
  removeContact,
} from "../../../shared/link/index.ts";
import { redeemCodes } from "../../../shared/one-time-codes/index.ts";
import { createRoutes } from "../../http/app.ts";
import {
  contactFields,
  createCodeContext,
  parseContact,
} from "../../http/authentication/one-time-codes.ts";
import type { RequestContext } from "../../http/context.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { callerNetwork } from "../../http/rate-limits/rate-limit.ts";
import { queueNoticeToEach } from "../../runtime/message-queue.ts";
import { id, text } from "../../wire/fields.ts";
import { linkSessionRequired as access } from "../access.ts";
import { linkCodes } from "../code-login.ts";
import { createAccountContext, openCore, requireLinkSession } from "../context.ts";
import type { LinkBindings } from "../env.ts";
import { defaultCountryOf } from "../requests/saved-fields.ts";
import { RemovedView, viewRemoved } from "../views/removed.ts";

const code = () => text(6).min(4);

const ContactView = z
  .object({
    id: z.string(),
    contact: z.string(),
    contact_type: z.enum(contactTypes),
    verified_at: z.string().nullable(),
    created_at: z.string(),
  })
  .openapi("LinkContact");

const body = requireJson(
  z.object({
    ...contactFields,
    otp_code: code(),
    confirmation: z.object({ contact_id: id(), otp_code: code() }),
  }),
);

/** The contacts with which the account's owner logs in (docs/contract/link.md#contacts). */
export const contacts = createRoutes<LinkBindings>()
  .openapi(
    route("get", "/contacts", {
      operationId: "listContacts",
      tag: "Contacts",
      summary: "List the account's contacts",
      access,
      response: z.array(ContactView),
    }),
    async (c) => c.json(envelope(requireLinkSession(c).contacts.map(viewContact)), 200),
  )
  .openapi(
    route("post", "/contacts", {
      operationId: "addContact",
      tag: "Contacts",
      summary: "Add a contact, with a code to it and a code to a contact of the account",
      access,
      rules: ["INVALID_CODE", "CONTACT_LIMIT"],
      body,
      response: ContactView,
    }),
    async (c) => {
      const { confirmation, otp_code, ...fields } = c.req.valid("json");
      const session = requireLinkSession(c);
      const codes = await createCodeContext(c, linkCodes(c, session.account.mode));
      const added = await addContact(
        {
          ...createContactContext(c),
          redeemCodes: (proofs) => redeemCodes(codes, { proofs, network: callerNetwork(c) }),
        },
        {
          session,
          contact: parseContact(fields, { defaultCountry: defaultCountryOf(c) }),
          code: otp_code,
          confirmation: { contactId: confirmation.contact_id, code: confirmation.otp_code },
        },
      );
      return c.json(envelope(viewContact(added)), 200);
    },
  )
  .openapi(
    route("delete", "/contacts/{contact_id}", {
      operationId: "removeContact",
      tag: "Contacts",
      summary: "Remove a contact and end all sessions of the account",
      access,
      rules: ["LAST_CONTACT"],
      params: z.object({ contact_id: id() }),
      response: RemovedView,
    }),
    async (c) => {
      const { contact_id } = c.req.valid("param");
      await removeContact(createContactContext(c), requireLinkSession(c), contact_id);
      return c.json(envelope(viewRemoved(contact_id)), 200);
    },
  );

const createContactContext = (c: RequestContext<LinkBindings>): ContactChangeContext => ({
  ...createAccountContext(c),
  notifyEach: (contacts, notice) =>
    queueNoticeToEach(
      { bindings: c.env, settings: c.get("settings"), core: openCore(c) },
      { contacts, notice },
    ),
});

const viewContact = (contact: LinkContact): z.infer<typeof ContactView> => ({
  id: contact.id,
  contact: contact.value,
  contact_type: contact.type,
  verified_at: isoOrNull(contact.verifiedAt),
  created_at: iso(contact.createdAt),
});
