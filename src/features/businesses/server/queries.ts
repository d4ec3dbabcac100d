import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { type Day, dayOf } from '../../../shared/dates.ts'
import { AppError, notFound } from '../../../shared/errors.ts'
import { limitsOf } from '../../billing/rules.ts'
import { autoInvoicesOf } from '../autoinvoices/rules.ts'
import type { BusinessSettings, PublicBusiness } from '../contract.ts'
import { lateFeesOf } from '../latefees/rules.ts'
import type { NoticeTexts } from '../notices/rules.ts'
import { skipRulesOf } from '../skips/rules.ts'
import { type Tips, tipsOf } from '../tips/rules.ts'

const readTimeZone = async (db: TenantDb): Promise<string> =>
  (
    await db
      .selectFrom('businesses')
      .select('timeZone')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
  ).timeZone

/** Of transactions that were opened without it, read once for each. */
const timeZones = new WeakMap<TenantDb, Promise<string>>()

/** IANA zone of the business: every day it speaks of is a day there. A transaction that changes it goes on with the one it began with. */
export const timeZoneOf = async (db: TenantDb): Promise<string> => {
  if (db.timeZone) return db.timeZone
  const reading = timeZones.get(db) ?? readTimeZone(db)
  timeZones.set(db, reading)
  return reading
}

/** Today on the business's calendar. */
export const todayOf = async (db: TenantDb): Promise<Day> => dayOf(clock.now(), await timeZoneOf(db))

const everyBusiness = () => database().selectFrom('slugs').select('businessId').distinct().orderBy('businessId')

/** Every business, closed ones too: for work that settles what began, or tidies up. */
export const listBusinessIds = async (): Promise<BusinessId[]> =>
  (await everyBusiness().execute()).map((row) => asBusinessId(row.businessId))

/** Every business that was not closed: for work that begins something new. */
export const listOpenBusinessIds = async (): Promise<BusinessId[]> =>
  (await everyBusiness().where('closed', '=', false).execute()).map((row) => asBusinessId(row.businessId))

/**
 * Whether a business was closed, or is gone by now. Whoever reads it so may be late by a moment, and who begins new money asks `isClosedTx`.
 */
export const isClosed = async (db: TenantDb): Promise<boolean> =>
  (await db.selectFrom('businesses').select('closedAt').where('businessId', '=', db.businessId).executeTakeFirst())
    ?.closedAt !== null

/** Whether a business was closed, under its row: nobody closes it before this transaction ends. */
export const isClosedTx = async (db: TenantDb): Promise<boolean> =>
  (
    await db
      .selectFrom('businesses')
      .select('closedAt')
      .where('businessId', '=', db.businessId)
      .forShare()
      .executeTakeFirst()
  )?.closedAt !== null

/** What customers are suggested as a tip. */
export const getTips = async (db: TenantDb): Promise<Tips> =>
  tipsOf(
    (await db.selectFrom('businesses').select('tips').where('businessId', '=', db.businessId).executeTakeFirstOrThrow())
      .tips,
  )

/** Whether customers may pay a part of an invoice. */
export const takesParts = async (db: TenantDb): Promise<boolean> =>
  (
    await db
      .selectFrom('businesses')
      .select('partPayments')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
  ).partPayments

/** What is taken off for paying without a card, in hundredths of a percent; 0 where nothing is. */
export const getCashDiscount = async (db: TenantDb): Promise<number> =>
  (
    await db
      .selectFrom('businesses')
      .select('cashDiscountBps')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
  ).cashDiscountBps

/** The first number that a counter gives. */
const firstNumber = 1001

const listPublicServices = async (db: TenantDb): Promise<string[]> =>
  (
    await db
      .selectFrom('services')
      .select('name')
      .where('businessId', '=', db.businessId)
      .where('active', '=', true)
      .orderBy('position')
      .orderBy('name')
      .limit(40)
      .execute()
  ).map((service) => service.name)

const logoOf = (businessId: string, fileId: string | null): string | null =>
  fileId ? signedFilePath(businessId, fileId) : null

/** The settings as a person's screen shows them, with plan and tax table. */
export const getBusinessSettings = async (db: TenantDb, actor: Actor): Promise<BusinessSettings> => {
  const row = await db
    .selectFrom('businesses')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const taxRates = await db
    .selectFrom('taxRates')
    .select(['id', 'name', 'ratePercent', 'taxCategory', 'state', 'places', 'onTop', 'validFrom', 'validTo'])
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const { count } = await db
    .selectFrom('customers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const counters = await db
    .selectFrom('counters')
    .select(['name', 'next'])
    .where('businessId', '=', db.businessId)
    .execute()
  const payroll = hasPermission(actor, 'payroll')
  return {
    name: row.name,
    phone: row.phone,
    email: row.email,
    street: row.street,
    city: row.city,
    state: row.state,
    zip: row.zip,
    timeZone: row.timeZone,
    seasonStart: row.seasonStart,
    seasonEnd: row.seasonEnd,
    workDays: row.workDays,
    holidays: row.holidays,
    holidayRule: row.holidayRule,
    termsDays: row.termsDays,
    invoiceMessage: row.invoiceMessage,
    invoiceTerms: row.invoiceTerms,
    useCredit: row.useCredit,
    partPayments: row.partPayments,
    bankDebits: row.bankDebits,
    doorPayments: row.doorPayments,
    autopayNoticeDays: row.autopayNoticeDays,
    letterNoticeDays: row.letterNoticeDays,
    invoiceReminders: row.invoiceReminders as BusinessSettings['invoiceReminders'],
    paperWay: row.paperWay,
    cashDiscountBps: hasPermission(actor, 'money') ? row.cashDiscountBps : null,
    tips: hasPermission(actor, 'money') ? tipsOf(row.tips) : null,
    lateFees: hasPermission(actor, 'money') ? lateFeesOf(row.lateFees) : null,
    lateFeesFrom: row.lateFeesFrom,
    secondFeeFrom: lateFeesOf(row.lateFees).second?.since ?? null,
    autoInvoices: hasPermission(actor, 'money') ? autoInvoicesOf(row.autoInvoices) : null,
    defaultWageCents: payroll ? row.defaultWageCents : null,
    burdenPercent: payroll ? row.burdenPercent : null,
    mileCostCents: payroll ? row.mileCostCents : null,
    targetLaborHourCents: hasPermission(actor, 'money') ? row.targetLaborHourCents : null,
    driveFactorSeconds: row.driveFactorSeconds,
    driveExponent: row.driveExponent,
    routeEvenness: row.routeEvenness,
    rainHundredthsInch: row.rainHundredthsInch,
    rainChancePercent: row.rainChancePercent,
    sprayWindMph: row.sprayWindMph,
    treatHeatIndexF: row.treatHeatIndexF,
    quietStartMinute: row.quietStartMinute,
    quietEndMinute: row.quietEndMinute,
    reminders: row.reminders,
    reminderMinute: row.reminderMinute,
    tellMoves: row.tellMoves,
    tellOnWay: row.tellOnWay,
    sharePhotos: row.sharePhotos,
    noticeTexts: row.noticeTexts as NoticeTexts,
    skipRules: skipRulesOf(row.skipRules).map((rule) =>
      hasPermission(actor, 'money') ? rule : { ...rule, chargePercent: null, chargeCents: null },
    ),
    shareChecklists: row.shareChecklists,
    arrivalErrorMinutes: row.arrivalErrorMinutes,
    arrivalStarts: row.arrivalStarts,
    brandColor: row.brandColor,
    slug: row.slug,
    publicPage: row.publicPage,
    publicEmail: row.publicEmail,
    publicAbout: row.publicAbout,
    logoUrl: logoOf(db.businessId, row.logoFileId),
    publicServices: await listPublicServices(db),
    nextInvoice: counters.find((one) => one.name === 'invoice')?.next ?? firstNumber,
    nextJob: counters.find((one) => one.name === 'job')?.next ?? firstNumber,
    planTier: row.planTier,
    subscriptionStatus: row.subscriptionStatus,
    activeCustomers: count,
    customerLimit: limitsOf(row.planTier).customerLimit,
    taxRates,
    version: row.version,
  }
}

/** The business that an address of a public page belongs or belonged to, or null. */
export const findBusinessBySlug = async (slug: string): Promise<BusinessId | null> => {
  const row = await database()
    .selectFrom('slugs')
    .select('businessId')
    .where('slug', '=', slug.trim().toLowerCase())
    .executeTakeFirst()
  return row ? asBusinessId(row.businessId) : null
}

/** What a business shows to everybody at a name; null where there is none, or its page is off. */
export const findPublicFacts = async (slug: string): Promise<PublicBusiness | null> => {
  const businessId = await findBusinessBySlug(slug)
  return businessId
    ? withTenant({ businessId }, getPublicBusiness).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return null
        throw error
      })
    : null
}

/** Only what a business shows to everybody. @throws AppError not_found while its page is off */
export const getPublicBusiness = async (db: TenantDb): Promise<PublicBusiness> => {
  const row = await db
    .selectFrom('businesses')
    .select([
      'slug',
      'name',
      'brandColor',
      'logoFileId',
      'publicPage',
      'publicEmail',
      'publicAbout',
      'phone',
      'email',
      'city',
      'state',
    ])
    .select((eb) =>
      eb
        .selectFrom('portalSettings')
        .select('enabled')
        .whereRef('portalSettings.businessId', '=', 'businesses.businessId')
        .as('portal'),
    )
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  if (!row?.publicPage) throw notFound('business')
  return {
    slug: row.slug,
    name: row.name,
    color: row.brandColor,
    logoUrl: logoOf(db.businessId, row.logoFileId),
    about: row.publicAbout,
    services: await listPublicServices(db),
    phone: row.phone,
    email: row.publicEmail ? row.email : null,
    place: [row.city, row.state].filter(Boolean).join(', ') || null,
    portal: row.portal ?? true,
  }
}
