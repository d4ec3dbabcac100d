import type { CustomFieldRecord } from '../contract.ts'
import { type CustomValue, customText } from '../rules.ts'

/** The filled fields of a record, for a list of facts. */
export const customFacts = (
  fields: readonly CustomFieldRecord[],
  values: Readonly<Record<string, CustomValue>>,
): { label: string; value: string | null }[] =>
  fields.map((field) => ({ label: field.name, value: customText(field, values[field.id]) || null }))
