import { type Demo, demoOwner } from "../seed/demo.ts";

/** The text that `npm run dev` prints when it is ready: address, keys and a first request. */
export function formatGreeting({
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
Duka is up at ${origin} after ${seconds.toFixed(1)} s. The API reference is at ${origin}/docs

The console is at ${origin}/console. Log in as ${demoOwner} with the code 123456.

${shops.join("\n\n")}

A first request:

  curl -H "X-Public-Key: ${key}" "${origin}/api/v1/catalogue/products?limit=3"

In test mode one-time codes and mobile-money codes are 123456. Ctrl-C ends all Workers.
`;
}
