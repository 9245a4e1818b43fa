import {
  type MoneyAlert,
  type PaymentProvider,
  type StripeConnection,
  stripeProvider,
} from "../../../shared/payments/index.ts";
import { createStripeAccount, type StripeAccount, stripeKey } from "./stand-in/account.ts";

/** A fault of one call: nothing arrives, or the response is lost or another one. */
export type CallFault = (send: () => Response) => Response | Promise<Response>;

export const lostResponse: CallFault = (send) => {
  send();
  throw new TypeError("Network connection lost.");
};
export const lostRequest: CallFault = () => {
  throw new TypeError("Network connection lost.");
};

/** A connection to a stand-in of Stripe without a network; `faults` are for the next calls. */
export function connectStripe({
  account = createStripeAccount(),
  secretKey = stripeKey,
  timeoutMs = 1_000,
}: Readonly<{ account?: StripeAccount; secretKey?: string; timeoutMs?: number }> = {}) {
  const faults: (CallFault | null)[] = [];
  const reports: unknown[] = [];
  const requests: Readonly<{ name: string; form: URLSearchParams; headers: Headers }>[] = [];
  const connection: StripeConnection = {
    secretKey,
    baseUrl: "https://stripe.test",
    timeoutMs,
    report: (failure) => void reports.push(failure),
    fetch: async (url, init) => {
      const request = new Request(url, init); // throws for a request that the runtime could not send
      const { pathname, search } = new URL(request.url);
      const body = new TextDecoder().decode(await request.arrayBuffer());
      const form = request.method === "GET" ? search.slice(1) : body;
      const { method, headers } = request;
      const send = () => {
        const { status, body } = account.reply({ method, path: pathname, form, headers });
        return Response.json(body, { status });
      };
      requests.push({ name: `${method} ${pathname}`, form: new URLSearchParams(form), headers });
      const fault = faults.shift();
      return fault ? fault(send) : send();
    },
  };
  return { account, connection, faults, reports, requests };
}

/** The adapter, connected to a stand-in of Stripe. */
export function createStripe({
  now = Date.now,
  ...options
}: Parameters<typeof connectStripe>[0] & Readonly<{ now?: () => number }> = {}) {
  const account = options.account ?? createStripeAccount({ now });
  const connected = connectStripe({ ...options, account });
  const alerts: MoneyAlert[] = [];
  let refusedKeys = 0;
  const provider: PaymentProvider = stripeProvider({
    ...connected.connection,
    now,
    alert: (alert) => void alerts.push(alert),
    onCredentialsRefused: () => {
      refusedKeys += 1;
    },
  });
  return { ...connected, provider, alerts, refusedKeys: () => refusedKeys };
}
