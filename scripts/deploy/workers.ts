/**
 * The Workers in the order of deployment. A Worker comes after the Workers to which it is bound.
 * `maxStartupKib` is close to the current size of each Worker's start-up script, to show any
 * growth.
 */
export const deployOrder = [
  { name: "duka-storefront", config: "functions/storefront/wrangler.toml", maxStartupKib: 965 },
  { name: "duka-pages", config: "functions/pages/wrangler.toml", maxStartupKib: 50 },
  { name: "duka-link", config: "functions/link/wrangler.toml", maxStartupKib: 950 },
  { name: "duka-business", config: "functions/business/wrangler.toml", maxStartupKib: 1_000 },
  { name: "duka-background", config: "functions/background/wrangler.toml", maxStartupKib: 10 },
  { name: "duka-front", config: "wrangler.toml", maxStartupKib: 10 },
] as const;
