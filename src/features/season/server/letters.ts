import { sql } from 'kysely'
import { type Actor, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { drawLetters, mailingLines } from '../../../platform/letters.ts'
import { refuse } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { conflict } from '../../../shared/errors.ts'
import { listRecipients } from '../../customers/contacts/server/queries.ts'
import { listSlotJobs } from '../../jobs/slots/server/queries.ts'
import { plainText } from '../../messages/rules.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { type Reach, reachOf } from '../../messages/server/reach/queries.ts'
import { mutedCustomers } from '../../notices/server/queries.ts'
import type { SeasonLetters, SeasonPlace } from '../contract.ts'
import { acceptanceRefusals, nobodyToTell } from '../rules.ts'
import { type AcceptanceRow, getAcceptance, type StoredLetter, type StoredMove } from './run-rows.ts'
import { type Language, letterText, type MovedLawn, moveLetter, namedFirst, subjectOf } from './templates.ts'
import { entityOf, listTold, recallTx, type Told } from './told.ts'

/**
 * Letters of one step of a plan, to each customer one with all of their lawns: who moved is told, and who was told and stays after all is told
 * so. Only what holds now is told: a job that was changed by hand since, ended or archived is nobody's news.
 */

/** So long nothing leaves, so that taking the step back takes the letters back, too. */
const recallMinutes = 5

/** One person's way; `contactId` is null for the customer. */
type PersonReach = Reach & { contactId: string | null }

type Letter = {
  kind: StoredLetter['kind']
  customerId: string
  jobIds: string[]
  name: string
  language: Language
  text: string
  reach: PersonReach
  /** Ways to their contacts who get news of visits, too. */
  others: PersonReach[]
  sentAt: string | null
  waiting: boolean
  holds: boolean
  addressLines: string[]
}

/** First open visits from a day on. */
const firstVisits = async (db: TenantDb, jobIds: readonly string[], fromOn: Day): Promise<Map<string, Day>> => {
  const { rows } = await sql<{ jobId: string; day: Day }>`
    select job_id as "jobId", min(day)::text as day from visits
    where business_id = ${db.businessId} and job_id = any(${[...jobIds]}::uuid[]) and day >= ${fromOn} and status = 'scheduled'
    group by job_id`.execute(db)
  return new Map(rows.map(({ jobId, day }) => [jobId, day]))
}

/** The services of jobs whose address has other recurring work as well: without them a letter would not say what moves. */
const listWork = async (db: TenantDb, jobIds: readonly string[]): Promise<Map<string, Record<Language, string>>> => {
  const { rows } = await sql<{ jobId: string; en: string; es: string }>`
    select j.id as "jobId", string_agg(distinct s.name, ', ') as en, string_agg(distinct coalesce(nullif(s.name_es, ''), s.name), ', ') as es
    from jobs j
    join job_lines k on k.business_id = j.business_id and k.job_id = j.id and k.archived_at is null and k.recurrence is not null
    join services s on s.business_id = k.business_id and s.id = k.service_id
    where j.business_id = ${db.businessId} and j.id = any(${[...jobIds]}::uuid[])
      and exists (
        select 1 from jobs o
        join job_lines l on l.business_id = o.business_id and l.job_id = o.id and l.archived_at is null and l.recurrence is not null
        where o.business_id = j.business_id and o.property_id = j.property_id and o.id <> j.id
          and o.archived_at is null and o.status in ('active', 'paused'))
    group by j.id`.execute(db)
  return new Map(rows.map(({ jobId, en, es }) => [jobId, { en, es }]))
}

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['name', 'brandColor', 'street', 'city', 'state', 'zip', 'timeZone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

const jobsOf = async (db: TenantDb, jobIds: readonly string[]) =>
  jobIds.length === 0
    ? []
    : db
        .selectFrom('jobs as j')
        .innerJoin('customers as c', (x) =>
          x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'),
        )
        .innerJoin('properties as p', (x) =>
          x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
        )
        .where('j.businessId', '=', db.businessId)
        .where('j.id', 'in', [...jobIds])
        .select(['j.id', 'j.customerId', 'c.name', 'c.language', 'p.street', 'p.city', 'p.state', 'p.zip'])
        .select(['c.billingStreet', 'c.billingCity', 'c.billingState', 'c.billingZip'])
        .orderBy('c.name')
        .orderBy('j.id')
        .execute()

type Job = Awaited<ReturnType<typeof jobsOf>>[number]

/** Where their mail goes. */
const addressOf = (job: Job): string[] =>
  mailingLines({ street: job.billingStreet, city: job.billingCity, state: job.billingState, zip: job.billingZip }, job)

/** How each customer and their contacts are reached with news of moves. */
const reachesOf = async (db: TenantDb, customerIds: readonly string[]) => {
  const recipients = await listRecipients(db, customerIds, 'visits')
  const whom = customerIds.flatMap((customerId) =>
    recipients(customerId).map((one) => ({ ...one, customerId, id: `${customerId}:${one.contactId ?? ''}` })),
  )
  const leavesAt = new Date(clock.nowMs() + recallMinutes * 60_000).toISOString()
  const reaches = await reachOf(db, whom, leavesAt)
  const muted = await mutedCustomers(db, 'moved', customerIds)
  return (customerId: string): { reach: PersonReach; others: PersonReach[] } => {
    const all = muted.has(customerId)
      ? []
      : whom.flatMap((one): PersonReach[] => {
          const reach = one.customerId === customerId ? reaches.get(one.id) : undefined
          return reach ? [{ ...reach, contactId: one.contactId }] : []
        })
    const first = all.find((one) => one.channel !== null) ?? all[0]
    const reason = muted.has(customerId) ? 'Wants no word of moves' : 'Nobody gets notices of visits'
    return {
      reach: first ?? { channel: null, reason, contactId: null },
      others: all.filter((one) => one !== first && one.channel !== null),
    }
  }
}

/** What is to be said of a job, or was said; a crew alone is nobody's news. */
type News = { move: StoredMove; kind: StoredLetter['kind']; sentAt: string | null; waiting: boolean; holds: boolean }

const newsOf = async (db: TenantDb, row: AcceptanceRow): Promise<News[]> => {
  const told = await listTold(db, row)
  const now = new Map(
    (
      await listSlotJobs(
        db,
        row.moves.map((move) => move.jobId),
      )
    ).map((job) => [job.jobId, job]),
  )
  const standsAt = (jobId: string, { day, week }: SeasonPlace): boolean => {
    const job = now.get(jobId)
    return job?.slots.length === 1 && job.slots[0]?.weekday === day && job.slots[0].week === week
  }
  return row.moves.flatMap((move): News[] => {
    const { jobId, from, to } = move
    if (from.day === to.day && from.week === to.week) return []
    const of = (kind: StoredLetter['kind']) =>
      told.find((one) => one.kind === kind && one.way !== null && one.jobIds.includes(jobId))
    const [moved, stays] = [of('moves'), of('stays')]
    const written = (kind: News['kind'], { way, at }: Told, place: SeasonPlace): News[] => [
      { move, kind, sentAt: at, waiting: way === 'waiting', holds: standsAt(jobId, place) },
    ]
    const open = (kind: News['kind'], place: SeasonPlace): News[] =>
      standsAt(jobId, place) ? [{ move, kind, sentAt: null, waiting: false, holds: true }] : []
    if (!row.undone.has(jobId)) return moved ? written('moves', moved, to) : open('moves', to)
    if (stays) return written('stays', stays, from)
    return moved?.way === 'left' ? open('stays', from) : []
  })
}

const lettersOf = async (db: TenantDb, row: AcceptanceRow): Promise<Letter[]> => {
  const news = new Map((await newsOf(db, row)).map((one) => [one.move.jobId, one]))
  const jobIds = [...news.keys()]
  const jobs = await jobsOf(db, jobIds)
  const slots = new Map((await listSlotJobs(db, jobIds)).map((job) => [job.jobId, job.slots[0]]))
  const work = await listWork(db, jobIds)
  const first = await firstVisits(db, jobIds, row.fromOn)
  const reaches = await reachesOf(db, [...new Set(jobs.map((job) => job.customerId))])
  const business = await businessOf(db)
  const groups = Map.groupBy(jobs, ({ id, customerId }) => {
    const one = news.get(id)
    return `${customerId} ${one?.kind} ${one?.sentAt}`
  })
  return [...groups.values()].flatMap((own): Letter[] => {
    const [one] = own
    const said = news.get(one?.id ?? '')
    if (!one || !said) return []
    const language: Language = one.language === 'es' ? 'es' : 'en'
    const lawns = own.flatMap((job): MovedLawn[] => {
      const move = news.get(job.id)?.move
      if (!move) return []
      const slot = slots.get(job.id)
      return [
        {
          street: job.street,
          work: work.get(job.id)?.[language] ?? null,
          fromDay: move.from.day,
          toDay: move.to.day,
          everyWeeks: slot?.everyWeeks ?? 1,
          nth: slot?.nth ?? null,
          firstOn: namedFirst(first.get(job.id) ?? null, move.to.day),
          newDay: move.from.day !== move.to.day,
        },
      ]
    })
    return [
      {
        kind: said.kind,
        customerId: one.customerId,
        jobIds: own.map((job) => job.id),
        name: one.name,
        language,
        text: letterText(said.kind, business.name, lawns, language),
        ...reaches(one.customerId),
        sentAt: said.sentAt,
        waiting: said.waiting,
        holds: own.every((job) => news.get(job.id)?.holds !== false),
        addressLines: addressOf(one),
      },
    ]
  })
}

const shownOf = (letters: readonly Letter[]): SeasonLetters => {
  const by = (channel: 'sms' | 'email' | null) =>
    letters.filter((letter) => letter.sentAt === null && letter.reach.channel === channel).length
  return {
    items: letters.map(({ kind, customerId, name, language, text, reach, sentAt, waiting, holds }) => ({
      kind,
      customerId,
      customerName: name,
      language,
      channel: reach.channel,
      reason: reach.channel === null ? reach.reason : null,
      text,
      sentAt,
      waiting,
      holds,
    })),
    counts: {
      texts: by('sms'),
      emails: by('email'),
      unreached: by(null),
      told: letters.filter((letter) => letter.sentAt !== null).length,
      waiting: letters.filter((letter) => letter.waiting).length,
    },
  }
}

/** What each customer of a step would read, and by which way. */
export const getLetters = async (db: TenantDb, id: string): Promise<SeasonLetters> =>
  shownOf(await lettersOf(db, await getAcceptance(db, id)))

const lockStepTx = async (db: TenantDb, id: string): Promise<AcceptanceRow> => {
  await getAcceptance(db, id)
  await db
    .selectFrom('seasonAcceptances')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return getAcceptance(db, id)
}

/**
 * Tells everybody of a step who can be reached and was not told yet.
 * @throws AppError conflict when they were told already, when it was taken back, or when it would be another number than the button said
 */
export const sendLetters = (actor: Actor, id: string, expected: number): Promise<SeasonLetters> =>
  withTenant(actor, async (db) => {
    const row = await lockStepTx(db, id)
    const facts = { moves: row.moves.length, undoneMoves: row.undone.size, known: row.known, lettersAt: row.lettersAt }
    refuse(acceptanceRefusals.send(facts))
    const reached = (await lettersOf(db, row)).filter((one) => one.reach.channel !== null && one.sentAt === null)
    if (reached.length === 0 && row.lettersAt !== null) throw conflict(nobodyToTell(facts))
    if (reached.length !== expected)
      throw conflict(
        `By now ${reached.length} ${reached.length === 1 ? 'customer' : 'customers'} would be told, not ${expected}. Nothing was sent: look at the list again.`,
      )
    const written = await queueLetters(db, actor, row, reached)
    await db
      .updateTable('seasonAcceptances')
      .set({ lettersAt: row.lettersAt ?? clock.iso(), letters: JSON.stringify([...row.letters, ...written]) })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'season.letters', entityOf(id), { after: { told: reached.length } })
    await publishChange(db, 'season', [row.runId])
    return getLetters(db, id)
  })

/** Keeps here what has not left yet, also where the step stays: a day was changed by hand, or it was pressed too early. @throws AppError conflict when nothing waits */
export const recallLetters = (actor: Actor, id: string): Promise<SeasonLetters> =>
  withTenant(actor, async (db) => {
    const row = await lockStepTx(db, id)
    const waiting = (await listTold(db, row)).filter((one) => one.way === 'waiting')
    if (waiting.length === 0)
      throw conflict('No letter of this step waits any more: what has left cannot be called back.')
    await recallTx(db, row, {
      jobIds: new Set(waiting.flatMap((one) => one.jobIds)),
      kinds: ['moves', 'stays'],
      reason: 'Called back before it left',
    })
    await audit(db, actor, 'season.recall', entityOf(id), { after: { letters: waiting.length } })
    await publishChange(db, 'season', [row.runId])
    return getLetters(db, id)
  })

/** Puts letters into the outbox, to everybody of a customer who gets news of visits. */
const queueLetters = async (
  db: TenantDb,
  actor: Actor,
  { id, letters }: AcceptanceRow,
  reached: readonly Letter[],
): Promise<StoredLetter[]> => {
  const business = await businessOf(db)
  const runAfter = new Date(clock.nowMs() + recallMinutes * 60_000).toISOString()
  const written: StoredLetter[] = []
  for (const { kind, customerId, jobIds, language, text, reach, others } of reached) {
    // A number of its own for each: who is told again after a recall gets another message.
    const key = `season:${id}:${letters.length + written.length + 1}`
    for (const one of [{ ...reach, tail: '' }, ...others.map((other) => ({ ...other, tail: `:${other.contactId}` }))]) {
      if (one.channel === null) continue
      await queueMessage(db, {
        channel: one.channel,
        purpose: 'transactional',
        address: one.address,
        dedupeKey: `${key}${one.tail}`,
        ...(one.channel === 'email'
          ? moveLetter(business, { text, subject: subjectOf(kind, business.name, language), language })
          : { text: plainText(text) }),
        customerId,
        userId: userIdOf(actor),
        entity: entityOf(id),
        runAfter,
      })
    }
    written.push({ key, jobIds, kind })
  }
  return written
}

/** Letters to print for those whom no text and no mail reaches. @throws AppError conflict when there are none */
export const printLetters = async (actor: Actor, id: string): Promise<Uint8Array> => {
  const { business, letters } = await withTenant(actor, async (db) => ({
    business: await businessOf(db),
    letters: await lettersOf(db, await getAcceptance(db, id)),
  }))
  const unreached = letters.filter((one) => one.reach.channel === null && one.sentAt === null)
  if (unreached.length === 0) throw conflict('Everybody can be told by text or mail: there is no letter to print.')
  return drawLetters(
    business,
    unreached.map(({ kind, name, addressLines, language, text }) => ({
      name,
      addressLines,
      language,
      subject: subjectOf(kind, business.name, language),
      text,
    })),
  )
}
