import { env } from "cloudflare:workers";
import { runtime } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { operatorClient, requireData, withChangingAddress } from "./api-clients.ts";

/** Creates an organization with the business as its default one, and a key of the organization. */
export async function createOrganization({ business }: Pick<CreatedBusiness, "business">) {
  const organization_id = runtime.newId("org");
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
  const ask = withChangingAddress(operatorClient);
  const body = { kind: "secret", scopes: ["*"] };
  const key = await requireData(ask("POST", `/v1/organizations/${organization_id}/keys`, { body }));
  return { organization_id, organization_key_id: String(key.id) };
}
