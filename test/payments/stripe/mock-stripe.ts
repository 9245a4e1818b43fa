import { vi } from "vitest";
import { plantedMark } from "../../support/planted-secrets.ts";
import { createStripeAccount, type StripeAccount } from "./stand-in/account.ts";

/** The keys with which a business connects its own account. */
export const stripeKeys = {
  secret_key: `sk_test${plantedMark}0123456789`,
  webhook_secret: `whsec${plantedMark}0123456789`,
  publishable_key: "pk_test_0123456789",
};

/** Sends all of the test's network requests to the stand-in's new account, until mocks are restored. */
export function mockStripe(secretKey = stripeKeys.secret_key): StripeAccount {
  const account = createStripeAccount({ secretKey });
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
    sendReply(account, new Request(input, init)),
  );
  return account;
}

async function sendReply(account: StripeAccount, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const text = new TextDecoder().decode(await request.arrayBuffer());
  const form = request.method === "GET" ? search.slice(1) : text;
  const { method, headers } = request;
  const { status, body } = account.reply({ method, path: pathname, form, headers });
  return Response.json(body, { status });
}
