import type { NewId } from "./ids.ts";

/** Who asks. Every `switch` over it is exhaustive, so that a new kind cannot be forgotten. */
export type Actor =
  | Readonly<{ type: "anonymous" }>
  | Readonly<{
      type: "session";
      sessionId: string;
      /** Who is logged in, and since when; null for nobody. */
      customerId: string | null;
      loggedInAt: number | null;
    }>
  | Readonly<{ type: "guest"; billTokenHash: string }>
  | Readonly<{ type: "merchant"; keyId: string }>
  | Readonly<{ type: "operator" }>
  | Readonly<{ type: "system"; job: string }>;

/** Round trips made on behalf of one request; reported as Server-Timing (completions.md 1). */
export type Meter = { d1: number; do: number; lease: number };

export const createMeter = (): Meter => ({ d1: 0, do: 0, lease: 0 });

/** Clock, ids and randomness: the three things that a rule must never reach for by itself. */
export type Runtime = Readonly<{
  /** Epoch milliseconds. */
  now: () => number;
  newId: NewId;
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown;
}>;

export type Mode = "live" | "test";

/** The business a request is scoped to, as far as every area may know it. */
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
