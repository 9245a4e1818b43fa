import { shortHash } from "../../../shared/kernel/index.ts";
import type { Limit } from "./limit-state.ts";

/**
 * The networks of a business share this many counters. A counter for each network would make a
 * Durable Object for each new shopper, which takes longer than all else that their first call does.
 */
const countersPerBusiness = 8;

/** The counter that has a network's limit of this kind at a business. */
export const networkCounter = (
  businessId: string,
  network: string,
  kind: string,
): NonNullable<Limit["counter"]> => ({
  name: `networks:${businessId}:${shortHash(network) % countersPerBusiness}`,
  part: `${kind}:${network}`,
});
