/** The login of the demo shops' owner. */
export const demoOwner = "owner@example.com";

export type DemoShop = Readonly<{
  kind: "cafe" | "clothes" | "salon";
  id: string;
  name: string;
  keys: Readonly<{ publishable: string; secret: string; deploy: string }>;
}>;

export type Demo = Readonly<{ shops: readonly DemoShop[] }>;

/** Parses demo.json. Null when the text has another format. */
export function parseDemo(text: string): Demo | null {
  try {
    const value: unknown = JSON.parse(text);
    return isDemo(value) ? value : null;
  } catch {
    return null;
  }
}

const isDemo = (value: unknown): value is Demo =>
  isRecord(value) && Array.isArray(value.shops) && value.shops.every(isShop);

const isShop = (value: unknown): value is DemoShop =>
  isRecord(value) &&
  ["kind", "id", "name"].every((field) => typeof value[field] === "string") &&
  isRecord(value.keys) &&
  [value.keys.publishable, value.keys.secret, value.keys.deploy].every(
    (key) => typeof key === "string",
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
