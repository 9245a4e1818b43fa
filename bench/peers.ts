/**
 * Requests per second of other shop systems on a machine of two cores. `aim` is how many times
 * faster than the faster of them Duka wants to be.
 */
export type Peers = Readonly<{ vendure: number; medusa: number; aim: number }>;

/**
 * The median rates of Vendure 3.7.3 and Medusa 2.21.2 with PostgreSQL 15, one Node process each,
 * over 16 connections (8 for whole sales), measured on 24 November 2026 on two cores (Intel Xeon).
 * A new measurement replaces the figures and this date.
 */
export const peers = {
  productList: { vendure: 286, medusa: 40, aim: 10 },
  productDetail: { vendure: 338, medusa: 188, aim: 8 },
  cartLine: { vendure: 123, medusa: 12, aim: 5 },
  wholeSale: { vendure: 12, medusa: 3, aim: 8 },
} satisfies Readonly<Record<string, Peers>>;

export const peersMeasured = "24 November 2026, 2 cores (Intel Xeon)";
