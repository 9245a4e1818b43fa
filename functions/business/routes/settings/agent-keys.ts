import { z } from "@hono/zod-openapi";
import { rotateSigningKey } from "../../../../shared/agents/index.ts";
import { openDb } from "../../../../shared/database/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { id } from "../../../wire/fields.ts";
import { createMerchantContext } from "../../context.ts";
import { AgentKeyView, viewAgentKey } from "../../views/settings/agent-key.ts";

/** The keys with which a business signs for agents (docs/contract/business.md#agent-keys). */
export const agentKeys = createRoutes().openapi(
  route("post", "/v1/businesses/{business_id}/agent-keys/rotate", {
    operationId: "rotateAgentKey",
    tag: "Agents",
    summary: "Replace the key that signs for agents",
    access: secretKey("settings:write"),
    params: z.object({ business_id: id() }),
    body: requireJson(
      z.object({
        withdraw_earlier: z
          .boolean()
          .default(false)
          .openapi({ description: "Whether earlier keys leave the profile at once." }),
      }),
    ),
    response: z.array(AgentKeyView),
    idempotency: { store: storeByApiKeyInCore },
  }),
  async (c) => {
    const { withdraw_earlier: withdrawsEarlier } = c.req.valid("json");
    const keyring = c.get("settings").credentialsKeyring;
    const keys = { ...runtime, core: openDb(c.env.CORE, c.get("meter")), keyring };
    const published = await rotateSigningKey(createMerchantContext(c), { keys, withdrawsEarlier });
    return c.json(envelope(published.map(viewAgentKey)), 200);
  },
);
