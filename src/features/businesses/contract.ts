import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { type BinaryBody, endpoint } from '../../shared/endpoint.ts'
import { paperWayNames } from '../../shared/paper-ways.ts'
import { readPhone } from '../../shared/phone.ts'
import { isZip, zip5, zipWords } from '../../shared/places.ts'
import { stateOrNull } from '../../shared/states.ts'
import { isTimeZone } from '../../shared/timeZone.ts'
import { largestUpload } from '../files/rules.ts'
import { autoInvoiceRhythms } from './autoinvoices/rules.ts'
import { mostDiscountBps } from './cashdiscount/rules.ts'
import { lateFeeKinds } from './latefees/rules.ts'
import { languages, type NoticeTextKey, noticeKinds, noticeTextProblem } from './notices/rules.ts'
import { reminderSteps } from './reminders/rules.ts'
import { slugProblem } from './rules.ts'
import { skipCharges, skipRulesProblem, skipUsers } from './skips/rules.ts'
import { mostSuggestions, tipKinds } from './tips/rules.ts'

const MonthDay = z
  .string()
  .refine((text) => /^\d\d-\d\d$/.test(text) && isDay(`2028-${text}`), 'A day of the year like 03-01')
const Day = z.string().refine(isDay, 'Not a day of the calendar')

export const TaxRate = z.object({
  id: z.uuid(),
  name: z.string(),
  ratePercent: z.number(),
  taxCategory: z.string(),
  state: z.string().nullable(),
  /** ZIP codes and cities in which it holds; none is all of its state. */
  places: z.array(z.string()),
  /** Charged beside the nearest other rate, not in its place. */
  onTop: z.boolean(),
  /** First and last day of work on which it is charged. */
  validFrom: z.string().nullable(),
  validTo: z.string().nullable(),
})
export type TaxRate = z.output<typeof TaxRate>
/** By which place work is taxed. */
export const TaxPlace = z.object({
  state: z.string().nullable(),
  city: z.string().nullable(),
  zip: z.string().nullable(),
})

/** A phone number as it is kept, or none. */
export const PhoneOrNull = z
  .string()
  .trim()
  .max(40)
  .nullable()
  .transform((text, context) => {
    const phone = text ? readPhone(text) : null
    if (phone || !text) return phone
    context.addIssue({ code: 'custom', message: 'A phone number has ten digits.' })
    return z.NEVER
  })

/** Least driving and labor; the crews of a day end within an hour of each other; as even as can be. */
export const Evenness = z.enum(['cost', 'hour', 'even'])

const noticeKeys = noticeKinds.flatMap((kind) => languages.map((language): NoticeTextKey => `${kind}.${language}`))
/** What is told in texts of the business's own; a text that is missing or empty is ours. */
const NoticeTexts = z.partialRecord(z.enum(noticeKeys), z.string().trim()).superRefine((texts, context) => {
  for (const kind of noticeKinds)
    for (const language of languages) {
      const message = noticeTextProblem(kind, texts[`${kind}.${language}`] ?? '')
      if (message) context.addIssue({ code: 'custom', path: [`${kind}.${language}`], message })
    }
})

const SkipRule = z.object({
  code: z.string().trim().min(1, 'Name the reason').max(60),
  nameEs: z.string().trim().max(60),
  usedBy: z.enum(skipUsers),
  needsPhoto: z.boolean(),
  needsNote: z.boolean(),
  charge: z.enum(skipCharges),
  chargePercent: z.number().int().min(1, 'At least 1%').max(100, 'At most 100%').nullable(),
  chargeCents: z.number().int().min(1, 'At least one cent').max(1_000_000).nullable(),
})
const SkipRules = z
  .array(SkipRule)
  .min(1, 'Leave at least one reason.')
  .max(20, 'At most twenty reasons.')
  .superRefine((rules, context) => {
    const problem = skipRulesProblem(rules)
    if (problem) context.addIssue({ code: 'custom', path: problem.path.split('.'), message: problem.message })
  })

const fields = {
  name: z.string().trim().min(1, 'A name is needed').max(120),
  phone: z.string().trim().max(40).nullable(),
  email: z.email('Not an e-mail address').nullable(),
  street: z.string().trim().max(200).nullable(),
  city: z.string().trim().max(100).nullable(),
  state: stateOrNull,
  zip: z.string().trim().max(12).refine(isZip, zipWords).nullable(),
  timeZone: z.string().refine(isTimeZone, 'A time zone like America/New_York'),
  seasonStart: MonthDay,
  seasonEnd: MonthDay,
  workDays: z.array(z.number().int().min(0).max(6)).max(7),
  holidays: z.array(Day).max(60),
  holidayRule: z.enum(['skip', 'next', 'previous']),
  termsDays: z.number().int().min(0).max(365),
  invoiceMessage: z.string().trim().max(1000),
  invoiceTerms: z.string().trim().max(4000),
  /** What lies on no invoice of a customer pays their invoices by itself, the oldest first. */
  useCredit: z.boolean(),
  /** Customers may pay a part of an invoice on its page. */
  partPayments: z.boolean(),
  /** Customers may pay from a bank account beside a card. */
  bankDebits: z.boolean(),
  /** Crew members who are allowed to may take cash and checks at a stop. */
  doorPayments: z.boolean(),
  /** How long before a saved card is charged its customer is told. */
  autopayNoticeDays: z.number().int().min(1, 'At least a day').max(14, 'At most 14 days'),
  /** How long before a new price holds its customer is told by a price letter. */
  letterNoticeDays: z.number().int().min(0, 'From 0').max(180, 'At most 180 days'),
  /** Days around the due day on which an open invoice is reminded of; none is off. */
  invoiceReminders: z.array(z.literal(reminderSteps)).max(reminderSteps.length),
  /** How invoices, reminders, statements and receipts reach customers who have no way of their own. */
  paperWay: z.enum(paperWayNames),
  /** What customers who pay are suggested as a tip for the crew. */
  tips: z.object({
    kind: z.enum(tipKinds),
    percents: z.array(z.number().int().min(1, 'At least 1%').max(50, 'At most 50%')).min(1).max(mostSuggestions),
    amountsCents: z
      .array(z.number().int().min(100, 'At least $1.00').max(10_000, 'At most $100.00'))
      .min(1)
      .max(mostSuggestions),
  }),
  /** Taken off an invoice that is paid in full by bank, check or cash, in hundredths of a percent; 0 is off. */
  cashDiscountBps: z.number().int().min(0).max(mostDiscountBps, 'At most 10%'),
  /** When finished visits are invoiced without anybody pressing. */
  autoInvoices: z.object({
    rhythm: z.enum(autoInvoiceRhythms),
    weekday: z.number().int().min(0).max(6),
    monthDay: z.number().int().min(1).max(31),
    hour: z.number().int().min(0).max(23),
    send: z.boolean(),
  }),
  /** What is charged for paying late. */
  lateFees: z.object({
    kind: z.enum(lateFeeKinds),
    percent: z.number().min(0.01, 'More than 0%').max(25, 'At most 25%'),
    fixedCents: z.number().int().min(1, 'More than zero').max(100_000, 'At most $1,000'),
    graceDays: z.number().int().min(0).max(90, 'At most 90 days'),
    minimumCents: z.number().int().min(0).max(100_000, 'At most $1,000'),
    capCents: z.number().int().min(1, 'More than zero').max(1_000_000, 'At most $10,000').nullable(),
    repeats: z.boolean(),
    second: z
      .object({
        fromDays: z.number().int().min(2, 'At least 2 days').max(365, 'At most 365 days'),
        kind: z.enum(['percent', 'fixed']),
        percent: z.number().min(0.01, 'More than 0%').max(25, 'At most 25%'),
        fixedCents: z.number().int().min(1, 'More than zero').max(100_000, 'At most $1,000'),
      })
      .nullable()
      // an older screen does not know of it: what it does not send stays as it is
      .optional(),
  }),
  defaultWageCents: z.number().int().min(0).max(100_000),
  burdenPercent: z.number().int().min(0).max(200),
  mileCostCents: z.number().int().min(0).max(1000),
  targetLaborHourCents: z.number().int().min(0).max(100_000),
  driveFactorSeconds: z.number().int().min(30).max(1200),
  driveExponent: z.number().min(0.3).max(1.2),
  /** For every search of a day that is not asked otherwise. */
  routeEvenness: Evenness,
  /** Rain in the work hours of a day that suggests moving it, in hundredths of an inch, or so likely in one of them. */
  rainHundredthsInch: z.number().int().min(1).max(300),
  rainChancePercent: z.number().int().min(5).max(100),
  /** More wind than this, and a heat index from this on, flag treatments. */
  sprayWindMph: z.number().int().min(1).max(60),
  treatHeatIndexF: z.number().int().min(60).max(140),
  quietStartMinute: z.number().int().min(0).max(1440),
  quietEndMinute: z.number().int().min(0).max(1440),
  /** Whom the day before is told; `some` is everything but recurring mowing. */
  reminders: z.enum(['off', 'some', 'all']),
  reminderMinute: z.number().int().min(0).max(1439),
  tellMoves: z.boolean(),
  tellOnWay: z.boolean(),
  sharePhotos: z.boolean(),
  noticeTexts: NoticeTexts,
  /** Why visits are skipped, and what that costs; what it costs is null for people who do not see money. */
  skipRules: SkipRules,
  shareChecklists: z.boolean(),
  brandColor: z.string().regex(/^#[0-9a-f]{6}$/i, 'A color like #14432f'),
  slug: z
    .string()
    .trim()
    .toLowerCase()
    .superRefine((text, context) => {
      const message = slugProblem(text)
      if (message) context.addIssue({ code: 'custom', message })
    }),
  publicPage: z.boolean(),
  publicEmail: z.boolean(),
  publicAbout: z.string().trim().max(1000),
}

const Number8 = z.number().int().min(1, 'At least 1').max(99_999_999, 'Too large')

/** The business as everybody may see it. */
export const PublicBusiness = z.object({
  /** Where it is now; an earlier address may have been asked for. */
  slug: z.string(),
  name: z.string(),
  color: z.string(),
  logoUrl: z.string().nullable(),
  about: z.string(),
  services: z.array(z.string()),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  /** "Savannah, GA" */
  place: z.string().nullable(),
  /** Whether customers sign in to a portal. */
  portal: z.boolean(),
})
export type PublicBusiness = z.output<typeof PublicBusiness>

/** What hours and miles cost the business is for who sees payroll, what an hour should bring in for who sees money; null for others. */
export const BusinessSettings = z.object({
  ...fields,
  // What stands there passed the contract on its way in, but for the amounts that are hidden.
  skipRules: z.array(SkipRule),
  lateFees: fields.lateFees.required({ second: true }).nullable(),
  cashDiscountBps: fields.cashDiscountBps.nullable(),
  tips: fields.tips.nullable(),
  autoInvoices: fields.autoInvoices.nullable(),
  /** Since when late fees are on: only invoices issued from then on can have one. */
  lateFeesFrom: Day.nullable(),
  /** Since when there is a second one: only invoices issued from then on can have it. */
  secondFeeFrom: Day.nullable(),
  state: z.string().nullable(),
  zip: z.string().nullable(),
  defaultWageCents: fields.defaultWageCents.nullable(),
  burdenPercent: fields.burdenPercent.nullable(),
  mileCostCents: fields.mileCostCents.nullable(),
  targetLaborHourCents: fields.targetLaborHourCents.nullable(),
  logoUrl: z.string().nullable(),
  /** Names of the services that the public page lists. */
  publicServices: z.array(z.string()),
  nextInvoice: z.number().int(),
  nextJob: z.number().int(),
  /** Nine of ten visits began within so many minutes of their plan; null until enough did. */
  arrivalErrorMinutes: z.number().int().nullable(),
  /** From how many visits that was measured. */
  arrivalStarts: z.number().int(),
  planTier: z.enum(['basic', 'pro', 'enterprise']).nullable(),
  subscriptionStatus: z.string(),
  activeCustomers: z.number().int(),
  customerLimit: z.number().int().nullable(),
  taxRates: z.array(TaxRate),
  version: z.number().int(),
})
export type BusinessSettings = z.output<typeof BusinessSettings>

export const TaxRateDraft = z.object({
  name: z.string().trim().min(1, 'A name is needed').max(80),
  ratePercent: z.number().min(0, 'A rate is zero or more').lt(100, 'A rate is below 100'),
  taxCategory: z.string().trim().min(1, 'Say what it is on').max(40),
  state: stateOrNull.default(null),
  places: z
    .array(z.string().trim().min(1).max(60))
    .max(200, 'At most 200 ZIP codes and cities')
    .default([])
    .transform((places) => [...new Set(places.map((place) => zip5(place) ?? place))]),
  onTop: z.boolean().default(false),
  validFrom: Day.nullable().default(null),
  validTo: Day.nullable().default(null),
})

export const businessesApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/business',
    access: 'office',
    response: BusinessSettings,
    summary: 'Settings of the business',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/business',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    body: z
      .object({ ...fields, phone: PhoneOrNull })
      .partial()
      .extend({ version: z.number().int() }),
    response: BusinessSettings,
    summary: 'Change settings',
  }),
  addTaxRate: endpoint({
    method: 'POST',
    path: '/api/business/tax-rates',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    body: TaxRateDraft,
    response: BusinessSettings,
    summary: 'Add a tax rate',
  }),
  endTaxRate: endpoint({
    method: 'PATCH',
    path: '/api/business/tax-rates/:id',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({ validTo: Day.nullable() }),
    response: BusinessSettings,
    summary: 'Say on which day of work a tax rate is charged for the last time, or that it goes on',
  }),
  removeTaxRate: endpoint({
    method: 'DELETE',
    path: '/api/business/tax-rates/:id',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    response: BusinessSettings,
    summary: 'Take off a tax rate that was added by mistake; issued invoices keep it',
  }),
  setLogo: endpoint({
    method: 'PUT',
    path: '/api/business/logo',
    access: 'office',
    permission: 'settings',
    bodyLimitBytes: largestUpload,
    body: z.any() as z.ZodType<BinaryBody>,
    response: BusinessSettings,
    summary: 'Another logo: a picture as it is',
  }),
  removeLogo: endpoint({
    method: 'DELETE',
    path: '/api/business/logo',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    response: BusinessSettings,
    summary: 'No logo',
  }),
  setNumbers: endpoint({
    method: 'PUT',
    path: '/api/business/numbers',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    body: z.object({ nextInvoice: Number8, nextJob: Number8 }),
    response: BusinessSettings,
    summary: 'The next numbers of invoices and jobs; they only go up',
  }),
  publicPage: endpoint({
    method: 'GET',
    path: '/api/public/businesses/:username',
    access: 'public',
    params: z.object({ username: z.string().max(60) }),
    response: PublicBusiness,
    summary: 'The public page of a business; an earlier address tells the present one',
  }),
}
