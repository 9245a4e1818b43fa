import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { call, givenBusiness } from "../support/world.ts";
import { isMerchants, named, type Operation, operationsOfDocuments } from "./operations.ts";

const lists = (await operationsOfDocuments()).filter(({ parameters }) =>
  parameters.some(({ name }) => name === "cursor"),
);

/** No place in any list: neither an id, nor a number and an id, nor JSON. */
const foreign = encodeURIComponent(btoa("foreign!"));

function headersFor(
  operation: Operation,
  { publishable, secret }: CreatedBusiness["keys"],
): Record<string, string> {
  if (operation.security.some((way) => "operatorToken" in way))
    return { Authorization: `Bearer ${env.OPERATOR_TOKEN}` };
  return isMerchants(operation) ? { "X-API-Key": secret } : { "X-Public-Key": publishable };
}

it.each(named(lists))("%s refuses a cursor that is none of its own", async (_, operation) => {
  const { business, keys } = await givenBusiness();
  const path = operation.path.replace("{business_id}", business.id).replaceAll(/\{\w+\}/g, "any");
  const headers = headersFor(operation, keys);
  for (const cursor of [foreign, "%25"])
    expect(await call("GET", `${path}?cursor=${cursor}`, { headers })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "cursor" } } },
    });
});
