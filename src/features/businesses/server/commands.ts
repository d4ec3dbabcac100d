import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { raiseNumber } from '../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { versionConflict } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { type Day, formatMinute } from '../../../shared/dates.ts'
import { AppError, invalid } from '../../../shared/errors.ts'
import { addFileTx, storeImage } from '../../files/server/commands.ts'
import type { BusinessSettings, businessesApi } from '../contract.ts'
import { type LateFees, lateFeesOf, type SecondFee, secondFeeProblem } from '../latefees/rules.ts'
import { reminderMinuteOf } from '../notices/rules.ts'
import { getBusinessSettings, todayOf } from './queries.ts'

/** So many addresses one business may have had: old ones lead on for ever, and nobody hoards names. */
const mostSlugs = 8

/** Takes another address for the public page; earlier ones stay the business's and lead to it. */
const takeSlugTx = async (db: TenantDb, slug: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`slug:${db.businessId}`}, 0))`.execute(db)
  const own = await db.selectFrom('slugs').select('slug').where('businessId', '=', db.businessId).execute()
  if (own.some((one) => one.slug === slug)) return
  if (own.length >= mostSlugs)
    throw invalid([{ path: 'slug', message: 'The address was changed too often. Choose one you had before.' }])
  const made = await db
    .insertInto('slugs')
    .values({ slug, businessId: db.businessId })
    .onConflict((c) => c.column('slug').doNothing())
    .returning('slug')
    .executeTakeFirst()
  if (!made) throw invalid([{ path: 'slug', message: 'Another business has this address. Choose another one.' }])
}

/** Which permission a setting needs beyond the one for settings: nobody changes a number that is hidden from them. */
const beyondSettings = {
  defaultWageCents: 'payroll',
  burdenPercent: 'payroll',
  mileCostCents: 'payroll',
  targetLaborHourCents: 'money',
  skipRules: 'money',
  lateFees: 'money',
  // it bills and sends everything that is finished, and saved cards are charged for it
  autoInvoices: 'money',
  tips: 'money',
  cashDiscountBps: 'money',
} as const

const checkHidden = (actor: Actor, fields: object): void => {
  for (const [field, permission] of Object.entries(beyondSettings))
    if (field in fields && !hasPermission(actor, permission))
      throw new AppError(
        'forbidden',
        `Wages, costs, charges, targets and automatic invoices need the permission for ${permission}. Nothing was changed. Ask the owner to change them.`,
      )
}

type SentFees = Omit<LateFees, 'second'> & { second?: SecondFee | null | undefined }

/**
 * Late fees as they are kept, with since when they and their second one are on: an invoice has no fee of which nobody spoke yet when it was issued.
 */
const keptFees = async (db: TenantDb, sent: SentFees): Promise<{ rule: LateFees; from: Day | null }> => {
  const before = await db
    .selectFrom('businesses')
    .select(['lateFees', 'lateFeesFrom'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const known = lateFeesOf(before.lateFees)
  const rule: LateFees = { ...sent, second: sent.second === undefined ? known.second : sent.second }
  if (rule.kind === 'off') return { rule, from: null }
  const today = await todayOf(db)
  if (rule.second) {
    const had = known.kind === 'off' ? null : known.second
    const since = had ? had.since : today
    const { since: _, ...second } = rule.second
    rule.second = since === undefined ? second : { ...second, since }
  }
  return { rule, from: before.lateFeesFrom ?? today }
}

/** A fee that the customer agreed to nowhere is charged by no right: it stands in the terms on every invoice before it is on. */
const checkFeeTerms = (after: { invoiceTerms: string; lateFees: unknown }, path: 'lateFees' | 'invoiceTerms'): void => {
  if (lateFeesOf(after.lateFees).kind === 'off' || after.invoiceTerms.trim()) return
  throw invalid([
    {
      path,
      message:
        path === 'lateFees'
          ? 'Your terms are empty. Write the late fee into the terms of your invoices first, then switch it on.'
          : 'Late fees are on, so the terms cannot be empty: say what paying late costs, or switch the fees off first.',
    },
  ])
}

/** A second fee comes after the first, or nobody could say which of the two a day costs. */
const checkSecondFee = (rule: LateFees): void => {
  const message = secondFeeProblem(rule)
  if (message)
    throw invalid([{ path: 'lateFees', message: `The second fee is charged later: ${message.toLowerCase()}.` }])
}

const checkReminder = (now: { reminderMinute: number; quietStartMinute: number; quietEndMinute: number }): void => {
  const then = reminderMinuteOf(now.reminderMinute, {
    startMinute: now.quietStartMinute,
    endMinute: now.quietEndMinute,
  })
  if (then !== now.reminderMinute)
    throw invalid([
      {
        path: 'reminderMinute',
        message: `No text leaves then: quiet hours. ${formatMinute(then)} is the nearest time.`,
      },
    ])
}

export const changeBusiness = async (
  actor: Actor,
  change: z.output<(typeof businessesApi)['update']['body']>,
): Promise<BusinessSettings> =>
  withTenant(actor, async (db) => {
    checkHidden(actor, change)
    const { version, skipRules, lateFees, autoInvoices, tips, ...fields } = change
    if (fields.slug !== undefined) await takeSlugTx(db, fields.slug)
    const fees = lateFees ? await keptFees(db, lateFees) : null
    const changed = await db
      .updateTable('businesses')
      .set({
        ...fields,
        ...(tips ? { tips: JSON.stringify(tips) } : {}),
        ...(skipRules ? { skipRules: JSON.stringify(skipRules) } : {}),
        ...(fees ? { lateFees: JSON.stringify(fees.rule), lateFeesFrom: fees.from } : {}),
        // other turns count from now: none of those that were is made up for
        ...(autoInvoices
          ? {
              autoInvoices: JSON.stringify(autoInvoices),
              autoInvoicesSince: autoInvoices.rhythm === 'off' ? null : clock.iso(),
            }
          : {}),
        version: version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('version', '=', version)
      .returning(['reminderMinute', 'quietStartMinute', 'quietEndMinute', 'invoiceTerms', 'lateFees'])
      .executeTakeFirst()
    if (changed && fields.reminderMinute !== undefined) checkReminder(changed)
    if (fees) checkSecondFee(fees.rule)
    if (changed && fees) checkFeeTerms(changed, 'lateFees')
    else if (changed && fields.invoiceTerms !== undefined) checkFeeTerms(changed, 'invoiceTerms')
    if (!changed) {
      const now = await getBusinessSettings(db, actor)
      throw versionConflict('the settings', now.version)
    }
    await audit(
      db,
      actor,
      'business.change',
      { type: 'business', id: db.businessId },
      { after: { ...fields, skipRules, lateFees: fees?.rule, autoInvoices, tips } },
    )
    await publishChange(db, 'business')
    return getBusinessSettings(db, actor)
  })

const setLogoFileTx = async (db: TenantDb, actor: Actor, logoFileId: string | null): Promise<BusinessSettings> => {
  await db
    .updateTable('businesses')
    .set((eb) => ({ logoFileId, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .execute()
  await audit(db, actor, logoFileId ? 'business.logo' : 'business.logo.remove', { type: 'business', id: db.businessId })
  await publishChange(db, 'business')
  return getBusinessSettings(db, actor)
}

/** Another logo, cleaned like every picture. @throws AppError unsupported_media */
export const setLogo = async (actor: Actor, bytes: Uint8Array): Promise<BusinessSettings> => {
  const image = await storeImage(actor, bytes)
  return withTenant(actor, async (db) => setLogoFileTx(db, actor, await addFileTx(db, actor, 'logo', image, 'Logo')))
}

export const removeLogo = (actor: Actor): Promise<BusinessSettings> =>
  withTenant(actor, (db) => setLogoFileTx(db, actor, null))

/** Which numbers come next. They only go up: a number is never given twice. */
export const setNumbers = async (
  actor: Actor,
  next: { nextInvoice: number; nextJob: number },
): Promise<BusinessSettings> =>
  withTenant(actor, async (db) => {
    for (const [name, path, value] of [
      ['invoice', 'nextInvoice', next.nextInvoice],
      ['job', 'nextJob', next.nextJob],
    ] as const) {
      const taken = await raiseNumber(db, name, value)
      if (taken !== null)
        throw invalid([{ path, message: `Numbers below ${taken} may have been given: ${taken} or more.` }])
    }
    await audit(db, actor, 'business.numbers', { type: 'business', id: db.businessId }, { after: next })
    await publishChange(db, 'business')
    return getBusinessSettings(db, actor)
  })

/** How far from their plan visits begin, as it was measured today. */
export const setArrivalErrorTx = async (
  db: TenantDb,
  measured: { arrivalErrorMinutes: number | null; arrivalStarts: number; arrivalMeasuredOn: Day },
): Promise<void> => {
  await db.updateTable('businesses').set(measured).where('businessId', '=', db.businessId).execute()
}
