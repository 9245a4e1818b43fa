/** The profile that a platform hosts, in the form of a release. */
export function createPlatformProfile({
  release,
  capabilities,
  keys = [],
  orderWebhookUrl,
}: Readonly<{
  release: string;
  capabilities: readonly string[];
  keys?: readonly object[];
  orderWebhookUrl?: string | undefined;
}>) {
  const page = (path: string) => `https://ucp.dev/${release}/${path}`;
  return {
    ucp: {
      version: release,
      services: {
        "dev.ucp.shopping": [
          {
            version: release,
            spec: page("specification/overview"),
            transport: "rest",
            schema: page("services/shopping/rest.openapi.json"),
          },
        ],
      },
      capabilities: Object.fromEntries(
        capabilities.map((name) => [
          name,
          [
            {
              version: release,
              spec: page("specification"),
              schema: page("schemas/ucp.json"),
              ...(name === "dev.ucp.shopping.order" &&
                orderWebhookUrl !== undefined && { config: { webhook_url: orderWebhookUrl } }),
            },
          ],
        ]),
      ),
      payment_handlers: {},
    },
    ...(release === "2026-04-08" ? { signing_keys: keys } : { keys }),
  };
}
