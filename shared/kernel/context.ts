import type { NewId } from "./ids.ts";

/**
 * The caller of a use case. Every `switch` over it is exhaustive, so that a new kind cannot be
 * forgotten.
 */
export type Actor =
  | Readonly<{ type: "anonymous" }>
  | Readonly<{
      type: "session";
      sessionId: string;
      /** The logged-in customer and the login time; null without a login. */
      customerId: string | null;
      loggedInAt: number | null;
    }>
  | Readonly<{ type: "guest"; billTokenHash: string }>
  | Readonly<{ type: "merchant"; keyId: string }>
  | Readonly<{ type: "operator" }>
  | Readonly<{ type: "system"; job: string }>;

/** Round trips of one request, reported as Server-Timing. */
export type Meter = { d1: number; do: number; lease: number };

export const createMeter = (): Meter => ({ d1: 0, do: 0, lease: 0 });

/** Clock, ids and randomness. Domain code gets them from here and never from the platform. */
export type Runtime = Readonly<{
  /** Epoch milliseconds. */
  now: () => number;
  newId: NewId;
  randomBytes: (bytes: Uint8Array<ArrayBuffer>) => unknown;
}>;

export type Mode = "live" | "test";

/** The business of a request, as far as every area may know it. */
export type Tenant = Readonly<{
  id: string;
  mode: Mode;
  /** ISO 4217. */
  currency: string;
  /** ISO 3166 alpha-2. */
  defaultCountry: string;
  /** IANA name. */
  timezone: string;
}>;
