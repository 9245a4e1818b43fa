import type { MobileMoneyProvider } from "../payments/index.ts";

type Asked = Readonly<{ phoneNumber: string; provider: MobileMoneyProvider }>;

/** What a network says of a number; `no_answer` when it said nothing. */
export type Reachability =
  | Readonly<{ type: "known"; isReachable: boolean; accountName: string | null }>
  | Readonly<{ type: "no_answer" }>;

/** Who knows whether a number can be reached on a mobile-money network. */
export type NumberDirectory = Readonly<{ find: (asked: Asked) => Promise<Reachability> }>;

/** The directory of test mode: numbers that end in 0000 are not reachable (completions.md 13). */
export const sandboxDirectory: NumberDirectory = {
  find: async ({ phoneNumber }) => ({
    type: "known",
    isReachable: !phoneNumber.endsWith("0000"),
    accountName: null,
  }),
};
