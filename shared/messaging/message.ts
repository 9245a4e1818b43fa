export const channels = ["sms", "email"] as const;
export type Channel = (typeof channels)[number];

type Common = Readonly<{
  /** Chosen before the first attempt: what a provider can recognise a repeat by. */
  id: string;
  text: string;
  /** Epoch milliseconds; after it the message is worth nothing and is not sent any more. */
  expiresAt: number;
}>;

/** What is to be sent to one person. `to` is E.164 for sms, an address for email. */
export type Message =
  | (Common & Readonly<{ channel: "sms"; to: string }>)
  | (Common & Readonly<{ channel: "email"; to: string; subject: string }>);
