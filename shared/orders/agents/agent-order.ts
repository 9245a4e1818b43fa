/** The agent that placed an order, as it was known when the order was placed. */
export type OrderAgent = Readonly<{
  /** The checkout from which the order was placed. */
  checkoutId: string;
  /** The profile that identifies the platform of the agent. */
  profileUrl: string;
  /** The release of the protocol in which the platform reads the order. */
  release: string;
  /** The address of the business at which the agent bought, without a slash at its end. */
  businessAddress: string;
  /** Where the platform receives the order's events; null when it receives none. */
  webhookUrl: string | null;
}>;
