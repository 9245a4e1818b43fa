import type { NewId } from "./ids.ts";

/**
 * The caller of a use case. Every `switch` over the actor's type is exhaustive, so that the
 * compiler reports a missing case when a type is added.
 */
export type Actor =
  | Readonly<{ type: "anonymous" }>
  | Readonly<{
      type: "session";
      sessionId: string;
      /** The logged-in customer and the time of the login; null when nobody is logged in. */
      customerId: string | null;
      loggedInAt: number | null;
      /** The profile of the agent that acts in the session; absent when its shopper does. */
      agentProfileUrl?: string;
    }>
  | Readonly<{ type: "guest"; billTokenHash: string }>
  /** `id` is that of the API key, or of the member's user. */
  | Readonly<{ type: "merchant"; id: string }>
  /** `userId` is that of an operator who is logged in; null for the operator's token. */
  | Readonly<{ type: "operator"; userId: string | null }>
  | Readonly<{ type: "system"; job: string }>;

/**
 * Clock, ids and randomness. Use cases get them from here and not from the platform, so that tests
 * can replace them.
 */
export type Runtime = Readonly<{
  /** The current time in epoch milliseconds. */
  now: () => number;
  newId: NewId;
  randomBytes: (bytes: Uint8Array<ArrayBuffer>) => unknown;
}>;

export type Mode = "live" | "test";

/** The business of a request, with the fields that every area may use. */
export type Tenant = Readonly<{
  id: string;
  mode: Mode;
  /** An ISO 4217 code. */
  currency: string;
  /** An ISO 3166 alpha-2 code. */
  defaultCountry: string;
  /** An IANA time zone name. */
  timezone: string;
}>;
