import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { plantedMark } from "../support/planted-secrets.ts";
import { call, merchant } from "../support/world.ts";
import { failure, success } from "./paystack-stub.ts";

type Charge = { amount: number; status: string; currency: string };

type Account = { currencies: string[]; charges: Map<string, Charge>; refunds: string[] };

/** A live secret key of the stand-in, which no response and no log line may contain. */
export const keyOf = (name: string) => `sk_live${plantedMark}${name.padEnd(24, "0")}`;

/**
 * A Paystack with an account for each secret key, in place of the global fetch. A key that is not
 * listed is refused. Charges are captured at once unless `chargeStatus` says otherwise.
 */
export function createPaystackAccounts(...names: readonly string[]) {
  const accounts = new Map<string, Account>();
  const addAccount = (secretKey: string, currencies = ["GHS"]) =>
    void accounts.set(secretKey, { currencies, charges: new Map(), refunds: [] });
  for (const name of names) addAccount(keyOf(name));
  const calls: string[] = [];
  const state = {
    chargeStatus: "success",
    isSilent: false,
    /** What is lost of a charge. */
    loses: null as "request" | "response" | null,
  };

  function reply(account: Account, path: string, body: Record<string, unknown>): Response {
    const last = path.split("/").at(-1) ?? "";
    if (path === "/balance") {
      return success(account.currencies.map((currency) => ({ currency, balance: 0 })));
    }
    if (path === "/transaction") {
      return success([...account.charges].map(([reference, one]) => ({ reference, ...one })));
    }
    if (path === "/charge") {
      const { chargeStatus: status, loses } = state;
      if (loses === "request") return new Response("", { status: 504 });
      const charge = { amount: Number(body.amount), currency: String(body.currency), status };
      account.charges.set(String(body.reference), charge);
      if (loses === "response") return new Response("", { status: 504 });
      return success({ reference: body.reference, ...charge });
    }
    const charge = account.charges.get(path === "/refund" ? String(body.transaction) : last);
    if (path.startsWith("/transaction/verify/")) {
      return charge
        ? success({ id: 7, reference: last, channel: "mobile_money", ...charge })
        : failure("Transaction reference not found");
    }
    if (path === "/refund" && body.transaction === undefined) return success([]);
    if (path === "/refund") {
      account.refunds.push(String(body.transaction));
      return charge ? success({ status: "processed" }) : failure("Transaction not found", 404);
    }
    return failure("Not found", 404);
  }

  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input));
    const key = new Headers(init?.headers).get("authorization")?.replace("Bearer ", "") ?? "";
    calls.push(`${init?.method ?? "GET"} ${pathname} ${key}`);
    if (state.isSilent) return new Response("", { status: 504 });
    const account = accounts.get(key);
    if (!account) return failure("Invalid key", 401);
    return reply(account, pathname, init?.body ? Object(JSON.parse(String(init.body))) : {});
  });

  return {
    addAccount,
    removeAccount: (secretKey: string) => void accounts.delete(secretKey),
    calls,
    state,
    /** The references of the account's charges, as Duka writes them. */
    chargesOf: (secretKey: string) =>
      [...(accounts.get(secretKey)?.charges.keys() ?? [])].map((one) => one.replace("-", "_")),
    refundsOf: (secretKey: string) => accounts.get(secretKey)?.refunds ?? [],
    /** Adds a captured charge with the reference of another account's charge. */
    copyCharge(reference: string, secretKey: string) {
      const charge = { amount: 2_500, currency: "GHS", status: "success" };
      accounts.get(secretKey)?.charges.set(reference.replace("_", "-"), charge);
    },
    /** Sets the status and the amount of every charge of an account. */
    setCharges(secretKey: string, fields: Partial<Charge>) {
      for (const charge of accounts.get(secretKey)?.charges.values() ?? []) {
        Object.assign(charge, fields);
      }
    },
  };
}

/** Connects the business's account at Paystack. */
export const connectPaystack = (shop: CreatedBusiness, secretKey: string, headers = {}) =>
  merchant(shop)("PUT", "/payment-providers/paystack", {
    body: { secret_key: secretKey },
    headers,
  });

/** The signature of a webhook's body. */
export async function signPaystack(body: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-512" },
    false,
    ["sign"],
  );
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(body)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

type Webhook = Readonly<{ path: string; reference: string; secret: string; amount?: number }>;

/** Sends charge.success, signed with a secret. */
export async function sendChargeWebhook({ path, reference, secret, amount = 2_500 }: Webhook) {
  const data = { reference: reference.replace("_", "-"), status: "success", amount };
  const raw = JSON.stringify({ event: "charge.success", data });
  return call("POST", `/api/v1/payments/providers/${path}`, {
    rawBody: raw,
    headers: {
      "Content-Type": "application/json",
      "X-Paystack-Signature": await signPaystack(raw, secret),
    },
  });
}

export const platformKey = env.PAYSTACK_SECRET_KEY;
