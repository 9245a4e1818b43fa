import { z } from "@hono/zod-openapi";
import {
  addDomain,
  domainRepo,
  parseHostname,
  removeDomain,
  verifyDomain,
} from "../../../../shared/businesses/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { createTxtLookup } from "../../../runtime/dns.ts";
import { id, text } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import { DomainView, viewDomain } from "../../views/settings/domain.ts";

const path = "/v1/businesses/{business_id}/domains";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ domain_id: id() });

const NewDomainBody = z.object({
  hostname: text(300)
    .transform((value, { addIssue }) => {
      const hostname = parseHostname(value);
      if (hostname !== null) return hostname;
      addIssue({ code: "custom", message: "must be a public hostname such as shop.example.com" });
      return z.NEVER;
    })
    .openapi({ type: "string", example: "shop.example.com" }),
});

/** The hostnames of the deployment itself. */
function ownHosts(c: RequestContext): string[] {
  const { publicUrl, cdnUrl } = c.get("settings");
  return [c.req.url, publicUrl, cdnUrl].flatMap((url) => URL.parse(url ?? "")?.hostname ?? []);
}

/** The hostnames of a business's shop (docs/contract/business.md#domains). */
export const domains = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listDomains",
      tag: "Domains",
      summary: "List domains, oldest first",
      access: secretKey("settings:read"),
      params,
      query: z.object(pageQuery),
      response: Page(DomainView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core, business } = createMerchantContext(c);
      const after = parseIdPosition(cursor);
      const records = await domainRepo(core, business.id).list({ limit: limit + 1, after });
      const view = viewDomain;
      return c.json(envelope(createPage(records, { limit, view, position: ({ id }) => id })), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "addDomain",
      tag: "Domains",
      summary: "Add a domain, which leads to the shop once it is verified",
      access: secretKey("settings:write"),
      rules: ["DOMAIN_LIMIT"],
      params,
      body: requireJson(NewDomainBody),
      response: DomainView,
      status: 201,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const { hostname } = c.req.valid("json");
      const ctx = createMerchantContext(c);
      const domain = await addDomain(ctx, { hostname, ownHosts: ownHosts(c) });
      return c.json(envelope(viewDomain(domain)), 201);
    },
  )
  .openapi(
    route("post", `${path}/{domain_id}/verify`, {
      operationId: "verifyDomain",
      tag: "Domains",
      summary: "Look for the domain's DNS record now",
      access: secretKey("settings:write"),
      rules: ["DOMAIN_NOT_VERIFIED"],
      params: oneParams,
      response: DomainView,
      idempotency: { store: storeByApiKeyInCore, resumable: true },
    }),
    async (c) => {
      const { core, business, now } = createMerchantContext(c);
      const domain = await domainRepo(core, business.id).get(c.req.valid("param").domain_id);
      const lookUpTxt = createTxtLookup(c.get("settings"));
      const verified = await verifyDomain({ core, now, lookUpTxt }, domain);
      return c.json(envelope(viewDomain(verified)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{domain_id}`, {
      operationId: "removeDomain",
      tag: "Domains",
      summary: "Remove a domain",
      description: "It leads nowhere within 10 seconds.",
      access: secretKey("settings:write"),
      params: oneParams,
      response: DomainView,
      idempotency: { store: storeByApiKeyInCore },
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const removed = await removeDomain(ctx, c.req.valid("param").domain_id);
      return c.json(envelope(viewDomain(removed)), 200);
    },
  );
