import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { productUnits, signalWords } from './rules.ts'

/** What is put on lawns: products, mixes of them, and how a business works with them. */

const actions = z.object({ update: z.boolean() })

const LabelRate = z
  .number({ error: 'Type a number, like 1.5.' })
  .positive('More than nothing.')
  .max(10_000)
  .multipleOf(0.0001, 'At most four decimals.')
  .nullable()

const productFields = {
  name: z.string().trim().min(1, 'What is it called on the label?').max(120),
  epaNumber: z.string().trim().max(40),
  formulation: z.string().trim().max(60),
  signalWord: z.enum(signalWords),
  restricted: z.boolean(),
  licenseSkill: z.string().trim().max(40),
  reentryHours: z.number({ error: 'Type whole hours.' }).int('Type whole hours.').min(0).max(720, 'At most 30 days.'),
  unit: z.enum(productUnits),
  /** What the label allows for 1,000 sq ft, in the product's unit. */
  labelLow: LabelRate,
  labelHigh: LabelRate,
  labelUrl: z
    .string()
    .trim()
    .max(500)
    .refine((text) => text === '' || /^https:\/\/[^\s]+$/.test(text), 'Use an address that begins with https://.'),
}

export const ProductDraft = z.object({
  ...productFields,
  epaNumber: productFields.epaNumber.default(''),
  formulation: productFields.formulation.default(''),
  signalWord: productFields.signalWord.default(''),
  restricted: productFields.restricted.default(false),
  licenseSkill: productFields.licenseSkill.default(''),
  reentryHours: productFields.reentryHours.default(0),
  labelLow: LabelRate.default(null),
  labelHigh: LabelRate.default(null),
  labelUrl: productFields.labelUrl.default(''),
})
export type ProductDraft = z.output<typeof ProductDraft>

/** What a label says, as a product has it and as a record keeps it. */
export const labelFacts = {
  name: z.string(),
  epaNumber: z.string(),
  formulation: z.string(),
  signalWord: z.enum(signalWords),
  restricted: z.boolean(),
  /** What a license has to allow for it; empty: nobody needs one. */
  licenseSkill: z.string(),
  reentryHours: z.number().int(),
  unit: z.enum(productUnits),
  labelUrl: z.string(),
}

export const ChemicalProduct = z.object({
  id: z.uuid(),
  ...labelFacts,
  /** What the label allows for 1,000 sq ft; null where nobody typed it. */
  labelLow: z.number().nullable(),
  labelHigh: z.number().nullable(),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
  can: actions,
})
export type ChemicalProduct = z.output<typeof ChemicalProduct>

const Rate = z
  .number({ error: 'How much for 1,000 sq ft?' })
  .positive('More than nothing.')
  .max(10_000)
  .multipleOf(0.0001, 'At most four decimals.')

const mixFields = {
  name: z.string().trim().min(1, 'A name is needed').max(80),
  carrierGallons: z.number().positive('More than nothing.').max(1000).nullable(),
  target: z.string().trim().max(120),
  method: z.string().trim().max(80),
  equipment: z.string().trim().max(80),
  products: z
    .array(z.object({ productId: z.uuid(), rate: Rate }))
    .min(1, 'Add at least one product.')
    .max(8, 'At most eight products.')
    .refine(
      (list) => new Set(list.map(({ productId }) => productId)).size === list.length,
      'A product stands here twice.',
    ),
  /** The services that are usually done with it. */
  serviceIds: z.array(z.uuid()).max(50, 'At most 50 services.'),
}

export const MixDraft = z.object({
  ...mixFields,
  carrierGallons: mixFields.carrierGallons.default(null),
  target: mixFields.target.default(''),
  method: mixFields.method.default(''),
  equipment: mixFields.equipment.default(''),
  serviceIds: mixFields.serviceIds.default([]),
})
export type MixDraft = z.output<typeof MixDraft>

export const ChemicalMix = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Water for 1,000 sq ft; null for what is spread dry. */
  carrierGallons: z.number().nullable(),
  target: z.string(),
  method: z.string(),
  equipment: z.string(),
  products: z.array(z.object({ productId: z.uuid(), rate: z.number() })),
  serviceIds: z.array(z.uuid()),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
  can: actions,
})
export type ChemicalMix = z.output<typeof ChemicalMix>

export const ChemicalSettings = z.object({
  /** A crew finishes a treatment only with a complete record. */
  blockFinish: z.boolean(),
  /** The customer hears what was used and until when to keep off. */
  tellCustomers: z.boolean(),
  version: z.number().int(),
  can: actions,
})
export type ChemicalSettings = z.output<typeof ChemicalSettings>

const Id = z.object({ id: z.uuid() })
const version = z.number().int()
const change = { access: 'office', permission: 'settings', needsSubscription: true, idempotent: true } as const

export const chemicalsApi = {
  catalog: endpoint({
    method: 'GET',
    path: '/api/chemicals',
    access: 'office',
    permission: 'schedule',
    response: z.object({
      settings: ChemicalSettings,
      products: z.array(ChemicalProduct),
      mixes: z.array(ChemicalMix),
      /** More than these are not read at once. */
      more: z.boolean(),
    }),
    summary: 'Products and mixes, archived ones too, and how the business works with them',
  }),
  setRules: endpoint({
    method: 'PUT',
    path: '/api/chemicals/settings',
    ...change,
    body: z.object({ blockFinish: z.boolean(), tellCustomers: z.boolean(), version }),
    response: ChemicalSettings,
  }),
  addProduct: endpoint({
    method: 'POST',
    path: '/api/chemicals/products',
    ...change,
    body: ProductDraft,
    response: ChemicalProduct,
  }),
  updateProduct: endpoint({
    method: 'PUT',
    path: '/api/chemicals/products/:id',
    ...change,
    params: Id,
    body: z.object(productFields).partial().extend({ archived: z.boolean().optional(), version }),
    response: ChemicalProduct,
    summary: 'Change a product, or archive it and bring it back; records keep it as it was',
  }),
  addMix: endpoint({
    method: 'POST',
    path: '/api/chemicals/mixes',
    ...change,
    body: MixDraft,
    response: ChemicalMix,
  }),
  updateMix: endpoint({
    method: 'PUT',
    path: '/api/chemicals/mixes/:id',
    ...change,
    params: Id,
    body: z.object(mixFields).partial().extend({ archived: z.boolean().optional(), version }),
    response: ChemicalMix,
    summary: 'Change a mix, or archive it and bring it back; records keep it as it was',
  }),
}
