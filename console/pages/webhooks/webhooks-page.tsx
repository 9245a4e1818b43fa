import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Table } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { eventText, useWebhooks, WebhookStatus } from "./webhook.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

type WebhooksDialog = Readonly<{ kind: "create" } | { kind: "secret"; secret: string }>;

/** The addresses that the service calls when something happens in the shop. */
export function WebhooksPage() {
  const { can } = useShop();
  const format = useFormat();
  const [dialog, setDialog] = useState<WebhooksDialog>();
  const query = useWebhooks((webhooks) => webhooks);
  const newWebhook = can("webhooks:write") && (
    <Button look="primary" icon="plus" onClick={() => setDialog({ kind: "create" })}>
      New webhook
    </Button>
  );
  return (
    <>
      <PageHead title="Webhooks">{query.data?.length !== 0 && newWebhook}</PageHead>
      <div className="card">
        <Loaded query={query}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <EmptyState icon="webhooks" title="No webhooks yet">
                <p className="muted">
                  Add the address of your server, which then gets a call for each event of the shop.
                </p>
                {newWebhook}
              </EmptyState>
            ) : (
              <Table
                label="Webhooks"
                rows={webhooks}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: "Address",
                    isWide: true,
                    cell: ({ id, url, description }) => (
                      <>
                        <Link
                          className="row-link"
                          to="/$businessId/webhooks/$webhookId"
                          from="/$businessId"
                          params={{ webhookId: id }}
                        >
                          {url}
                        </Link>
                        {description && <p className="small muted">{description}</p>}
                      </>
                    ),
                  },
                  {
                    name: "Sent when",
                    cell: ({ events: [first, ...others] }) =>
                      first &&
                      (others.length > 0
                        ? `${eventText(first)} and ${others.length} more`
                        : eventText(first)),
                  },
                  {
                    name: "Status",
                    cell: (webhook) => (
                      <div className="row">
                        <WebhookStatus webhook={webhook} />
                      </div>
                    ),
                  },
                  {
                    name: "Created",
                    kind: "tight",
                    cell: ({ created_at: at }) => format.date(at),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </div>
      {dialog?.kind === "create" && (
        <WebhookDialog
          onCreated={(secret) => setDialog({ kind: "secret", secret })}
          onClose={() => setDialog((open) => (open?.kind === "create" ? undefined : open))}
        />
      )}
      {dialog?.kind === "secret" && (
        <SecretDialog
          title="The webhook's secret"
          label="Secret"
          secret={dialog.secret}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}
