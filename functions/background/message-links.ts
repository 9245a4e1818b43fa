import type { MessageLinks } from "../../shared/messages/index.ts";
import { createOrderPath, createPaymentLinkToken } from "../runtime/order-links.ts";
import type { Settings } from "../runtime/settings.ts";
import { createUnsubscribeToken } from "../runtime/unsubscribe-links.ts";

/**
 * The addresses that messages name: those of the business's own domain, or of PUBLIC_URL for one
 * without. A deployment that has neither names none.
 *
 * @param hostname a verified domain of the business.
 */
export const messageLinks = (
  settings: Pick<Settings, "publicUrl" | "sessionSecret">,
  hostname: string | null,
): MessageLinks => {
  const { publicUrl } = settings;
  const origin = hostname === null ? publicUrl : `https://${hostname}`;
  return {
    order: async ({ sentAt: now, ...order }) =>
      origin === undefined
        ? null
        : `${origin}${await createOrderPath(settings, { ...order, now })}`,
    payment: async (link) =>
      origin === undefined ? null : `${origin}/pay/${await createPaymentLinkToken(settings, link)}`,
    unsubscribe: async (key) =>
      origin === undefined
        ? null
        : `${origin}/messages/unsubscribe/${await createUnsubscribeToken(settings, key)}`,
    // A domain leads to one shop, so its paths do not name the shop.
    support: ({ slug }) =>
      origin === undefined ? null : `${origin}${hostname === null ? `/shop/${slug}` : ""}/support`,
    // The console is on the deployment's own host alone.
    console: (path) => (publicUrl === undefined ? null : `${publicUrl}/console${path}`),
  };
};
