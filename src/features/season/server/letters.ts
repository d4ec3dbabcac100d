import { sql } from 'kysely'
import { type Actor, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { inThread } from '../../../platform/threads.ts'
import { refuse } from '../../../shared/can.ts'
import { type Day, dayOf, formatDay } from '../../../shared/dates.ts'
import { conflict } from '../../../shared/errors.ts'
import { listRecipients } from '../../customers/contacts/server/queries.ts'
import { plainText } from '../../messages/rules.ts'
import { queueMessage, stopMessagesTx } from '../../messages/server/commands.ts'
import { type Reach, reachOf } from '../../messages/server/reach/queries.ts'
import type { SeasonLetters } from '../contract.ts'
import { acceptanceRefusals } from '../rules.ts'
import type { lettersPdf, PaperLetters } from './letter-pdf.ts'
import { type AcceptanceRow, getAcceptance, getRunRow } from './run-rows.ts'
import { type Language, type MovedLawn, moveLetter, moveNotice, moveSubject, namedFirst } from './templates.ts'

/** Letters to who moved by one step of a plan: each customer once, with all of their lawns. */

const entityOf = (id: string) => ({ type: 'season_acceptance', id })
/** So long nothing leaves, so that taking the step back takes the letters back, too. */
const recallMinutes = 5

const keyOf = (acceptanceId: string, customerId: string): string => `season:${acceptanceId}:${customerId}`

type Letter = {
  customerId: string
  name: string
  language: Language
  text: string
  reach: Reach
  sentAt: string | null
  addressLines: string[]
}

type Stood = { rhythms: ReadonlyMap<string, number>; row: AcceptanceRow }

/** First open visits from a day on. */
const firstVisits = async (db: TenantDb, jobIds: readonly string[], fromOn: Day): Promise<Map<string, Day>> => {
  const { rows } = await sql<{ jobId: string; day: Day }>`
    select job_id as "jobId", min(day)::text as day from visits
    where business_id = ${db.businessId} and job_id = any(${[...jobIds]}::uuid[]) and day >= ${fromOn} and status = 'scheduled'
    group by job_id`.execute(db)
  return new Map(rows.map(({ jobId, day }) => [jobId, day]))
}

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['name', 'brandColor', 'street', 'city', 'state', 'zip', 'timeZone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

const lettersOf = async (db: TenantDb, { row, rhythms }: Stood): Promise<Letter[]> => {
  // A crew alone is nobody's news: whoever has another day or week is told.
  const moves = row.moves.filter(
    ({ jobId, from, to }) => !row.undone.has(jobId) && (from.day !== to.day || from.week !== to.week),
  )
  if (moves.length === 0) return []
  const jobIds = moves.map((move) => move.jobId)
  const jobs = await db
    .selectFrom('jobs as j')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .where('j.businessId', '=', db.businessId)
    .where('j.id', 'in', jobIds)
    .select(['j.id', 'j.customerId', 'c.name', 'c.language', 'p.street', 'p.city', 'p.state', 'p.zip'])
    .orderBy('c.name')
    .orderBy('j.id')
    .execute()
  const first = await firstVisits(db, jobIds, row.fromOn)
  const customerIds = [...new Set(jobs.map((job) => job.customerId))]
  const recipients = await listRecipients(db, customerIds, 'visits')
  const reaches = await reachOf(
    db,
    customerIds.map((id) => {
      const [one] = recipients(id)
      return { id, email: one?.email ?? null, phone: one?.phone ?? null }
    }),
    new Date(clock.nowMs() + recallMinutes * 60_000).toISOString(),
  )
  const sent = await db
    .selectFrom('messages')
    .select(['customerId', 'createdAt'])
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', 'season_acceptance')
    .where('entityId', '=', row.id)
    .where('direction', '=', 'outbound')
    .execute()
  const sentAt = new Map(sent.map((one) => [one.customerId, one.createdAt]))
  const business = await businessOf(db)
  const byJob = new Map(moves.map((move) => [move.jobId, move]))
  return [...Map.groupBy(jobs, (job) => job.customerId)].map(([customerId, own]) => {
    const [one] = own
    const language: Language = one?.language === 'es' ? 'es' : 'en'
    const lawns = own.flatMap((job): MovedLawn[] => {
      const move = byJob.get(job.id)
      if (!move) return []
      return [
        {
          street: job.street,
          fromDay: move.from.day,
          toDay: move.to.day,
          everyWeeks: rhythms.get(job.id) ?? 1,
          firstOn: namedFirst(first.get(job.id) ?? null, move.to.day),
          newDay: move.from.day !== move.to.day,
        },
      ]
    })
    return {
      customerId,
      name: one?.name ?? '',
      language,
      text: moveNotice(business.name, lawns, language),
      reach: reaches.get(customerId) ?? { channel: null, reason: 'No mobile number or e-mail on file' },
      sentAt: sentAt.get(customerId) ?? null,
      addressLines: one ? [one.street, `${one.city}, ${one.state} ${one.zip}`.trim()] : [],
    }
  })
}

const stoodOf = async (db: TenantDb, id: string): Promise<Stood> => {
  const row = await getAcceptance(db, id)
  const { state } = await getRunRow(db, row.runId)
  return { row, rhythms: new Map(state.jobs.map((job) => [job.jobId, job.slots[0]?.everyWeeks ?? 1])) }
}

const shownOf = (letters: readonly Letter[]): SeasonLetters => {
  const by = (channel: 'sms' | 'email' | null) =>
    letters.filter((letter) => letter.sentAt === null && letter.reach.channel === channel).length
  return {
    items: letters.map(({ customerId, name, language, text, reach, sentAt }) => ({
      customerId,
      customerName: name,
      language,
      channel: reach.channel,
      reason: reach.channel === null ? reach.reason : null,
      text,
      sentAt,
    })),
    counts: {
      texts: by('sms'),
      emails: by('email'),
      unreached: by(null),
      told: letters.filter((letter) => letter.sentAt !== null).length,
    },
  }
}

/** What each customer of a step would read, and by which way. */
export const getLetters = async (db: TenantDb, id: string): Promise<SeasonLetters> =>
  shownOf(await lettersOf(db, await stoodOf(db, id)))

/**
 * Tells everybody of a step who can be reached, once.
 * @throws AppError conflict when they were told already, when it was taken back, or when it would be another number than the button said
 */
export const sendLetters = (actor: Actor, id: string, expected: number): Promise<SeasonLetters> =>
  withTenant(actor, async (db) => {
    await getAcceptance(db, id)
    await db
      .selectFrom('seasonAcceptances')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .execute()
    const stood = await stoodOf(db, id)
    const { row } = stood
    refuse(
      acceptanceRefusals.send({
        moves: row.moves.length,
        undoneMoves: row.undone.size,
        known: row.known,
        lettersAt: row.lettersAt,
      }),
    )
    const letters = await lettersOf(db, stood)
    const reached = letters.filter((letter) => letter.reach.channel !== null && letter.sentAt === null)
    if (reached.length !== expected)
      throw conflict(
        `By now ${reached.length} ${reached.length === 1 ? 'customer' : 'customers'} would be told, not ${expected}. Nothing was sent: look at the list again.`,
      )
    const business = await businessOf(db)
    const runAfter = new Date(clock.nowMs() + recallMinutes * 60_000).toISOString()
    for (const { customerId, language, text, reach } of reached) {
      if (reach.channel === null) continue
      await queueMessage(db, {
        channel: reach.channel,
        purpose: 'transactional',
        address: reach.address,
        dedupeKey: keyOf(id, customerId),
        ...(reach.channel === 'email' ? moveLetter(business, text, language) : { text: plainText(text) }),
        customerId,
        userId: userIdOf(actor),
        entity: entityOf(id),
        runAfter,
      })
    }
    await db
      .updateTable('seasonAcceptances')
      .set({ lettersAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'season.letters', entityOf(id), { after: { told: reached.length } })
    await publishChange(db, 'season', [row.runId])
    return getLetters(db, id)
  })

/** What has not left yet of a step that is taken back. */
export const recallLettersTx = (db: TenantDb, id: string) =>
  stopMessagesTx(db, entityOf(id), 'The new day was taken back before it left')

/** Letters to print for those whom no text and no mail reaches. @throws AppError conflict when there are none */
export const printLetters = async (actor: Actor, id: string): Promise<Uint8Array> => {
  const paper = await withTenant(actor, async (db): Promise<PaperLetters> => {
    const business = await businessOf(db)
    const date = dayOf(clock.now(), business.timeZone)
    const letters = (await lettersOf(db, await stoodOf(db, id))).filter((one) => one.reach.channel === null)
    return {
      business: business.name,
      businessLines: [
        business.street,
        [business.city, [business.state, business.zip].filter(Boolean).join(' ')].filter(Boolean).join(', '),
      ].filter((line) => line !== null && line !== '') as string[],
      letters: letters.map(({ name, addressLines, language, text }) => ({
        name,
        addressLines,
        language,
        date:
          language === 'es'
            ? new Intl.DateTimeFormat('es-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
                new Date(`${date}T00:00:00Z`),
              )
            : formatDay(date, { long: true, year: true }),
        subject: moveSubject(business.name, language),
        text,
      })),
    }
  })
  if (paper.letters.length === 0) throw conflict('Everybody can be told by text or mail: there is no letter to print.')
  return inThread<typeof lettersPdf>(new URL('./letter-pdf.ts', import.meta.url), 'lettersPdf', paper)
}
