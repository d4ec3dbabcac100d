import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { formatPhone, toE164 } from '../../../shared/phone.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { findSuppression } from '../../messages/server/queries.ts'
import { fillTemplate, textFor } from '../../messages/templates/rules.ts'
import type { Automation, AutomationSettings, automationsApi, CustomerAutomations } from '../contract.ts'
import { kinds, usualOf, type Way } from '../kinds/rules.ts'
import { mostAutomations, sampleValues, subjectFor, switchProblem } from '../rules.ts'
import { settleBellTx } from './bell.ts'
import { countAutomations, getAutomation, getAutomationSettings, getCustomerAutomations } from './queries.ts'
import { type AutomationRow, getAutomationRow } from './rows.ts'
import { composed } from './words.ts'

const tell = async (
  db: TenantDb,
  actor: Actor,
  verb: string,
  id: string,
  after: Record<string, unknown>,
): Promise<void> => {
  await audit(db, actor, `automation.${verb}`, { type: 'automation', id }, { after })
  await publishChange(db, 'automations', [id])
}

/** What somebody gave, without what they left out. */
const givenOf = <T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never

/** What does not fit its kind, by field. */
const problemsOf = (
  row: Pick<AutomationRow, 'kind' | 'delay' | 'atMinute' | 'startsOn' | 'textEn'>,
): { path: string; message: string }[] => {
  const { timing, delay } = kinds[row.kind]
  const unit = timing === 'hours' ? 'hours' : 'days'
  return [
    ...(row.delay < delay.least || row.delay > delay.most
      ? [{ path: 'delay', message: `Between ${delay.least} and ${delay.most} ${unit}.` }]
      : []),
    ...((row.atMinute === null) === (timing !== 'hours')
      ? [{ path: 'atMinute', message: timing === 'hours' ? 'It has no time of day.' : 'A time of day is needed.' }]
      : []),
    ...((row.startsOn === null) === (timing === 'yearly')
      ? [
          {
            path: 'startsOn',
            message: timing === 'yearly' ? 'A day of the year is needed.' : 'It has no day of the year.',
          },
        ]
      : []),
    ...(row.textEn.trim() === '' ? [{ path: 'textEn', message: 'Write the English words first.' }] : []),
  ]
}

const checkServices = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from services where business_id = ${db.businessId} and id = any(${[...ids]}::uuid[])`.execute(
    db,
  )
  if (rows[0]?.count !== new Set(ids).size) throw notFound('service')
}

/** A new one, off; what is not given is as usual for its kind. @throws state_conflict, validation_failed, not_found */
export const createAutomation = (
  actor: Actor,
  { kind, ...given }: z.output<typeof automationsApi.create.body>,
): Promise<Automation> =>
  withTenant(actor, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`automations:${db.businessId}`}, 0))`.execute(db)
    if ((await countAutomations(db)) >= mostAutomations)
      throw conflict(`There are ${mostAutomations} automations already. Remove one first. Nothing was saved.`)
    const { conditions, ...written } = { ...usualOf(kind), ...givenOf(given) }
    const problems = problemsOf({ kind, ...written })
    if (problems.length > 0) throw invalid(problems)
    await checkServices(db, conditions.serviceIds)
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('automations')
      .values({
        businessId: db.businessId,
        id,
        kind,
        ...written,
        conditions: JSON.stringify(conditions),
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await tell(db, actor, 'create', id, { kind, ...written })
    return getAutomation(db, id)
  })

const switchFacts = async (db: TenantDb, row: AutomationRow) => {
  const { street, zip } = await db
    .selectFrom('businesses')
    .select(['street', 'zip'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return {
    kind: row.kind,
    archived: row.archivedAt !== null,
    channels: row.channels,
    subjectEn: row.subjectEn,
    subjectEs: row.subjectEs,
    textEs: row.textEs,
    serviceIds: row.conditions.serviceIds,
    hasAddress: Boolean(street && zip),
    isOffer: kinds[row.kind].isOffer,
  }
}

/** @throws not_found, version_conflict, state_conflict, validation_failed */
export const updateAutomation = (
  actor: Actor,
  id: string,
  { version, ...changes }: z.output<typeof automationsApi.update.body>,
): Promise<Automation> =>
  withTenant(actor, async (db) => {
    const row = await getAutomationRow(db, id, 'update')
    requireVersion(row, version, 'this automation')
    if (row.archivedAt) throw conflict('This automation was removed meanwhile. Nothing was saved.')
    const given = givenOf(changes)
    const next: AutomationRow = { ...row, ...given }
    const problems = problemsOf(next)
    if (problems.length > 0) throw invalid(problems)
    await checkServices(db, next.conditions.serviceIds)
    if (row.enabled) refuse(switchProblem(await switchFacts(db, next)))
    const { conditions, ...rest } = given
    await db
      .updateTable('automations')
      .set({
        ...rest,
        ...(conditions ? { conditions: JSON.stringify(conditions) } : {}),
        version: row.version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await tell(db, actor, 'update', id, given)
    return getAutomation(db, id)
  })

const endWaiting = async (db: TenantDb, automationId: string, reason: string): Promise<void> => {
  await db
    .updateTable('automationRuns')
    .set((eb) => ({ status: 'canceled', reason, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('automationId', '=', automationId)
    .where('status', '=', sql.lit('waiting'))
    .execute()
  await settleBellTx(db)
}

/** On is from now on: nothing leaves for what happened before. Again is the same. @throws not_found, version_conflict, state_conflict */
export const switchAutomation = (
  actor: Actor,
  id: string,
  { on, version }: { on: boolean; version: number },
): Promise<Automation> =>
  withTenant(actor, async (db) => {
    const row = await getAutomationRow(db, id, 'update')
    if (row.enabled === on) return getAutomation(db, id)
    requireVersion(row, version, 'this automation')
    if (on && !actor.subscriptionActive)
      throw new AppError(
        'subscription_required',
        'Active subscription required to switch an automation on. What you have is safe, and it can be switched off at any time.',
      )
    if (on) refuse(switchProblem(await switchFacts(db, row)))
    else await endWaiting(db, id, 'The automation was switched off')
    await db
      .updateTable('automations')
      .set({
        enabled: on,
        ...(on ? { enabledAt: clock.iso() } : {}),
        version: row.version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await tell(db, actor, on ? 'on' : 'off', id, { enabled: on })
    return getAutomation(db, id)
  })

/** Its history stays. Again is the same. @throws not_found, version_conflict */
export const archiveAutomation = (actor: Actor, id: string, version: number): Promise<Automation> =>
  withTenant(actor, async (db) => {
    const row = await getAutomationRow(db, id, 'update')
    if (row.archivedAt) return getAutomation(db, id)
    requireVersion(row, version, 'this automation')
    await endWaiting(db, id, 'The automation was removed')
    await db
      .updateTable('automations')
      .set({ enabled: false, archivedAt: clock.iso(), version: row.version + 1, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await tell(db, actor, 'archive', id, { archived: true })
    return getAutomation(db, id)
  })

/** @throws version_conflict */
export const saveAutomationSettings = (
  actor: Actor,
  { mostWeekly, version }: AutomationSettings,
): Promise<AutomationSettings> =>
  withTenant(actor, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`automations:${db.businessId}`}, 0))`.execute(db)
    const before = await getAutomationSettings(db)
    requireVersion(before, version, 'how often customers are written to')
    const row = { mostWeekly, version: before.version + 1, updatedAt: clock.iso() }
    await db
      .insertInto('automationSettings')
      .values({ businessId: db.businessId, ...row })
      .onConflict((c) => c.column('businessId').doUpdateSet(row))
      .execute()
    await audit(db, actor, 'automation.settings', { type: 'business', id: db.businessId }, { after: { mostWeekly } })
    await publishChange(db, 'automations')
    return getAutomationSettings(db)
  })

/** The message to the person who asks, at once, with invented values. @throws state_conflict without an address of theirs */
export const testAutomation = (
  actor: Actor,
  id: string,
  { channel, language }: { channel: Way; language: 'en' | 'es' },
): Promise<{ to: string }> =>
  withTenant(actor, async (db) => {
    const automation = await getAutomationRow(db, id)
    const me = await db
      .selectFrom('users')
      .select(['id', 'email', 'phone'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', userIdOf(actor) ?? '')
      .executeTakeFirst()
    const address = channel === 'sms' ? (me?.phone ? toE164(me.phone) : null) : (me?.email ?? null)
    if (!me || !address)
      throw conflict(
        channel === 'sms'
          ? 'There is no mobile number in your profile to send a test to. Add it there, or test the e-mail.'
          : 'There is no e-mail in your profile to send a test to.',
      )
    const closed = await findSuppression(db, channel, address)
    const to = channel === 'sms' ? formatPhone(address) : address
    if (closed?.purpose === 'all') throw conflict(`Nothing can be sent to ${to}: ${closed.reason}.`)
    const business = await db
      .selectFrom('businesses')
      .select(['name', 'phone'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const { text, fellBack } = textFor(automation, language)
    const read = fellBack ? 'en' : language
    const values = sampleValues(read, { name: business.name, phone: business.phone ? formatPhone(business.phone) : '' })
    const about = subjectFor(automation, read)
    const words = await composed(
      db,
      automation,
      { text: fillTemplate(text, values).text, subject: `Test: ${fillTemplate(about, values).text}`, language: read },
      { channel, address, customerId: null },
    )
    await queueMessage(db, {
      channel,
      // it answers the one who asked for it, so quiet hours do not hold it
      purpose: 'reply',
      address,
      dedupeKey: `automation-test:${newId()}`,
      userId: me.id,
      entity: { type: 'automation_test', id: me.id },
      ...words,
    })
    return { to }
  })

/** Again is the same. What waits of it for this customer is canceled. @throws not_found */
export const wantAutomation = (
  actor: Actor,
  customerId: string,
  { automationId, wanted }: { automationId: string; wanted: boolean },
): Promise<CustomerAutomations> =>
  withTenant(actor, async (db) => {
    await getCustomerAutomations(db, customerId)
    await getAutomationRow(db, automationId)
    await lockCustomerTx(db, customerId)
    if (wanted)
      await db
        .deleteFrom('automationOptOuts')
        .where('businessId', '=', db.businessId)
        .where('customerId', '=', customerId)
        .where('automationId', '=', automationId)
        .execute()
    else {
      await db
        .insertInto('automationOptOuts')
        .values({
          businessId: db.businessId,
          customerId,
          automationId,
          byUserId: userIdOf(actor),
          at: clock.iso(),
        })
        .onConflict((c) => c.doNothing())
        .execute()
      await db
        .updateTable('automationRuns')
        .set((eb) => ({
          status: 'canceled',
          reason: 'Switched off for this customer',
          version: eb('version', '+', 1),
          updatedAt: clock.iso(),
        }))
        .where('businessId', '=', db.businessId)
        .where('automationId', '=', automationId)
        .where('customerId', '=', customerId)
        .where('status', '=', sql.lit('waiting'))
        .execute()
      await settleBellTx(db)
    }
    await audit(db, actor, 'automation.want', { type: 'customer', id: customerId }, { after: { automationId, wanted } })
    await publishChange(db, 'automations', [automationId])
    return getCustomerAutomations(db, customerId)
  })

/** One at a time decides what a customer gets of automations, so that two at once cannot be one too many. */
export const lockCustomerTx = (db: TenantDb, customerId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`automations:${db.businessId}:${customerId}`}, 0))`.execute(db)
