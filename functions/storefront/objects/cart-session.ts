import { DurableObject } from "cloudflare:workers";

/** One shopper's session with one business: its cart, its checkout in flight. */
export class CartSession extends DurableObject {}
