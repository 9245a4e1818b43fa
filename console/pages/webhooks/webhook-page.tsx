import { useParams } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { Card, Fact } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { eventText, useWebhooks, type Webhook, WebhookStatus } from "./webhook.tsx";
import { WebhookActions } from "./webhook-actions.tsx";

/** A webhook: what it reports, and what was sent. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: "/$businessId/webhooks/$webhookId" });
  const query = useWebhooks((webhooks) => webhooks.find(({ id }) => id === webhookId) ?? null);
  return (
    <Loaded query={query}>
      {(webhook) =>
        webhook ? <WebhookView webhook={webhook} /> : <PageHead title="There is no such webhook" />
      }
    </Loaded>
  );
}

function WebhookView({ webhook }: Readonly<{ webhook: Webhook }>) {
  const { can } = useShop();
  const format = useFormat();
  return (
    <>
      <PageHead title={hostOf(webhook.url)} badges={<WebhookStatus webhook={webhook} />}>
        {can("webhooks:write") && <WebhookActions webhook={webhook} />}
      </PageHead>
      {webhook.status === "disabled" && (
        <p className="notice warning">
          Nothing is sent. What happens meanwhile is not sent later either.
        </p>
      )}
      <div className="columns">
        <DeliveriesCard webhook={webhook} />
        <Card title="Webhook">
          <dl className="facts">
            <Fact name="Address">{webhook.url}</Fact>
            {webhook.description && <Fact name="About">{webhook.description}</Fact>}
            <Fact name="Sent when">{webhook.events.map(eventText).join(", ")}</Fact>
            <Fact name="Orders">
              {webhook.payload === "full" ? "With lines and contact" : "Without lines and contact"}
            </Fact>
            <Fact name="Created">{format.date(webhook.created_at)}</Fact>
            <Fact name="Id">{webhook.id}</Fact>
          </dl>
        </Card>
      </div>
    </>
  );
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;
