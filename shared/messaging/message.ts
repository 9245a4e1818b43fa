export const channels = ["sms", "email"] as const;
export type Channel = (typeof channels)[number];

type MessageBase = Readonly<{
  /** Chosen before the first attempt, so that a provider can recognise a repeat. */
  id: string;
  text: string;
  /** Epoch milliseconds; an expired message is not sent. */
  expiresAt: number;
}>;

/** A message to one person. `to` is an E.164 number for sms and an address for email. */
export type Message =
  | (MessageBase & Readonly<{ channel: "sms"; to: string }>)
  | (MessageBase & Readonly<{ channel: "email"; to: string; subject: string }>);
