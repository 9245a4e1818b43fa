import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { call, createBusiness } from "../support/world.ts";
import { byId, listOperations, type Operation, takesSecretKey } from "./operations.ts";

const lists = (await listOperations()).filter(({ parameters }) =>
  parameters.some(({ name }) => name === "cursor"),
);

/** A cursor of no list: neither an id, nor a number and an id, nor JSON. */
const foreign = encodeURIComponent(btoa("foreign!"));

function headersFor(
  operation: Operation,
  { publishable, secret }: CreatedBusiness["keys"],
): Record<string, string> {
  if (operation.security.some((way) => "operatorToken" in way))
    return { Authorization: `Bearer ${env.OPERATOR_TOKEN}` };
  return takesSecretKey(operation) ? { "X-API-Key": secret } : { "X-Public-Key": publishable };
}

it.each(byId(lists))("%s rejects a cursor of another list", async (_, operation) => {
  const { business, keys } = await createBusiness();
  const path = operation.path.replace("{business_id}", business.id).replaceAll(/\{\w+\}/g, "any");
  const headers = headersFor(operation, keys);
  for (const cursor of [foreign, "%25"])
    expect(await call("GET", `${path}?cursor=${cursor}`, { headers })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "cursor" } } },
    });
});
