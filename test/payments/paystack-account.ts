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
export const failure = (message: string, code = 400): PaystackReply => ({
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
export function createPaystackAccount() {
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

  function reply(method: string, url: URL, body: Record<string, unknown>): PaystackReply {
    const last = url.pathname.split("/").at(-1) ?? "";
    const call = `${method} ${url.pathname.replace(/(\/verify|\/charge)\/.+/, "$1/{}")}`;
    const phone = String(Object(body.mobile_money).phone);
    if (url.pathname.startsWith("/charge/submit_") && method === "POST")
      return submitValue(last.replace("submit_", ""), body);
    switch (call) {
      case "POST /charge":
        return startCharge(body, "mobile_money", firstStatus[phone.at(-1) ?? ""] ?? "success");
      case "POST /transaction/charge_authorization":
        return startCharge(body, "mobile_money", "success");
      case "POST /transaction/initialize":
        return startCharge(body, "card", "abandoned");
      case "GET /charge/{}":
        return charges.has(last) ? ok(chargeView(last)) : failure("Transaction not found", 404);
      case "GET /transaction/verify/{}": {
        const charge = charges.get(last);
        if (!charge) return failure("Transaction reference not found");
        const isOver = ["success", "failed", "abandoned"].includes(charge.status);
        const authorization = { authorization_code: "AUTH_1", reusable: true };
        return ok({ ...charge, authorization, status: isOver ? charge.status : "ongoing" });
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
  }

  return { charges, reply };
}

export type PaystackAccount = ReturnType<typeof createPaystackAccount>;
