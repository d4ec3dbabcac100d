import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type CustomFieldChanges, type CustomFieldRecord, customFieldsApi, type NewCustomField } from '../contract.ts'
import type { CustomRecord, CustomValue, CustomValues } from '../rules.ts'

export const customFieldsQuery = queryOptions({
  queryKey: ['customers', 'custom-fields'],
  queryFn: ({ signal }) => call(customFieldsApi.list, {}, { signal }),
  staleTime: 60_000,
})

const none: CustomFieldRecord[] = []

/** The fields in use, in order; of one kind of record, or of both. */
export const useCustomFields = (record?: CustomRecord): CustomFieldRecord[] => {
  const items = useQuery(customFieldsQuery).data?.items ?? none
  return items.filter((field) => field.archivedAt === null && (record === undefined || field.record === record))
}

const useRefresh = () => {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: ['customers'] })
}

export const useCreateField = () => {
  const onSuccess = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: z.input<typeof NewCustomField>, key) =>
      call(customFieldsApi.create, { body }, { idempotencyKey: key }),
    onSuccess,
  })
}

export const useChangeField = () => {
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: ({ id, ...body }: z.input<typeof CustomFieldChanges> & { id: string }) =>
      call(customFieldsApi.update, { params: { id }, body }),
    onSuccess,
  })
}

export const useArchiveField = () => {
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: ({ id, back }: { id: string; back?: boolean }) =>
      call(back ? customFieldsApi.unarchive : customFieldsApi.archive, { params: { id } }),
    onSuccess,
  })
}

export const useOrderFields = () => {
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: (body: { record: CustomRecord; fieldIds: string[] }) => call(customFieldsApi.order, { body }),
    onSuccess,
  })
}

/** A value as a form holds it: text and choices as text, yes or no as a choice. */
export type CustomFormValue = string | number | null
export type CustomForm = Record<string, CustomFormValue>

export const customForm = (values: CustomValues | undefined): CustomForm =>
  Object.fromEntries(
    Object.entries(values ?? {}).map(([id, value]) => [
      id,
      typeof value === 'boolean' ? (value ? 'yes' : 'no') : value,
    ]),
  )

/** What is sent of a form's value; null takes the value away. */
export const customSent = (field: { type: string }, value: CustomFormValue | undefined): CustomValue | null => {
  if (value === null || value === undefined || value === '') return null
  if (field.type === 'yesno') return value === 'yes'
  return typeof value === 'string' ? value.trim() || null : value
}

/** The filled fields of a new record. */
export const customNew = (fields: readonly CustomFieldRecord[], form: CustomForm): Record<string, CustomValue> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = customSent(field, form[field.id])
      return value === null ? [] : [[field.id, value]]
    }),
  )

type Flat = Record<`custom.${string}`, CustomValue | null>

/** Each field as a value of its own, so that two people who change different ones do not meet. */
export const customFlat = (fields: readonly CustomFieldRecord[], form: CustomForm): Flat =>
  Object.fromEntries(fields.map((field) => [`custom.${field.id}`, customSent(field, form[field.id])]))

/** The other way: changes of single fields as they are sent. */
export const customGrouped = <C extends object>(
  changes: C,
): Omit<C, `custom.${string}`> & { custom?: Record<string, CustomValue | null> } => {
  const entries = Object.entries(changes)
  const custom = entries.flatMap(([key, value]) => (key.startsWith('custom.') ? [[key.slice(7), value]] : []))
  const rest = Object.fromEntries(entries.filter(([key]) => !key.startsWith('custom.')))
  return { ...rest, ...(custom.length > 0 ? { custom: Object.fromEntries(custom) } : {}) } as never
}
