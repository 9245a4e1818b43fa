import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useDone } from "../../ui/use-done.ts";
import type { Webhook } from "./webhook.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

type WebhookChangeDialog =
  | Readonly<{ kind: "edit" | "rotate" | "delete" }>
  | Readonly<{ kind: "secret"; secret: string }>;

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: Readonly<{ webhook: Webhook }>) {
  const { api } = useShop();
  const navigate = useNavigate({ from: "/$businessId" });
  const change = useChange();
  const done = useDone();
  const [dialog, setDialog] = useState<WebhookChangeDialog>();
  const close = () => setDialog(undefined);
  const isActive = webhook.status === "active";
  return (
    <>
      <Button onClick={() => setDialog({ kind: "delete" })}>Delete</Button>
      <Button onClick={() => setDialog({ kind: "rotate" })}>New secret</Button>
      <Button
        isBusy={change.isBusy}
        onClick={() =>
          void change.run(
            () => api.webhooks.update(webhook.id, { status: isActive ? "disabled" : "active" }),
            isActive ? "The webhook is disabled." : "The webhook is active.",
          )
        }
      >
        {isActive ? "Disable" : "Activate"}
      </Button>
      <Button icon="edit" onClick={() => setDialog({ kind: "edit" })}>
        Edit
      </Button>
      {dialog?.kind === "edit" && <WebhookDialog webhook={webhook} onClose={close} />}
      {dialog?.kind === "delete" && (
        <ConfirmDialog
          title="Delete the webhook"
          action="Delete"
          onConfirm={async () => {
            await api.webhooks.delete(webhook.id);
            await navigate({ to: "/$businessId/webhooks" });
            await done("The webhook is deleted.");
          }}
          onClose={close}
        >
          {webhook.url} is no longer called, and its deliveries can no longer be read.
        </ConfirmDialog>
      )}
      {dialog?.kind === "rotate" && (
        <ConfirmDialog
          title="Get a new secret"
          action="Get a new secret"
          onConfirm={async () => {
            const { data } = await api.webhooks.rotateSecret(webhook.id);
            await done("The webhook has a new secret.");
            setDialog({ kind: "secret", secret: data.secret });
          }}
          onClose={() => setDialog((open) => (open?.kind === "rotate" ? undefined : open))}
        >
          The earlier secret signs beside the new one for 24 hours.
        </ConfirmDialog>
      )}
      {dialog?.kind === "secret" && (
        <SecretDialog
          title="The webhook's secret"
          label="Secret"
          secret={dialog.secret}
          onClose={close}
        />
      )}
    </>
  );
}
