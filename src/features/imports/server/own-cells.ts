import { z } from 'zod'
import { unescapeCell } from '../../../shared/csv.ts'
import { isDay } from '../../../shared/dates.ts'
import { paperWayNames } from '../../../shared/paper-ways.ts'
import { ownRhythms } from '../../businesses/autoinvoices/rules.ts'
import { most } from '../../customers/areas/rules.ts'
import { contactRoles } from '../../customers/contacts/rules.ts'
import {
  type CustomField,
  type CustomRecord,
  type CustomValue,
  customRecords,
  customTypes,
  mostCustomFields,
  readCustomText,
} from '../../customers/custom/rules.ts'
import type { ImportField, Mapping } from '../rules.ts'
import { parsed, type WorkProblem } from './work-cells.ts'

/** What only a file of ours says of a customer. */

const Contact = z.object({
  name: z.string().min(1).max(120),
  role: z.enum(contactRoles),
  email: z.string().max(254).nullable(),
  phone: z.string().max(40).nullable(),
  note: z.string().max(500),
  invoicesBy: z.enum(['email', 'text', 'both']).nullable(),
  quotesBy: z.enum(['email', 'text', 'both']).nullable(),
  visitsBy: z.enum(['email', 'text', 'both']).nullable(),
  marketingBy: z.enum(['email', 'text', 'both']).nullable(),
})
const Ring = z
  .array(z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]))
  .min(3)
  .max(most.corners)
const Area = z
  .object({
    kind: z.enum(['turf', 'bed', 'edge', 'other']),
    name: z.string().max(60),
    squareFeet: z.number().int().min(0).max(most.squareFeet),
    feetAround: z.number().int().min(0).max(most.feet).nullable(),
    rings: z.array(Ring).min(1).max(most.rings).nullable(),
  })
  // only an edge that was typed in feet has no square feet
  .refine(({ kind, squareFeet, feetAround }) => squareFeet > 0 || (kind === 'edge' && (feetAround ?? 0) > 0))
/** A tax certificate on file, without the paper itself. */
const Exemption = z.object({
  certificate: z.string().min(1).max(500),
  state: z.string().length(2).nullable(),
  validFrom: z.string().refine(isDay),
  validUntil: z.string().refine(isDay).nullable(),
})
const instant = z
  .string()
  .max(40)
  .refine((text) => !Number.isNaN(Date.parse(text)))
const address = { channel: z.enum(['email', 'sms']), address: z.string().min(3).max(254) }
/** A word on consent to one of their addresses, as the ledger has it. */
const ConsentWord = z.object({
  ...address,
  purpose: z.enum(['transactional', 'marketing']),
  action: z.enum(['grant', 'revoke']),
  source: z.string().min(1).max(200),
  wording: z.string().max(2000),
  saidOn: z.string().refine(isDay).nullable(),
  at: instant,
})
/** An address that is shut: a STOP, an unsubscribe, a bounce. */
const Shut = z.object({ ...address, purpose: z.enum(['all', 'marketing']), reason: z.string().max(500), at: instant })
/** What no other program writes: how a customer is billed and what reaches them, and the rest of a property. */
const Details = z.object({
  termsDays: z.number().int().min(0).max(365).nullable(),
  invoiceGrouping: z.enum(['customer', 'property', 'visit']).nullable(),
  holdInvoices: z.boolean(),
  noLateFees: z.boolean().default(false),
  autoInvoices: z.enum(ownRhythms).nullable().default(null),
  language: z.enum(['en', 'es']),
  gets: z.array(z.enum(['invoices', 'quotes', 'visits', 'marketing'])),
  source: z.string().max(60),
  // what files of before these were carried do not hold is as with any new customer
  paperWay: z.enum(paperWayNames).nullable().default(null),
  taxExempt: z.boolean().default(false),
  taxCertificate: z.string().max(500).nullable().default(null),
  exemptions: z.array(Exemption).max(50).default([]),
  words: z.array(ConsentWord).max(200).default([]),
  shut: z.array(Shut).max(200).default([]),
  tags: z.array(z.string().min(1).max(40)).max(30),
  /** Custom fields by their names, as files hold them. */
  custom: z.record(z.string(), z.string().max(2000)).default({}),
  propertyCustom: z.record(z.string(), z.string().max(2000)).default({}),
  property: z
    .object({
      difficulty: z.number().int().min(1).max(5),
      clippings: z.enum(['mulch', 'bag', 'side']),
      geocodeQuality: z.enum(['manual', 'exact', 'rooftop', 'street', 'zip', 'county', 'approximate', 'none']),
    })
    .nullable(),
})
export type Own = {
  contacts: z.output<typeof Contact>[]
  areas: z.output<typeof Area>[]
  details: z.output<typeof Details> | null
}

/** What only a file of ours says. What was changed in it by hand and cannot be read is named. */
export const readOwn = (cells: readonly string[], mapping: Mapping): Own & { problems: WorkProblem[] } => {
  const problems: WorkProblem[] = []
  const read = <T>(field: ImportField, schema: z.ZodType<T>, none: T): T => {
    const text = cells[mapping.indexOf(field)]?.trim() ?? ''
    if (text === '') return none
    const found = schema.safeParse(parsed(unescapeCell(text)))
    if (found.success) return found.data
    problems.push({ field, message: 'What Swath wrote in this cell was changed and cannot be read.' })
    return none
  }
  return {
    contacts: read('contacts', z.array(Contact).max(20), []),
    areas: read('areas', z.array(Area).max(most.areas), []),
    details: read<Own['details']>('details', Details, null),
    problems,
  }
}

const BroughtFields = z
  .array(
    z.object({
      record: z.enum(customRecords),
      name: z.string().min(1).max(40),
      type: z.enum(customTypes),
      choices: z.array(z.string().min(1).max(40)).max(50),
    }),
  )
  .max(2 * mostCustomFields)

/** The custom fields that a file of ours says the business had; they stand in its first row. */
export const readBroughtFields = (cells: readonly string[], mapping: Mapping): z.output<typeof BroughtFields> => {
  const at = mapping.indexOf('customFields')
  const text = at < 0 ? '' : (cells[at]?.trim() ?? '')
  return text === '' ? [] : (BroughtFields.safeParse(parsed(unescapeCell(text))).data ?? [])
}

/** Custom fields that a file of ours names, as values of the fields that there are now. */
export const ownCustom = (
  fields: readonly CustomField[],
  record: CustomRecord,
  named: Readonly<Record<string, string>>,
): Record<string, CustomValue> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      if (field.record !== record || field.archivedAt !== null) return []
      const text = Object.entries(named).find(([name]) => name.toLowerCase() === field.name.toLowerCase())?.[1]
      const value = text === undefined ? null : readCustomText(field, text).value
      return value === null ? [] : [[field.id, value]]
    }),
  )
