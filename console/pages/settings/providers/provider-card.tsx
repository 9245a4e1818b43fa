import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, Fact } from "../../../ui/card.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { useDone } from "../../../ui/use-done.ts";
import { useFormat } from "../../../ui/use-format.ts";
import { methodNames } from "../payment-methods.ts";
import { ConnectDialog } from "./connect-dialog.tsx";
import { type Provider, type ProviderAccount, providers } from "./provider.ts";

const states: Readonly<Record<ProviderAccount["status"], Readonly<{ name: string; tone: Tone }>>> =
  {
    active: { name: "Connected", tone: "success" },
    invalid: { name: "Keys refused", tone: "danger" },
    disabled: { name: "Disconnected", tone: "neutral" },
  };

type ProviderCardProps = Readonly<{
  provider: Provider;
  /** Null for a provider that was never connected. */
  account: ProviderAccount | null;
}>;

/** An account at a provider: its state, what it takes, and its keys, which are never shown. */
export function ProviderCard({ provider, account }: ProviderCardProps) {
  const { api, can } = useShop();
  const done = useDone();
  const [dialog, setDialog] = useState<"connect" | "disconnect">();
  const close = () => setDialog(undefined);
  const { name, takes } = providers[provider];
  const isConnected = account !== null && account.status !== "disabled";
  return (
    <Card
      title={name}
      actions={
        can("providers:write") && (
          <>
            {isConnected && <Button onClick={() => setDialog("disconnect")}>Disconnect</Button>}
            <Button onClick={() => setDialog("connect")}>
              {isConnected ? "Replace keys" : "Connect"}
            </Button>
          </>
        )
      }
    >
      {account ? (
        <AccountFacts account={account} />
      ) : (
        <p className="muted">
          Not connected. {name} takes {takes}.
        </p>
      )}
      {dialog === "connect" && (
        <ConnectDialog provider={provider} isReplacing={isConnected} onClose={close} />
      )}
      {dialog === "disconnect" && (
        <ConfirmDialog
          title={`Disconnect ${name}`}
          action="Disconnect"
          onConfirm={async () => {
            await api.paymentProviders.disconnect(provider);
            await done(`${name} is disconnected.`);
          }}
          onClose={close}
        >
          No new payment goes to this account. Its payments can still be refunded, and subscriptions
          that it charged are renewed with it. Keep its webhook at {name}: payments that are under
          way and disputes still arrive. You can connect it again at any time.
        </ConfirmDialog>
      )}
    </Card>
  );
}

function AccountFacts({ account }: Readonly<{ account: ProviderAccount }>) {
  const format = useFormat();
  const { name, tone } = states[account.status];
  return (
    <div className="stack">
      {account.last_error && <p className="notice danger">{account.last_error}</p>}
      <dl className="facts">
        <Fact name="State">
          <Badge tone={tone}>{name}</Badge>
        </Fact>
        <Fact name="Takes">{account.methods.map((method) => methodNames[method]).join(", ")}</Fact>
        <Fact name="Currencies">
          <Currencies currencies={account.currencies} />
        </Fact>
        <Fact name="Secret key">ends in {account.key_hint}</Fact>
        <Fact name="Mode">{account.mode === "live" ? "Live" : "Test"}</Fact>
        <Fact name="Connected">{format.moment(account.connected_at)}</Fact>
        <Fact name="Webhook">
          <CopyText
            label={`webhook address for ${providers[account.provider].name}`}
            text={account.webhook_url}
          />
        </Fact>
      </dl>
    </div>
  );
}

const maxShown = 4;

/** The shop's currency and a few others, because an account may take more than a hundred. */
function Currencies({ currencies }: Readonly<{ currencies: readonly string[] }>) {
  const { membership } = useShop();
  const { currency: own } = membership;
  const isTaken = currencies.includes(own);
  const others = currencies.filter((currency) => currency !== own);
  const shown = [...(isTaken ? [own] : []), ...others].slice(0, maxShown);
  const left = currencies.length - shown.length;
  return (
    <span className="row">
      {shown.join(", ")}
      {left > 0 && ` and ${left} more`}
      {!isTaken && <Badge tone="warning">{`Not ${own}, the shop's currency`}</Badge>}
    </span>
  );
}
