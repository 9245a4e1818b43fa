import { env } from "cloudflare:workers";
import { chance } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { asOperator, fromAnywhere, had } from "./foreign-callers.ts";

/** An organization that the business, which has none, is the default one of; with a key of it. */
export async function givenOrganization({ business }: Pick<CreatedBusiness, "business">) {
  const organization_id = chance.newId("org");
  await env.CORE.batch([
    env.CORE.prepare("insert into organizations values (?, 'Sisters', ?, 0)").bind(
      organization_id,
      business.id,
    ),
    env.CORE.prepare("update businesses set organization_id = ? where id = ?").bind(
      organization_id,
      business.id,
    ),
  ]);
  const ask = fromAnywhere(asOperator);
  const body = { kind: "secret", scopes: ["*"] };
  const key = await had(ask("POST", `/v1/organizations/${organization_id}/keys`, { body }));
  return { organization_id, organization_key_id: String(key.id) };
}
