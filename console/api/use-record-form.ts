import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Form, useForm } from "../ui/use-form.ts";
import { useShop } from "./shop.ts";

type RecordFormInput<R, V> = Readonly<{
  /** The key with which `useRecord` keeps the record. */
  key: readonly [list: string, id: string];
  record: R;
  toValues: (record: R) => V;
  save: (values: V, first: V) => Promise<R>;
}>;

/** A form that changes a record. While the reader has changed nothing, it shows the newest record. */
export function useRecordForm<R, V extends object>({
  key,
  record,
  toValues,
  save,
}: RecordFormInput<R, V>): Form<V> {
  const { id } = useShop();
  const queryClient = useQueryClient();
  const [shown, setShown] = useState(record);
  const form = useForm(toValues(record), async (values, first) => {
    queryClient.setQueryData([id, ...key], await save(values, first));
    void queryClient.invalidateQueries({ queryKey: [id, key[0]] });
  });
  if (shown !== record && !form.isDirty && !form.isSaving) {
    setShown(record);
    form.reset(toValues(record));
  }
  return form;
}
