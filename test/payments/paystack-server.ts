import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the Paystack of paystack-server.ts listens. */
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

type Said = Readonly<{ code: number; body: unknown }>;

const ok = (data: unknown, message = "Charge attempted"): Said => ({
  code: 200,
  body: { status: true, message, data },
});
const no = (message: string, code = 400): Said => ({ code, body: { status: false, message } });

/** By the last digit of the phone: what a charge comes to at once. */
const firstStatus: Readonly<Record<string, string>> = {
  1: "send_otp",
  2: "pay_offline",
  3: "failed",
  4: "send_pin",
};
/** The challenges of a charge that asks for one thing after the other, and the value of each. */
const next: Readonly<Record<string, readonly [value: string, status: string]>> = {
  send_otp: ["123456", "success"],
  send_pin: ["1234", "send_phone"],
  send_phone: ["0241234564", "send_birthday"],
  send_birthday: ["1990-12-31", "success"],
};

/** Paystack's books, and its answers as its documents have them. */
function books() {
  const charges = new Map<string, Charge>();

  function begun(body: Record<string, unknown>, channel: Charge["channel"], status: string): Said {
    const reference = String(body.reference);
    const amount = Number(body.amount);
    if (!/^[\w.=-]+$/.test(reference) || reference.includes("_"))
      return no("Only -,., = and alphanumeric characters are allowed in the reference");
    if (!Number.isSafeInteger(amount) || amount <= 0) return no("Invalid amount");
    if (!/^[^@\s]+@[^@\s]+$/.test(String(body.email))) return no("Invalid Email Address Passed");
    if (charges.has(reference)) return no("Duplicate Transaction Reference");
    const id = 4_000_000_000 + charges.size;
    const currency = String(body.currency);
    charges.set(reference, { id, reference, amount, currency, channel, status, refunds: [] });
    return channel === "card"
      ? ok({
          authorization_url: `https://checkout.paystack.com/${id}`,
          access_code: "x",
          reference,
        })
      : ok(shown(reference));
  }

  const shown = (reference: string) => {
    const charge = charges.get(reference);
    return charge && { ...charge, display_text: "Please do as your provider asks." };
  };

  function submitted(kind: string, body: Record<string, unknown>): Said {
    const charge = charges.get(String(body.reference));
    const [value, then] = next[`send_${kind}`] ?? [];
    if (!charge || charge.status !== `send_${kind}` || then === undefined)
      return no("Charge cannot be processed at the moment");
    if (body[kind] !== value) return no(`Invalid ${kind}`);
    charge.status = then;
    return ok(shown(charge.reference));
  }

  function refunded(body: Record<string, unknown>): Said {
    const charge = charges.get(String(body.transaction));
    const amount = Number(body.amount);
    const given = charge?.refunds.reduce((sum, one) => sum + one.amount, 0) ?? 0;
    if (!charge) return no("Transaction not found", 404);
    if (given + amount > charge.amount)
      return no("Refund amount cannot be more than transaction amount");
    charge.refunds.push({ status: "pending", amount, merchant_note: String(body.merchant_note) });
    return ok(charge.refunds.at(-1), "Refund has been queued for processing");
  }

  return (method: string, url: URL, body: Record<string, unknown>): Said => {
    const last = url.pathname.split("/").at(-1) ?? "";
    const call = `${method} ${url.pathname.replace(/(\/verify|\/charge)\/.+/, "$1/{}")}`;
    const phone = String(Object(body.mobile_money).phone);
    if (url.pathname.startsWith("/charge/submit_") && method === "POST")
      return submitted(last.replace("submit_", ""), body);
    switch (call) {
      case "POST /charge":
        return begun(body, "mobile_money", firstStatus[phone.at(-1) ?? ""] ?? "success");
      case "POST /transaction/initialize":
        return begun(body, "card", "abandoned");
      case "GET /charge/{}":
        return charges.has(last) ? ok(shown(last)) : no("Transaction not found", 404);
      case "GET /transaction/verify/{}": {
        const charge = charges.get(last);
        if (!charge) return no("Transaction reference not found");
        const isOver = ["success", "failed", "abandoned"].includes(charge.status);
        return ok({ ...charge, status: isOver ? charge.status : "ongoing" });
      }
      case "POST /refund":
        return refunded(body);
      case "GET /refund": {
        const id = Number(url.searchParams.get("transaction"));
        const charge = [...charges.values()].find((one) => one.id === id);
        return ok(charge?.refunds.toReversed() ?? [], "Refunds retrieved");
      }
      default:
        return no("Not found", 404);
    }
  };
}

type Fault = (response: ServerResponse, text: string) => void;

/** What goes wrong with an answer whose work is done, by the first part of the path. */
const faults: Readonly<Record<string, Fault>> = {
  slow: () => {}, // the connection stands, and nothing comes
  cut: (response, text) => {
    response.writeHead(200, { "Content-Length": String(text.length) });
    response.write(text.slice(0, 20), () => response.destroy());
  },
  half: (response, text) => response.writeHead(200).end(text.slice(0, text.length / 2)),
  moved: (response) => {
    const elsewhere = response.req.url?.replace(/^\/[^/]+/, ""); // where it would be answered
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

/** `/slow/…`: each call's answer; `/slow-refund/…`: the answer to POST /refund alone. */
function faultOf({ method }: IncomingMessage, first: string, path: string): Fault | undefined {
  const [name = "", only] = first.split("-");
  const isMeant = only === undefined || (method === "POST" && path === `/${only}`);
  return isMeant ? faults[name] : undefined;
}

/**
 * Paystack over real connections, for the tests inside workerd. It keeps books; under a path that begins
 * with the name of a fault it does its work all the same, and its answer goes wrong.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const answer = books();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://paystack.test");
    const [, first = "", ...rest] = url.pathname.split("/");
    if ((first.split("-")[0] ?? "") in faults) url.pathname = `/${rest.join("/")}`;
    const fault = faultOf(request, first, url.pathname);
    const { code, body } = isAuthorized(request)
      ? answer(request.method ?? "", url, Object(JSON.parse((await textOf(request)) || "{}")))
      : no("Invalid key", 401);
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

/** As Paystack takes calls: with the secret key, and JSON where there is a body. */
function isAuthorized({ headers, method }: IncomingMessage): boolean {
  const isJson = method === "GET" || headers["content-type"] === "application/json";
  return /^Bearer sk_(?:live|test)_\w+$/.test(headers.authorization ?? "") && isJson;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
