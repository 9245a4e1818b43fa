/**
 * The Workers in the order of deployment. A Worker comes after the Workers to which it is bound.
 * `maxStartupKib` is close to the current size of each Worker's start-up script, to show any
 * growth. `health` is a path that the Worker answers behind the front.
 */
export const deployOrder = [
  {
    name: "duka-storefront",
    config: "functions/storefront/wrangler.toml",
    maxStartupKib: 970,
    health: "/api/v1/healthz",
  },
  {
    name: "duka-pages",
    config: "functions/pages/wrangler.toml",
    maxStartupKib: 50,
    health: "/shop/-/healthz",
  },
  {
    name: "duka-link",
    config: "functions/link/wrangler.toml",
    maxStartupKib: 950,
    health: "/v1/link/healthz",
  },
  {
    name: "duka-business",
    config: "functions/business/wrangler.toml",
    maxStartupKib: 1_015,
    health: "/v1/businesses/healthz",
  },
  {
    name: "duka-agents",
    config: "functions/agents/wrangler.toml",
    maxStartupKib: 50,
    health: "/agents/healthz",
  },
  {
    name: "duka-background",
    config: "functions/background/wrangler.toml",
    maxStartupKib: 10,
    health: null,
  },
  { name: "duka-front", config: "wrangler.toml", maxStartupKib: 25, health: "/healthz" },
] as const;

export type WorkerName = (typeof deployOrder)[number]["name"];
