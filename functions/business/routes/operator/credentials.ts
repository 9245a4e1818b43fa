import { z } from "@hono/zod-openapi";
import { type RotationStep, rotateDataKeys } from "../../../../shared/businesses/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createOperatorContext } from "../../context.ts";

const RotationView = z
  .object({
    key_id: z.string(),
    rewrapped: z.number().int(),
    failed: z.array(z.string()),
    next: z.string().nullable(),
    remaining: z.array(
      z.object({ key_id: z.string(), businesses: z.number().int(), is_known: z.boolean() }),
    ),
  })
  .openapi("CredentialsRotation");

const viewRotation = (step: RotationStep): z.infer<typeof RotationView> => ({
  key_id: step.keyId,
  rewrapped: step.rewrapped,
  failed: [...step.failed],
  next: step.next,
  remaining: step.remaining.map(({ keyId, businesses, isKnown }) => ({
    key_id: keyId,
    businesses,
    is_known: isKnown,
  })),
});

/** The rotation of CREDENTIALS_KEY (docs/contract/operator.md#rotate-credentials). */
export const credentials = createRoutes().openapi(
  route("post", "/v1/operator/credentials/rotate", {
    operationId: "rotateCredentials",
    tag: "Businesses",
    summary: "Wrap data keys of businesses again with the newest key of CREDENTIALS_KEY",
    description: "Repeat the call with `after` set to `next` until that is null.",
    access: operator,
    body: requireJson(z.object({ after: id().nullable().default(null) })),
    response: RotationView,
    idempotency: { resumable: true },
  }),
  async (c) => {
    const { after } = c.req.valid("json");
    const keyring = c.get("settings").credentialsKeyring;
    const step = await rotateDataKeys({ ...createOperatorContext(c), keyring }, after ?? "");
    return c.json(envelope(viewRotation(step)), 200);
  },
);
