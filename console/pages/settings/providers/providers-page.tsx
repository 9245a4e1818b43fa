import { useShop } from "../../../api/shop.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { useBusiness } from "../use-business.ts";
import { useProviderAccounts } from "./provider.ts";
import { ProviderCard } from "./provider-card.tsx";
import { RoutingCard } from "./routing-card.tsx";

/** The accounts at payment providers, and which of them takes a payment. */
export function ProvidersPage() {
  const { membership, can } = useShop();
  const accounts = useProviderAccounts();
  const business = useBusiness();
  return (
    <>
      {membership.mode === "test" && (
        <p className="notice">
          This shop is in test mode: nobody is charged. A payment goes to a provider that is
          connected here with its test keys, and to the built-in sandbox otherwise.
        </p>
      )}
      {!can("providers:write") && (
        <p className="muted">Only owners connect and change payment providers.</p>
      )}
      <Loaded query={accounts}>
        {(list) => (
          <div className="stack">
            {(["stripe", "paystack"] as const).map((provider) => (
              <ProviderCard
                key={provider}
                provider={provider}
                account={list.find((one) => one.provider === provider) ?? null}
              />
            ))}
          </div>
        )}
      </Loaded>
      <Loaded query={business}>{(loaded) => <RoutingCard business={loaded} />}</Loaded>
    </>
  );
}
