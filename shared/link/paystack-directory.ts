import { z } from "zod";
import { createPaystackClient, type PaystackSettings } from "../payments/index.ts";
import type { MobileMoneyDirectory } from "./verify-mobile-money.ts";

const ghanaPrefix = "+233";

/** Paystack's bank codes for mobile-money networks. Null for a network outside Ghana. */
const bankCodes = { mtn: "MTN", vod: "VOD", atl: "ATL", mpesa: null } as const;

const ResolvedAccount = z.object({ account_name: z.string().trim().min(1).max(200) });

/** Paystack's status for a number that does not exist on the network. */
const unknownNumberStatus = 422;

/**
 * Looks numbers up with Paystack's account resolution, which covers only the networks of Ghana. The
 * result for any other number is `no_answer`.
 */
export function createPaystackDirectory(settings: PaystackSettings): MobileMoneyDirectory {
  const callPaystack = createPaystackClient(settings);
  return {
    async find({ phoneNumber, provider }) {
      const bankCode = bankCodes[provider];
      if (bankCode === null || !phoneNumber.startsWith(ghanaPrefix)) return { type: "no_answer" };
      const query = new URLSearchParams({
        account_number: `0${phoneNumber.slice(ghanaPrefix.length)}`,
        bank_code: bankCode,
      });
      const response = await callPaystack({
        name: "GET /bank/resolve",
        path: `/bank/resolve?${query}`,
        Data: ResolvedAccount,
      });
      if (response.type === "ok")
        return { type: "known", isReachable: true, accountName: response.data.account_name };
      return response.type === "refused" && response.status === unknownNumberStatus
        ? { type: "known", isReachable: false, accountName: null }
        : { type: "no_answer" };
    },
  };
}
