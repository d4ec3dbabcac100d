import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { customRecords, customTypes, longestName, mostChoices, readCustomFilters } from './rules.ts'

const name = z
  .string()
  .trim()
  .min(1, 'What is it called?')
  .max(longestName, `At most ${longestName} characters.`)
  .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), 'It has characters that cannot be stored.')
  .transform((value) => value.normalize('NFC'))

const Choice = z.object({ id: z.string(), name: z.string(), gone: z.boolean().optional() })

export const CustomFieldRecord = z.object({
  id: z.uuid(),
  record: z.enum(customRecords),
  name: z.string(),
  type: z.enum(customTypes),
  choices: z.array(Choice),
  version: z.number().int(),
  archivedAt: z.string().nullable(),
})
export type CustomFieldRecord = z.output<typeof CustomFieldRecord>

/** A choice with its id keeps what was chosen under another name; one without is new. */
const choices = z
  .array(z.object({ id: z.string().max(40).nullable(), name }))
  .max(mostChoices, `At most ${mostChoices} choices.`)
  .refine((list) => new Set(list.map((one) => one.name.toLowerCase())).size === list.length, 'A choice stands twice.')

export const NewCustomField = z
  .object({
    record: z.enum(customRecords),
    name,
    type: z.enum(customTypes),
    choices: choices.default([]),
  })
  .superRefine((field, context) => {
    if (field.type === 'choice' && field.choices.length === 0)
      context.addIssue({ code: 'custom', path: ['choices'], message: 'Name at least one choice.' })
  })
export type NewCustomField = z.output<typeof NewCustomField>

export const CustomFieldChanges = z.object({
  version: z.number().int(),
  name: name.optional(),
  choices: choices.optional(),
})
export type CustomFieldChanges = z.output<typeof CustomFieldChanges>

const value = z.union([z.string().max(2000), z.number(), z.boolean()])
/** Values as a record has them, by the id of their field. */
export const CustomValues = z.record(z.string(), value)
/** Values to write: null takes one away, what is not named stays. What fits a field is asked by the server, which knows the fields. */
export const CustomChanges = z
  .record(z.uuid(), value.nullable())
  .refine((all) => Object.keys(all).length <= 100, 'These are too many fields.')
export type CustomChanges = z.output<typeof CustomChanges>

/** What is asked of custom fields, as it stands in an address (`writeCustomFilters`). */
export const CustomFilterText = z
  .string()
  .max(1500)
  .transform((text, context) => {
    const filters = readCustomFilters(text)
    if (filters) return filters
    context.addIssue({ code: 'custom', message: 'This filter cannot be read. Choose it again.' })
    return z.NEVER
  })

const byId = z.object({ id: z.uuid() })
const All = z.object({ items: z.array(CustomFieldRecord) })
const change = { access: 'owner', idempotent: true } as const

export const customFieldsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/custom-fields',
    access: 'office',
    response: All,
    summary: 'The fields that the business added to customers and properties, in order, archived ones last',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/custom-fields',
    ...change,
    body: NewCustomField,
    response: CustomFieldRecord,
    summary: 'Add a field to customers or properties',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/custom-fields/:id',
    ...change,
    params: byId,
    body: CustomFieldChanges,
    response: CustomFieldRecord,
    summary: 'Rename a field, or change what can be chosen',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/custom-fields/:id/archive',
    ...change,
    params: byId,
    response: CustomFieldRecord,
    summary: 'Take a field off the forms; its values are kept',
  }),
  unarchive: endpoint({
    method: 'POST',
    path: '/api/custom-fields/:id/unarchive',
    ...change,
    params: byId,
    response: CustomFieldRecord,
    summary: 'Bring an archived field back, with its values',
  }),
  order: endpoint({
    method: 'PUT',
    path: '/api/custom-fields/order',
    ...change,
    body: z.object({ record: z.enum(customRecords), fieldIds: z.array(z.uuid()).min(1).max(100) }),
    response: All,
    summary: 'The order of the fields on forms',
  }),
}
