/**
 * The Workers in the order in which they are deployed: a Worker comes after those that it is bound
 * to. `maxStartupKib` limits the script that each evaluates at start-up, with little room to spare.
 */
export const deployOrder = [
  { name: "duka-storefront", config: "functions/storefront/wrangler.toml", maxStartupKib: 950 },
  { name: "duka-link", config: "functions/link/wrangler.toml", maxStartupKib: 950 },
  { name: "duka-business", config: "functions/business/wrangler.toml", maxStartupKib: 950 },
  { name: "duka-background", config: "functions/background/wrangler.toml", maxStartupKib: 10 },
  { name: "duka-front", config: "wrangler.toml", maxStartupKib: 10 },
] as const;
