import type { DeclaredCapabilities } from "./capabilities.ts";
import type { Release } from "./release.ts";

/** A public key of a profile, as it is published. Only keys with a `kid` are used. */
export type PublicJwk = Readonly<{
  kid: string;
  kty: string;
  crv?: string;
  x?: string;
  y?: string;
  alg?: string;
  use?: string;
  key_ops?: readonly string[];
}>;

/** The operator of an agent, as its profile describes it. The profile's URL identifies it. */
export type Platform = Readonly<{
  profileUrl: string;
  release: Release;
  capabilities: DeclaredCapabilities;
  /** Where the platform receives the events of orders; null when its profile names no address. */
  orderWebhookUrl: string | null;
  /** The names of the payment handlers that the platform can use. */
  paymentHandlers: ReadonlySet<string>;
  keys: readonly PublicJwk[];
}>;
