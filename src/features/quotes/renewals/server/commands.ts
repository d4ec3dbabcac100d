import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { refuse } from '../../../../shared/can.ts'
import { type Day, daysBetween } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getServices } from '../../../services/server/queries.ts'
import type { Raise, RenewalRow, RunRecord, renewalsApi } from '../contract.ts'
import { priceRenewal, type RenewalLine, renewalSums, runRefusals } from '../rules.ts'
import { factsOfRun, getRenewal, getRun } from './queries.ts'
import { lockRenewalTx, lockRunTx } from './rows.ts'
import { continueRun, setRunTx } from './steps.ts'

type Body<Name extends 'create' | 'update' | 'change' | 'send'> = z.output<(typeof renewalsApi)[Name]['body']>
type RaiseOf = z.output<typeof Raise>

const entity = (id: string) => ({ type: 'renewal_run', id })
const farthest = 800

const checkDays = (
  today: Day,
  { startsOn, endsOn, answerBy }: { startsOn: Day; endsOn: Day | null; answerBy: Day },
) => {
  if (startsOn <= today || daysBetween(today, startsOn) > farthest)
    throw invalid([{ path: 'startsOn', message: 'Choose a day after today, at most two years ahead.' }])
  if (endsOn !== null && endsOn < startsOn)
    throw invalid([{ path: 'endsOn', message: 'The season ends before it begins.' }])
  if (endsOn !== null && daysBetween(startsOn, endsOn) > 366)
    throw invalid([{ path: 'endsOn', message: 'A season is at most a year long.' }])
  checkAnswerBy(today, startsOn, answerBy)
}

const checkAnswerBy = (today: Day, startsOn: Day, answerBy: Day) => {
  if (answerBy <= today) throw invalid([{ path: 'answerBy', message: 'Choose a day after today: they need time.' }])
  if (answerBy >= startsOn)
    throw invalid([{ path: 'answerBy', message: 'Choose a day before the season begins, so that it can be planned.' }])
}

const checkWays = ({ byMail, byText }: { byMail: boolean; byText: boolean }) => {
  if (!byMail && !byText) throw invalid([{ path: 'byMail', message: 'Choose e-mail, text or both.' }])
}

/** Puts a list together in the background; it is looked over before anything is sent. */
export const createRun = (actor: Actor, body: Body<'create'>): Promise<RunRecord> =>
  withTenant(actor, async (db) => {
    const { filter } = body
    checkDays(await todayOf(db), body)
    checkWays(body)
    await getServices(db, filter.serviceIds)
    if (filter.programIds.length > 0) {
      const known = await db
        .selectFrom('programs')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('id', 'in', filter.programIds)
        .execute()
      if (known.length < new Set(filter.programIds).size) throw notFound('program')
    }
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('renewalRuns')
      .values({
        businessId: db.businessId,
        id,
        name: body.name ?? `Season ${body.startsOn.slice(0, 4)}`,
        status: 'collecting',
        mode: body.mode,
        filter: JSON.stringify(filter),
        raise: JSON.stringify(body.raise),
        prepayPercent: body.prepayPercent,
        startsOn: body.startsOn,
        endsOn: body.endsOn,
        answerBy: body.answerBy,
        message: body.message,
        terms: body.terms,
        byMail: body.byMail,
        byText: body.byText,
        createdBy: actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await enqueue(db, continueRun, { runId: id }, { key: id })
    await audit(db, actor, 'renewal.create', entity(id), { after: { filter, startsOn: body.startsOn } })
    await publishChange(db, 'quotes', [id])
    return getRun(db, actor, id)
  })

const pricedAtOnce = 500

/** The prices of a whole list by another raise; rows with a raise of their own and prices that were typed stay. */
const repriceTx = async (db: TenantDb, runId: string, raise: RaiseOf): Promise<void> => {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db
      .selectFrom('renewals')
      .select(['id', 'lines', 'raise'])
      .where('businessId', '=', db.businessId)
      .where('runId', '=', runId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pricedAtOnce)
      .execute()
    const changed = rows.map((row) => {
      const lines = priceRenewal(
        row.lines as unknown as RenewalLine[],
        (row.raise as unknown as RaiseOf | null) ?? raise,
      )
      const { beforeCents, afterCents } = renewalSums(lines)
      return { id: row.id, lines, before_cents: beforeCents, after_cents: afterCents }
    })
    await sql`update renewals n set lines = x.lines, before_cents = x.before_cents, after_cents = x.after_cents
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as x(id uuid, lines jsonb, before_cents bigint, after_cents bigint)
      where n.business_id = ${db.businessId} and n.id = x.id`.execute(db)
    const last = rows.at(-1)
    if (rows.length < pricedAtOnce || !last) return
    after = last.id
  }
}

export const updateRun = (actor: Actor, id: string, { version, ...change }: Body<'update'>): Promise<RunRecord> =>
  withTenant(actor, async (db) => {
    const run = await lockRunTx(db, id)
    refuse(runRefusals.update(await factsOfRun(db, run)))
    requireVersion(run, version, run.name)
    if (change.answerBy) checkAnswerBy(await todayOf(db), run.startsOn, change.answerBy)
    checkWays({ ...run, ...change })
    const { raise, ...plain } = change
    await db
      .updateTable('renewalRuns')
      .set({
        ...plain,
        ...(raise ? { raise: JSON.stringify(raise) } : {}),
        version: run.version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    if (raise) await repriceTx(db, id, raise)
    await audit(db, actor, 'renewal.update', entity(id), { after: change })
    await publishChange(db, 'quotes', [id])
    return getRun(db, actor, id)
  })

/** Leaves one out, takes it in again, or gives it prices of its own. */
export const changeRenewal = (
  actor: Actor,
  { id, rowId }: { id: string; rowId: string },
  { excluded, raise, prices = [] }: Body<'change'>,
): Promise<RenewalRow> =>
  withTenant(actor, async (db) => {
    const run = await lockRunTx(db, id)
    refuse(runRefusals.update(await factsOfRun(db, run)))
    const row = await lockRenewalTx(db, rowId)
    if (row?.runId !== id) throw notFound('renewal')
    const before = row.lines as unknown as RenewalLine[]
    refuse(
      excluded === false && before.length === 0
        ? `${row.problem || 'Nothing of it can be renewed.'} Nothing was changed.`
        : null,
    )
    const wished = new Map(prices.map(({ lineId, cents }) => [lineId, cents]))
    if ([...wished.keys()].some((lineId) => !before.some((line) => line.id === lineId))) throw notFound('line')
    const own = raise === undefined ? (row.raise as unknown as RaiseOf | null) : raise
    const lines = priceRenewal(
      before.map((line) => {
        const cents = wished.get(line.id)
        return cents === undefined ? line : { ...line, typed: cents !== null, cents: cents ?? line.cents }
      }),
      own ?? (run.raise as unknown as RaiseOf),
    )
    await db
      .updateTable('renewals')
      .set({
        ...(excluded === undefined ? {} : { state: excluded ? 'excluded' : 'open' }),
        raise: own ? JSON.stringify(own) : null,
        lines: JSON.stringify(lines),
        ...renewalSums(lines),
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', rowId)
      .execute()
    await setRunTx(db, run, {})
    await audit(db, actor, 'renewal.change', { type: 'renewal', id: rowId }, { after: { excluded, raise, prices } })
    return getRenewal(db, id, rowId)
  })

const lockFor = async (db: TenantDb, id: string, action: 'send' | 'retry' | 'withdraw', version: number) => {
  const run = await lockRunTx(db, id)
  refuse(runRefusals[action](await factsOfRun(db, run)))
  requireVersion(run, version, run.name)
  return run
}

export const sendRun = (actor: Actor, id: string, { version, expected }: Body<'send'>): Promise<RunRecord> =>
  withTenant(actor, async (db) => {
    const run = await lockFor(db, id, 'send', version)
    checkAnswerBy(await todayOf(db), run.startsOn, run.answerBy)
    const { counts, afterCents } = await getRun(db, actor, id)
    if (counts.open === 0) throw conflict('Nobody is on the list. Take somebody in, then send it. Nothing was sent.')
    if (counts.open !== expected.count || afterCents !== expected.afterCents)
      throw conflict(
        `The list has changed: ${counts.open} for ${formatCents(afterCents)} now. Look at it again; nothing was sent.`,
      )
    await setRunTx(db, run, { status: 'sending' })
    await enqueue(db, continueRun, { runId: id }, { key: id })
    await audit(db, actor, 'renewal.send', entity(id), { after: { count: counts.open, afterCents } })
    return getRun(db, actor, id)
  })

export const retryRun = (actor: Actor, id: string, version: number): Promise<RunRecord> =>
  withTenant(actor, async (db) => {
    const run = await lockFor(db, id, 'retry', version)
    checkAnswerBy(await todayOf(db), run.startsOn, run.answerBy)
    await db
      .updateTable('renewals')
      .set({ state: 'open', problem: '', updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('runId', '=', id)
      .where('state', '=', 'failed')
      .execute()
    await setRunTx(db, run, { status: 'sending' })
    await enqueue(db, continueRun, { runId: id }, { key: id })
    await audit(db, actor, 'renewal.retry', entity(id))
    return getRun(db, actor, id)
  })

export const withdrawRun = (actor: Actor, id: string, version: number): Promise<RunRecord> =>
  withTenant(actor, async (db) => {
    const run = await lockFor(db, id, 'withdraw', version)
    await setRunTx(db, run, { status: 'withdrawing' })
    await enqueue(db, continueRun, { runId: id }, { key: id })
    await audit(db, actor, 'renewal.withdraw', entity(id))
    return getRun(db, actor, id)
  })
