export {
  accountStatuses,
  mobileMoneyCurrencies,
  type ProviderAccount,
  routeOf,
  takesPayment,
} from "./account.ts";
export { providerAccountRepo } from "./account-repo.ts";
export {
  type AccountCheck,
  connectProviderAccount,
} from "./connect-account.ts";
export {
  createDataKey,
  type Keyring,
  openCredentials,
  openText,
  type ProviderCredentials,
  sealText,
  UnreadableCredentials,
  type WrappedDataKey,
  type WrappingKey,
} from "./credentials.ts";
export { disconnectProviderAccount, purgeProviderAccount } from "./disconnect-account.ts";
export * from "./payment-methods.ts";
export { type RotationStep, rotateDataKeys } from "./rotate-data-keys.ts";
