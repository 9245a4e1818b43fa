import type { Demo } from "../seed/demo.ts";

/** What a developer reads first: where it runs, with which keys, and a call to paste. */
export function greeting({
  origin,
  demo,
  seconds,
}: Readonly<{ origin: string; demo: Demo; seconds: number }>): string {
  const shops = demo.shops.map(({ name, id, keys }) =>
    [
      `  ${name}`,
      `    business     ${id}`,
      `    publishable  ${keys.publishable}`,
      `    secret       ${keys.secret}`,
      `    deploy       ${keys.deploy}`,
    ].join("\n"),
  );
  const key = demo.shops[0]?.keys.publishable ?? "pk_test_…";
  return `
Duka is up at ${origin} after ${seconds.toFixed(1)} s. The reference is at ${origin}/docs

${shops.join("\n\n")}

A first call:

  curl -H "X-Public-Key: ${key}" "${origin}/api/v1/catalogue/products?limit=3"

One-time codes and mobile-money codes are 123456 in test mode. Ctrl-C ends everything.
`;
}
