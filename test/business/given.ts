import { env } from "cloudflare:workers";
import { chance } from "../../functions/runtime/runtime.ts";
import {
  type ApiKey,
  type CreatedBusiness,
  keyRepo,
  newKeyText,
} from "../../shared/businesses/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter, sha256 } from "../../shared/kernel/index.ts";
import { type Answer, type CallOptions, call } from "../support/world.ts";

/** The deployment's operator. */
export const asOperator = (
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> =>
  call(method, `/v1/businesses${path}`, {
    ...options,
    headers: { Authorization: `Bearer ${env.OPERATOR_TOKEN}`, ...options.headers },
  });

/** The text of a further key, a secret one of the business unless `key` says otherwise. */
export async function givenKey(
  { business }: Pick<CreatedBusiness, "business">,
  key: Partial<ApiKey> = {},
): Promise<string> {
  const given: ApiKey = {
    id: chance.newId("key"),
    kind: "secret",
    mode: business.mode,
    owner: { type: "business", id: business.id },
    scopes: ["*"],
    label: "",
    createdAt: chance.now(),
    revokedAt: null,
    lastUsedAt: null,
    ...key,
  };
  const text = newKeyText(given.kind, given.mode, chance.random);
  await keyRepo(openDb(env.CORE, createMeter()), given.owner).insert(given, await sha256(text));
  return text;
}

export const success = (data: unknown) => ({ success: true, data });

export const refusal = (code: string, error: Record<string, unknown> = {}) => ({
  success: false,
  error: { code, ...error },
});

/** One of an answer's fields, by its dotted path. */
export const at = (answer: Answer, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
      answer.body,
    );
