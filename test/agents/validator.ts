/// <reference types="vite/client" />
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Release } from "../../shared/agents/index.ts";

const files = import.meta.glob<AnySchemaObject>(
  ["./ucp/*/schemas/**/*.json", "./ucp/*/discovery/*.json"],
  { import: "default" },
);

const root = "https://ucp.dev/schemas/";
const checkout = "$defs/dev.ucp.shopping.checkout";
const cart = "$defs/dev.ucp.shopping.cart";

/** What the body of a response is composed of, with all extensions that Duka has. */
const schemas = {
  checkout: [
    `shopping/fulfillment.json#/${checkout}`,
    `shopping/discount.json#/${checkout}`,
    `shopping/buyer_consent.json#/${checkout}`,
  ],
  cart: [`shopping/discount.json#/${cart}`],
  order: ["shopping/order.json"],
  search_response: ["shopping/catalog_search.json#/$defs/search_response"],
  lookup_response: ["shopping/catalog_lookup.json#/$defs/lookup_response"],
  get_product_response: ["shopping/catalog_lookup.json#/$defs/get_product_response"],
} as const;

type SchemaName = keyof typeof schemas | "error_response" | "business_profile" | "platform_profile";

/** The references of a schema; the two releases have some of them at other addresses. */
function refsOf(release: Release, name: SchemaName): readonly string[] {
  const isOlder = release === "2026-04-08";
  switch (name) {
    case "error_response":
      return [`${isOlder ? "shopping" : "common"}/types/error_response.json`];
    case "business_profile":
    case "platform_profile":
      return isOlder
        ? [`../discovery/profile_schema.json#/$defs/${name}`]
        : [`profile.json#/$defs/${name.replace("_profile", "_schema")}`];
    default:
      return schemas[name];
  }
}

/** The address of a file. The one that the older profile declares breaks its references. */
const addressOf = (path: string): string => new URL(path, root).href;

const validators = new Map<string, ValidateFunction>();
const ajvByRelease = new Map<Release, Ajv2020>();

async function loadAjv(release: Release): Promise<Ajv2020> {
  const cached = ajvByRelease.get(release);
  if (cached) return cached;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const prefix = `./ucp/${release}/`;
  await Promise.all(
    Object.entries(files).map(async ([path, load]) => {
      if (!path.startsWith(prefix)) return;
      const $id = addressOf(path.replace(prefix, "../"));
      ajv.addSchema({ ...(await load()), $id });
    }),
  );
  ajvByRelease.set(release, ajv);
  return ajv;
}

async function loadValidator(release: Release, name: SchemaName): Promise<ValidateFunction> {
  const key = `${release} ${name}`;
  const cached = validators.get(key);
  if (cached) return cached;
  const ajv = await loadAjv(release);
  const validate = ajv.compile({
    allOf: refsOf(release, name).map((ref) => ({ $ref: new URL(ref, root).href })),
  });
  validators.set(key, validate);
  return validate;
}

/**
 * Checks a body that a business or a platform sends against the schemas of a release.
 *
 * @throws Error that names each wrong field.
 */
export async function assertValid(
  release: Release,
  name: SchemaName,
  body: unknown,
): Promise<void> {
  const validate = await loadValidator(release, name);
  if (validate(body)) return;
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
  throw new Error(`Not a ${name} of ${release}:\n${problems.join("\n")}`);
}
