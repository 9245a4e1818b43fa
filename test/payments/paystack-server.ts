import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the server in paystack-server.ts. */
    paystack: string;
  }
}

type Charge = {
  id: number;
  reference: string;
  amount: number;
  currency: string;
  channel: "mobile_money" | "card";
  status: string;
  refunds: { status: string; amount: number; merchant_note: string }[];
};

type PaystackReply = Readonly<{ code: number; body: unknown }>;

const ok = (data: unknown, message = "Charge attempted"): PaystackReply => ({
  code: 200,
  body: { status: true, message, data },
});
const failure = (message: string, code = 400): PaystackReply => ({
  code,
  body: { status: false, message },
});

/** The first status of a charge, by the last digit of the phone. */
const firstStatus: Readonly<Record<string, string>> = {
  1: "send_otp",
  2: "pay_offline",
  3: "failed",
  4: "send_pin",
};
/** The expected value and the next status of each challenge. */
const next: Readonly<Record<string, readonly [value: string, status: string]>> = {
  send_otp: ["123456", "success"],
  send_pin: ["1234", "send_phone"],
  send_phone: ["0241234564", "send_birthday"],
  send_birthday: ["1990-12-31", "success"],
};

/** An in-memory Paystack with responses as documented. */
function createLedger() {
  const charges = new Map<string, Charge>();

  function startCharge(
    body: Record<string, unknown>,
    channel: Charge["channel"],
    status: string,
  ): PaystackReply {
    const reference = String(body.reference);
    const amount = Number(body.amount);
    if (!/^[\w.=-]+$/.test(reference) || reference.includes("_"))
      return failure("Only -,., = and alphanumeric characters are allowed in the reference");
    if (!Number.isSafeInteger(amount) || amount <= 0) return failure("Invalid amount");
    if (!/^[^@\s]+@[^@\s]+$/.test(String(body.email)))
      return failure("Invalid Email Address Passed");
    if (charges.has(reference)) return failure("Duplicate Transaction Reference");
    const id = 4_000_000_000 + charges.size;
    const currency = String(body.currency);
    charges.set(reference, { id, reference, amount, currency, channel, status, refunds: [] });
    return channel === "card"
      ? ok({
          authorization_url: `https://checkout.paystack.com/${id}`,
          access_code: "x",
          reference,
        })
      : ok(chargeView(reference));
  }

  const chargeView = (reference: string) => {
    const charge = charges.get(reference);
    return charge && { ...charge, display_text: "Please do as your provider asks." };
  };

  function submitValue(kind: string, body: Record<string, unknown>): PaystackReply {
    const charge = charges.get(String(body.reference));
    const [value, then] = next[`send_${kind}`] ?? [];
    if (!charge || charge.status !== `send_${kind}` || then === undefined)
      return failure("Charge cannot be processed at the moment");
    if (body[kind] !== value) return failure(`Invalid ${kind}`);
    charge.status = then;
    return ok(chargeView(charge.reference));
  }

  function refundCharge(body: Record<string, unknown>): PaystackReply {
    const charge = charges.get(String(body.transaction));
    const amount = Number(body.amount);
    const given = charge?.refunds.reduce((sum, one) => sum + one.amount, 0) ?? 0;
    if (!charge) return failure("Transaction not found", 404);
    if (given + amount > charge.amount)
      return failure("Refund amount cannot be more than transaction amount");
    charge.refunds.push({ status: "pending", amount, merchant_note: String(body.merchant_note) });
    return ok(charge.refunds.at(-1), "Refund has been queued for processing");
  }

  return (method: string, url: URL, body: Record<string, unknown>): PaystackReply => {
    const last = url.pathname.split("/").at(-1) ?? "";
    const call = `${method} ${url.pathname.replace(/(\/verify|\/charge)\/.+/, "$1/{}")}`;
    const phone = String(Object(body.mobile_money).phone);
    if (url.pathname.startsWith("/charge/submit_") && method === "POST")
      return submitValue(last.replace("submit_", ""), body);
    switch (call) {
      case "POST /charge":
        return startCharge(body, "mobile_money", firstStatus[phone.at(-1) ?? ""] ?? "success");
      case "POST /transaction/initialize":
        return startCharge(body, "card", "abandoned");
      case "GET /charge/{}":
        return charges.has(last) ? ok(chargeView(last)) : failure("Transaction not found", 404);
      case "GET /transaction/verify/{}": {
        const charge = charges.get(last);
        if (!charge) return failure("Transaction reference not found");
        const isOver = ["success", "failed", "abandoned"].includes(charge.status);
        return ok({ ...charge, status: isOver ? charge.status : "ongoing" });
      }
      case "POST /refund":
        return refundCharge(body);
      case "GET /refund": {
        const id = Number(url.searchParams.get("transaction"));
        const charge = [...charges.values()].find((one) => one.id === id);
        return ok(charge?.refunds.toReversed() ?? [], "Refunds retrieved");
      }
      default:
        return failure("Not found", 404);
    }
  };
}

type ResponseFault = (response: ServerResponse, text: string) => void;

/** Faults in the response of a completed call, by the first part of the path. */
const faults: Readonly<Record<string, ResponseFault>> = {
  slow: () => {}, // never responds
  cut: (response, text) => {
    response.writeHead(200, { "Content-Length": String(text.length) });
    response.write(text.slice(0, 20), () => response.destroy());
  },
  half: (response, text) => response.writeHead(200).end(text.slice(0, text.length / 2)),
  moved: (response) => {
    const elsewhere = response.req.url?.replace(/^\/[^/]+/, ""); // the address that would respond
    response.writeHead(307, { Location: elsewhere }).end();
  },
  closed: (response) => response.destroy(),
  page: (response) => response.writeHead(502).end("<html>Bad gateway</html>"),
  long: (response, text) => {
    response.writeHead(200);
    response.end(text.replace(/}$/, `,"more":"${"x".repeat(600_000)}"}`));
  },
  dripping: (response) => {
    response.writeHead(200);
    const drip = () => {
      if (response.destroyed) return;
      response.write(" ");
      setTimeout(drip, 20);
    };
    drip();
  },
};

/** `/slow/…` affects every response, `/slow-refund/…` only that of POST /refund. */
function faultOf(
  { method }: IncomingMessage,
  first: string,
  path: string,
): ResponseFault | undefined {
  const [name = "", only] = first.split("-");
  const isMeant = only === undefined || (method === "POST" && path === `/${only}`);
  return isMeant ? faults[name] : undefined;
}

/**
 * A Paystack server for tests inside workerd. Under a path that starts with the name of a fault, it
 * completes the call but breaks the response.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const answer = createLedger();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://paystack.test");
    const [, first = "", ...rest] = url.pathname.split("/");
    if ((first.split("-")[0] ?? "") in faults) url.pathname = `/${rest.join("/")}`;
    const fault = faultOf(request, first, url.pathname);
    const { code, body } = isAuthorized(request)
      ? answer(request.method ?? "", url, Object(JSON.parse((await textOf(request)) || "{}")))
      : failure("Invalid key", 401);
    const text = JSON.stringify(body);
    if (fault) return fault(response, text);
    response.writeHead(code, { "Content-Type": "application/json" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provide("paystack", `http://127.0.0.1:${(server.address() as AddressInfo).port}`); // safe: it listens on a port
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** Requires the secret key, and JSON for a request with a body. */
function isAuthorized({ headers, method }: IncomingMessage): boolean {
  const isJson = method === "GET" || headers["content-type"] === "application/json";
  return /^Bearer sk_(?:live|test)_\w+$/.test(headers.authorization ?? "") && isJson;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
