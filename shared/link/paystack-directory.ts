import { z } from "zod";
import { type PaystackSettings, paystackClient } from "../payments/index.ts";
import type { NumberDirectory } from "./reachability.ts";

const ghana = "+233";

/** The codes by which Paystack lists Ghana's mobile-money networks among the banks. */
const bankCodes = { mtn: "MTN", vod: "VOD", atl: "ATL", mpesa: null } as const;

const Resolved = z.object({ account_name: z.string().trim().min(1).max(200) });

/** What Paystack answers when nobody has the number on that network. */
const unresolved = 422;

/**
 * Paystack's account resolution, which knows the networks of Ghana; of a number elsewhere it can say
 * nothing.
 */
export function paystackDirectory(settings: PaystackSettings): NumberDirectory {
  const ask = paystackClient(settings);
  return {
    async find({ phoneNumber, provider }) {
      const bankCode = bankCodes[provider];
      if (bankCode === null || !phoneNumber.startsWith(ghana)) return { type: "no_answer" };
      const query = new URLSearchParams({
        account_number: `0${phoneNumber.slice(ghana.length)}`,
        bank_code: bankCode,
      });
      const answer = await ask({
        name: "GET /bank/resolve",
        path: `/bank/resolve?${query}`,
        Data: Resolved,
      });
      if (answer.type === "ok")
        return { type: "known", isReachable: true, accountName: answer.data.account_name };
      return answer.type === "refused" && answer.status === unresolved
        ? { type: "known", isReachable: false, accountName: null }
        : { type: "no_answer" };
    },
  };
}
