import { sql } from 'kysely'
import { z } from 'zod'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { addMonths } from '../../../../shared/dates.ts'
import { AppError } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { setRenewsTx } from '../../../jobs/seasons/server/commands.ts'
import { listNextSeasons } from '../../../jobs/seasons/server/queries.ts'
import { stopMessagesTx } from '../../../messages/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { QuoteContent } from '../../contract.ts'
import { createQuoteTx, sendQuoteTx } from '../../server/commands.ts'
import { lockQuoteTx, noteTx, setQuoteTx } from '../../server/rows.ts'
import type { Raise, RenewalFilter } from '../contract.ts'
import { priceRenewal, type RenewalLine, renewalSums } from '../rules.ts'
import { freeJobs } from './queries.ts'
import { lockRenewalTx, lockRunTx } from './rows.ts'

/** A run is put together, sent and taken back in steps, each a transaction of its own: a server that dies goes on where it was, and nothing is sent twice. */

type Run = Awaited<ReturnType<typeof lockRunTx>>

const collectedAtOnce = 200
const sentAtOnce = 50
/** So long the first messages wait, so that taking them back is in time. */
const undoMinutes = 5
const first = '00000000-0000-0000-0000-000000000000'

export const setRunTx = async (
  db: TenantDb,
  run: Pick<Run, 'id' | 'version'>,
  change: Partial<Pick<Run, 'status' | 'collectedTo' | 'sentAt'>>,
): Promise<void> => {
  await db
    .updateTable('renewalRuns')
    .set({ ...change, version: run.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', run.id)
    .execute()
  await publishChange(db, 'quotes', [run.id])
}

/** Until when the season is counted: work without an end comes a year. */
const spanOf = ({ startsOn, endsOn }: Run) => ({ from: startsOn, to: endsOn ?? addMonths(startsOn, 12) })

const signedAlready =
  'Its customer signed for this season already, and nothing was done before it. Take it in to offer it anew.'

/** Those of the jobs that a signed quote made and that begin with the season itself: who has just agreed to a price is asked for no other. */
const listSignedFor = async (
  db: TenantDb,
  jobIds: readonly string[],
  startsOn: string,
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string }>`
    select j.id from unnest(${[...jobIds]}::uuid[]) as j(id)
    where exists (select 1 from quotes q where q.business_id = ${db.businessId} and q.job_id = j.id and q.status = 'converted')
      and not exists (select 1 from visits v where v.business_id = ${db.businessId} and v.job_id = j.id and v.day < ${startsOn})`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Puts the next jobs on the list. @returns whether more may be there */
const collectTx = async (db: TenantDb, runId: string): Promise<boolean> => {
  const run = await lockRunTx(db, runId)
  if (run.status !== 'collecting') return false
  const found = await freeJobs(
    db,
    run.filter as unknown as z.output<typeof RenewalFilter>,
    run.startsOn,
    await todayOf(db),
  )
    .where('j.id', '>', run.collectedTo ?? first)
    .select('j.id')
    .orderBy('j.id')
    .limit(collectedAtOnce)
    .execute()
  const ids = found.map(({ id }) => id)
  const seasons = await listNextSeasons(db, ids, spanOf(run))
  const signed = await listSignedFor(db, ids, run.startsOn)
  const raise = run.raise as unknown as z.output<typeof Raise>
  if (seasons.length > 0)
    await db
      .insertInto('renewals')
      .values(
        seasons.map(({ jobId, lines, problem: lacking }) => {
          const problem = lacking || (signed.has(jobId) ? signedAlready : '')
          const priced = priceRenewal(
            lines.map((line) => ({ ...line, id: newId(), typed: false })),
            raise,
          )
          return {
            businessId: db.businessId,
            id: newId(),
            runId,
            jobId,
            state: problem ? ('excluded' as const) : ('open' as const),
            lines: JSON.stringify(priced),
            ...renewalSums(priced),
            problem,
            updatedAt: clock.iso(),
          }
        }),
      )
      .onConflict((c) => c.columns(['businessId', 'runId', 'jobId']).doNothing())
      .execute()
  const more = ids.length === collectedAtOnce
  await setRunTx(db, run, { collectedTo: ids.at(-1) ?? run.collectedTo, ...(more ? {} : { status: 'draft' }) })
  return more
}

/** What the customer of a renewal reads: its lines at the new prices; of several services all but the first can be left out. */
const contentOf = (run: Run, lines: readonly RenewalLine[]): QuoteContent =>
  QuoteContent.parse({
    lines: lines.map((line, at) => {
      const mayGo = line.round === null && at > 0
      return {
        id: line.id,
        serviceId: line.serviceId,
        name: line.name.slice(0, 160),
        description: line.description,
        quantity: line.quantity,
        unit: line.unit,
        frequency: line.frequency,
        visits: line.visits,
        unitPriceCents: line.cents,
        minutes: line.minutes,
        taxCategory: line.taxCategory,
        ...(line.rhythm ? { rhythm: line.rhythm } : {}),
        optional: mayGo,
        preselected: mayGo,
        round: line.round,
      }
    }),
    prepayPercent: run.prepayPercent,
    message: run.message,
    terms: run.terms,
  })

/** Sends one renewal as a quote of its own, once. @throws AppError where it cannot be sent */
const sendOneTx = async (db: TenantDb, actor: SystemActor, runId: string, id: string): Promise<void> => {
  const run = await lockRunTx(db, runId)
  const renewal = await lockRenewalTx(db, id)
  if (run.status !== 'sending' || renewal?.state !== 'open') return
  const lines = renewal.lines as unknown as RenewalLine[]
  const job = await db
    .selectFrom('jobs')
    .select(['title', 'propertyId', 'renewedAs'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', renewal.jobId)
    .executeTakeFirstOrThrow()
  if (job.renewedAs) throw new AppError('state_conflict', 'It was renewed meanwhile some other way.')
  const year = lines[0]?.round?.year ?? run.startsOn.slice(0, 4)
  const quoteId = await createQuoteTx(db, actor, {
    propertyId: job.propertyId,
    title: `${year} season: ${job.title}`.slice(0, 160),
    content: contentOf(run, lines),
    validUntil: run.answerBy,
    note: '',
    source: 'Renewal',
    templateId: null,
    sellerId: run.createdBy,
  })
  const renewedBefore = await setRenewsTx(db, renewal.jobId, false)
  await db
    .updateTable('renewals')
    .set({ state: 'sent', quoteId, problem: '', renewedBefore, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  const auto = run.mode === 'auto'
  await sendQuoteTx(
    db,
    actor,
    await lockQuoteTx(db, quoteId),
    { mail: run.byMail, text: run.byText },
    {
      kind: auto ? 'renewAuto' : 'renew',
      follows: !auto,
      runAfter: new Date(clock.nowMs() + undoMinutes * 60_000).toISOString(),
    },
  )
}

const failTx = async (db: TenantDb, id: string, problem: string): Promise<void> => {
  await db
    .updateTable('renewals')
    .set({ state: 'failed', problem: problem.slice(0, 500), updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}

const idsOf = (actor: SystemActor, runId: string, states: readonly ('open' | 'sent' | 'failed')[], after: string) =>
  withTenant(actor, async (db) =>
    (
      await db
        .selectFrom('renewals')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('runId', '=', runId)
        .where('state', 'in', [...states])
        .where('id', '>', after)
        .orderBy('id')
        .limit(sentAtOnce)
        .execute()
    ).map(({ id }) => id),
  )

const statusOf = (actor: SystemActor, runId: string) =>
  withTenant(actor, (db) =>
    db
      .selectFrom('renewalRuns')
      .select('status')
      .where('businessId', '=', db.businessId)
      .where('id', '=', runId)
      .executeTakeFirst(),
  )

const send = async (actor: SystemActor, runId: string): Promise<void> => {
  for (let after = first; ; ) {
    if ((await statusOf(actor, runId))?.status !== 'sending') return
    const ids = await idsOf(actor, runId, ['open'], after)
    for (const id of ids) {
      try {
        await withTenant(actor, (db) => sendOneTx(db, actor, runId, id))
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
        await withTenant(actor, (db) => failTx(db, id, error.message))
      }
    }
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
  }
  await withTenant(actor, async (db) => {
    const run = await lockRunTx(db, runId)
    if (run.status !== 'sending') return
    await setRunTx(db, run, { status: 'sent', sentAt: run.sentAt ?? clock.iso() })
    const { rows } = await sql<{ sent: number; failed: number }>`
      select count(*) filter (where state = 'sent')::int as sent, count(*) filter (where state = 'failed')::int as failed
      from renewals where business_id = ${db.businessId} and run_id = ${runId}`.execute(db)
    const { sent = 0, failed = 0 } = rows[0] ?? {}
    await notifyOffice(db, {
      type: 'quote',
      title: `${run.name}: ${sent.toLocaleString('en-US')} sent${failed > 0 ? `, ${failed.toLocaleString('en-US')} could not be sent` : ''}`,
      content: failed > 0 ? 'The run says why for each of them.' : '',
      path: linkTo.renewalRun(runId),
      dedupeKey: `renewals-sent:${runId}:${run.version}`,
    })
  })
}

/** Takes one back that nobody answered: its link is closed, what waits to leave stays, and its job renews as it did before. */
const withdrawOneTx = async (db: TenantDb, id: string): Promise<void> => {
  const renewal = await lockRenewalTx(db, id)
  if (!renewal || renewal.state === 'withdrawn') return
  if (renewal.quoteId) {
    const quote = await lockQuoteTx(db, renewal.quoteId)
    const unanswered = ['draft', 'sent', 'viewed', 'changes_requested'].includes(quote.status)
    if (!unanswered) return
    await setQuoteTx(db, quote, { status: 'archived', followOn: null })
    await noteTx(db, quote, 'archived', { words: 'The renewal was taken back' })
    await stopMessagesTx(db, { type: 'quote', id: quote.id }, 'The renewal was taken back')
    if (renewal.renewedBefore) await setRenewsTx(db, renewal.jobId, true)
  }
  await db
    .updateTable('renewals')
    .set({ state: 'withdrawn', updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
}

const withdraw = async (actor: SystemActor, runId: string): Promise<void> => {
  for (let after = first; ; ) {
    const ids = await idsOf(actor, runId, ['open', 'sent', 'failed'], after)
    for (const id of ids) await withTenant(actor, (db) => withdrawOneTx(db, id))
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    await withTenant(actor, (db) => publishChange(db, 'quotes', [runId]))
  }
  await withTenant(actor, async (db) => {
    const run = await lockRunTx(db, runId)
    if (run.status === 'withdrawing') await setRunTx(db, run, { status: 'withdrawn' })
  })
}

/** Goes on with a run from where it stands. */
export const continueRun = task({
  name: 'quotes.renewalRun',
  payload: z.object({ runId: z.uuid() }),
  // one step of a business after the other: of two lists the second sees what the first one took
  queue: (_payload, businessId) => `quotes.renewalRun:${businessId}`,
  run: async (actor, { runId }) => {
    const status = (await statusOf(actor, runId))?.status
    if (status === 'collecting') while (await withTenant(actor, (db) => collectTx(db, runId)));
    if (status === 'sending') await send(actor, runId)
    if (status === 'withdrawing') await withdraw(actor, runId)
  },
})
