import type { BusinessSchemas } from "@duka/sdk/business";
import { useQueryClient } from "@tanstack/react-query";
import { meQuery } from "../../api/me.ts";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { useRecordForm } from "../../api/use-record-form.ts";
import type { Form } from "../../ui/use-form.ts";

export type BusinessAccount = BusinessSchemas["BusinessAccount"];
export type BusinessFields = BusinessSchemas["BusinessFields"];

const key = ["business", "own"] as const;

/** The business with its settings. */
export function useBusiness() {
  const { api } = useShop();
  return useRecord({ key, get: (options) => api.business.get(options) });
}

/** A form that changes some of the settings. */
export function useBusinessForm<V extends object>(
  business: BusinessAccount,
  toValues: (business: BusinessAccount) => V,
  toFields: (values: V) => BusinessFields,
): Form<V> {
  const { api } = useShop();
  const queryClient = useQueryClient();
  return useRecordForm({
    key,
    record: business,
    toValues,
    async save(values) {
      const { data } = await api.business.update(toFields(values));
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey }); // it has the name too
      return data;
    },
  });
}
