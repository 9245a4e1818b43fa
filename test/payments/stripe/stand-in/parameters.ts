import type Stripe from "stripe";

/** A value that Stripe takes: text, one of a few words, a number, a truth value, or an address. */
type Leaf = "string" | "integer" | "boolean" | "url" | "currency" | "metadata" | readonly string[];

type ParameterRule = Leaf | ParameterRules | Readonly<{ list: ParameterRule }>;
type ParameterRules = { readonly [name: string]: ParameterRule };

/** The rules of an endpoint, whose names the types of the package have to know. */
type ParametersOf<T> = {
  readonly [K in keyof T]?: NonNullable<T[K]> extends string | number | boolean
    ? Leaf
    : NonNullable<T[K]> extends ReadonlyArray<infer E>
      ? Readonly<{ list: E extends string ? Leaf : ParametersOf<E> }>
      : Leaf | ParametersOf<Exclude<NonNullable<T[K]>, string | number | boolean>>;
};

export type EndpointRules = Readonly<{ fields: ParameterRules; required: readonly string[] }>;

const rules =
  <T>() =>
  (
    fields: ParametersOf<T> & ParameterRules,
    ...required: readonly (keyof T & string)[]
  ): EndpointRules => ({
    fields,
    required,
  });

const expand = { list: "string" } as const;
const created = { gte: "integer", lte: "integer" } as const;
const page = { limit: "integer", starting_after: "string" } as const;

/** What each endpoint takes of what our adapter may send. Anything else is an unknown parameter. */
export const endpoints = {
  "POST /v1/checkout/sessions": rules<Stripe.Checkout.SessionCreateParams>()(
    {
      mode: ["payment"],
      ui_mode: ["hosted_page"],
      allowed_payment_method_types: { list: "string" },
      line_items: {
        list: {
          quantity: "integer",
          price_data: {
            currency: "currency",
            unit_amount: "integer",
            product_data: { name: "string" },
          },
        },
      },
      adaptive_pricing: { enabled: "boolean" },
      client_reference_id: "string",
      customer_creation: ["always", "if_required"],
      customer_email: "string",
      expires_at: "integer",
      success_url: "url",
      cancel_url: "url",
      metadata: "metadata",
      payment_intent_data: {
        metadata: "metadata",
        description: "string",
        setup_future_usage: ["off_session", "on_session"],
      },
    },
    "line_items",
    "mode",
    "success_url",
  ),
  "GET /v1/checkout/sessions": rules<Stripe.Checkout.SessionListParams>()({
    payment_intent: "string",
    ...page,
  }),
  "GET /v1/checkout/sessions/{}": rules<Stripe.Checkout.SessionRetrieveParams>()({ expand }),
  "POST /v1/checkout/sessions/{}/expire": rules<Stripe.Checkout.SessionExpireParams>()({ expand }),
  "POST /v1/payment_intents": rules<Stripe.PaymentIntentCreateParams>()(
    {
      amount: "integer",
      currency: "currency",
      confirm: "boolean",
      customer: "string",
      payment_method: "string",
      confirmation_token: "string",
      allowed_payment_method_types: { list: "string" },
      automatic_payment_methods: { enabled: "boolean", allow_redirects: ["always", "never"] },
      off_session: "boolean",
      setup_future_usage: ["off_session", "on_session"],
      return_url: "url",
      description: "string",
      metadata: "metadata",
    },
    "amount",
    "currency",
  ),
  "GET /v1/payment_intents": rules<Stripe.PaymentIntentListParams>()({ created, expand, ...page }),
  "GET /v1/payment_intents/search": rules<Stripe.PaymentIntentSearchParams>()(
    { query: "string", limit: "integer", expand },
    "query",
  ),
  "GET /v1/payment_intents/{}": rules<Stripe.PaymentIntentRetrieveParams>()({ expand }),
  "POST /v1/payment_intents/{}/cancel": rules<Stripe.PaymentIntentCancelParams>()({}),
  "POST /v1/refunds": rules<Stripe.RefundCreateParams>()(
    { payment_intent: "string", amount: "integer", metadata: "metadata" },
    "payment_intent",
  ),
  "GET /v1/refunds": rules<Stripe.RefundListParams>()({
    payment_intent: "string",
    created,
    ...page,
  }),
  "POST /v1/customers": rules<Stripe.CustomerCreateParams>()({
    email: "string",
    metadata: "metadata",
  }),
  "POST /v1/payment_methods": rules<Stripe.PaymentMethodCreateParams>()(
    { type: ["card"], card: { token: "string" } },
    "type",
  ),
  "GET /v1/disputes/{}": rules<Stripe.DisputeRetrieveParams>()({ expand }),
  "GET /v1/account": rules<Stripe.AccountRetrieveCurrentParams>()({}),
  "GET /v1/country_specs/{}": rules<Stripe.CountrySpecRetrieveParams>()({}),
} as const satisfies Readonly<Record<string, EndpointRules>>;

export type Endpoint = keyof typeof endpoints;

export const isEndpoint = (name: string): name is Endpoint => name in endpoints;

/** The values of a form, by their names as Stripe's errors have them: `a[b][0]`. */
export type Form = Readonly<Record<string, string>>;

export type ParameterError = Readonly<{ code: string; param: string; message: string }>;

/** What is wrong with a form; null when Stripe takes it. */
export function findParameterError(endpoint: Endpoint, form: Form): ParameterError | null {
  const { fields, required }: EndpointRules = endpoints[endpoint];
  for (const [param, value] of Object.entries(form)) {
    const path = param.split(/[[\]]+/).filter((part) => part !== "");
    const rule = ruleAt(fields, path);
    if (rule === undefined) {
      return { code: "parameter_unknown", param, message: `Received unknown parameter: ${param}` };
    }
    if (!fits(rule, value)) return { code: codeOf(rule), param, message: `Invalid ${param}` };
  }
  const missing = required.find((name) => !Object.keys(form).some((key) => isAt(key, name)));
  return missing === undefined
    ? null
    : { code: "parameter_missing", param: missing, message: `Missing required param: ${missing}.` };
}

const isAt = (key: string, name: string): boolean => key === name || key.startsWith(`${name}[`);

function ruleAt(fields: ParameterRules, [name = "", ...rest]: readonly string[]): Leaf | undefined {
  let rule: ParameterRule | undefined = fields[name];
  for (const [index, part] of rest.entries()) {
    if (rule === undefined || typeof rule === "string" || isWords(rule)) {
      return rule === "metadata" && index === rest.length - 1 ? "string" : undefined;
    }
    rule = isList(rule) ? (/^\d+$/.test(part) ? rule.list : undefined) : rule[part];
  }
  return rule === undefined || rule === "metadata" || typeof rule === "string" || isWords(rule)
    ? rule
    : undefined;
}

const isWords = (rule: ParameterRule): rule is readonly string[] => Array.isArray(rule);
const isList = (rule: ParameterRule): rule is Readonly<{ list: ParameterRule }> =>
  typeof rule === "object" && !isWords(rule) && "list" in rule;

function fits(rule: Leaf, value: string): boolean {
  if (typeof rule !== "string") return rule.includes(value);
  switch (rule) {
    case "integer":
      return /^-?\d+$/.test(value);
    case "boolean":
      return value === "true" || value === "false";
    case "url":
      return URL.canParse(value) && /^https?:/.test(value);
    case "currency":
      return /^[a-z]{3}$/.test(value);
    case "metadata":
      return false; // takes keys only
    case "string":
      return value !== "" && value.length <= 500;
  }
}

const codeOf = (rule: Leaf): string =>
  rule === "integer" ? "parameter_invalid_integer" : "parameter_invalid";

/** The values of a form body or a query. */
export const parseForm = (text: string): Form =>
  Object.fromEntries(new URLSearchParams(text).entries());

/** The metadata of a form, at a prefix such as `payment_intent_data`. */
export function metadataIn(form: Form, prefix = ""): Record<string, string> {
  const start = prefix === "" ? "metadata[" : `${prefix}[metadata][`;
  return Object.fromEntries(
    Object.entries(form)
      .filter(([key]) => key.startsWith(start))
      .map(([key, value]) => [key.slice(start.length, -1), value]),
  );
}
