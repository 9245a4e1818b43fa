import type { MessageLinks } from "../../shared/messages/index.ts";
import { createOrderPath, createPaymentLinkToken } from "../runtime/order-links.ts";
import type { Settings } from "../runtime/settings.ts";
import { createUnsubscribeToken } from "../runtime/unsubscribe-links.ts";

/** The addresses that messages name. Without PUBLIC_URL they name none. */
export const messageLinks = (
  settings: Pick<Settings, "publicUrl" | "sessionSecret">,
): MessageLinks => {
  const { publicUrl: origin } = settings;
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
    support: ({ slug }) => (origin === undefined ? null : `${origin}/shop/${slug}/support`),
    console: (path) => (origin === undefined ? null : `${origin}/console${path}`),
  };
};
