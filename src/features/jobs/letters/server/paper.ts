import { sql } from 'kysely'
import { type Actor, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { drawLetters, mailingLines } from '../../../../platform/letters.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { reachOf } from '../../../messages/server/reach/queries.ts'
import { getPriceChange, languageOf } from '../../prices/server/queries.ts'
import { standingLines, standingWork } from '../../prices/server/standing.ts'
import { payersOf } from '../../prices/server/ways.ts'
import { paperDays } from '../rules.ts'
import { letterParagraphs, letterSubject } from './templates.ts'

/** Letters on paper, for whom nothing else tells of a new price. */

export type PaperCustomer = { customerId: string; name: string; why: string }
export type Paper = {
  /** To be printed, each with why nothing else tells them. */
  open: PaperCustomer[]
  printedIds: string[]
  printedAt: string | null
  printedByName: string | null
}

const lettersOf = (db: TenantDb, ids: readonly string[]) =>
  db
    .selectFrom('priceChanges as g')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'g.businessId').onRef('u.id', '=', 'g.printedBy'))
    .where('g.businessId', '=', db.businessId)
    .where('g.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('g.kind', '=', 'letter')
    .select(['g.id', 'g.fromOn', 'g.toldAt', 'g.printedAt', 'g.printedCustomerIds', 'u.name as printedByName'])
    .execute()

/** What became of the notices of changes, the newest of each customer first. */
const noticesOf = (db: TenantDb, ids: readonly string[]) =>
  db
    .selectFrom('messages')
    .select(['entityId', 'customerId', 'status', 'reason'])
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', 'price_change')
    .where('entityId', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('direction', '=', 'outbound')
    .orderBy('id', 'desc')
    .execute()

/**
 * Who of each letter is to be told on paper: whose price still comes, and of whom no message left or waits. While the letters are not in the outbox
 * yet, whom nothing reaches.
 */
export const listPaper = async (db: TenantDb, changeIds: readonly string[]): Promise<Map<string, Paper>> => {
  const letters = await lettersOf(db, changeIds)
  const ids = letters.map(({ id }) => id)
  const customers = await standingLines(db, ids)
    .select(['n.changeId', 'j.customerId', 'c.name'])
    .distinct()
    .orderBy('c.name')
    .orderBy('j.customerId')
    .execute()
  const notices = Map.groupBy(await noticesOf(db, ids), (one) => `${one.entityId} ${one.customerId}`)
  const reaches = await reachOf(db, await payersOf(db, [...new Set(customers.map((one) => one.customerId))]))
  const found = new Map<string, Paper>()
  for (const { id, toldAt, printedCustomerIds, printedAt, printedByName } of letters) {
    const paper: Paper = { open: [], printedIds: [], printedAt, printedByName }
    for (const { customerId, name } of customers.filter((one) => one.changeId === id)) {
      const own = notices.get(`${id} ${customerId}`) ?? []
      if (own.some(({ status }) => status !== 'failed' && status !== 'suppressed')) continue
      const reach = reaches.get(customerId)
      if (toldAt === null && reach?.channel !== null) continue
      const why =
        own[0]?.reason ?? (reach?.channel === null ? reach.reason : 'Could not be reached when the letters left')
      if (printedCustomerIds.includes(customerId)) paper.printedIds.push(customerId)
      else paper.open.push({ customerId, name, why })
    }
    found.set(id, paper)
  }
  return found
}

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['name', 'phone', 'street', 'city', 'state', 'zip', 'timeZone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

const standingLetter = async (db: TenantDb, id: string) => {
  const change = await getPriceChange(db, id)
  if (change.kind !== 'letter') throw notFound('price letter')
  if (change.undoneAt !== null) throw conflict('These prices were taken back: there is nothing to tell.')
  return change
}

/**
 * The letters of a change that are to be printed.
 * @param again with those that were printed already
 * @throws AppError not_found, state_conflict when there are none, it was taken back, or its day is long past
 */
const getPaper = async (db: TenantDb, id: string, again: boolean) => {
  const change = await standingLetter(db, id)
  if (addDays(change.fromOn, paperDays) < (await todayOf(db)))
    throw conflict('The day of these prices is long past: there is nothing to tell any more.')
  const paper = (await listPaper(db, [id])).get(id)
  const meant = [...(paper?.open ?? []).map((one) => one.customerId), ...(again ? (paper?.printedIds ?? []) : [])]
  if (meant.length === 0)
    throw conflict(
      paper && paper.printedIds.length > 0
        ? 'Each of these letters was printed already.'
        : 'Everybody is told by text or mail: there is no letter to print.',
    )
  const business = await businessOf(db)
  const writtenOn = await todayOf(db)
  const groups = Map.groupBy(await standingWork(db, id, meant).execute(), (row) => row.customerId)
  const letters = [...groups.values()].flatMap((own) => {
    const [one] = own
    if (!one) return []
    const language = languageOf(one)
    const billing = { street: one.billingStreet, city: one.billingCity, state: one.billingState, zip: one.billingZip }
    const said = { name: one.name, fromOn: change.fromOn as Day, writtenOn, lines: own }
    return [
      {
        name: one.name,
        addressLines: mailingLines(billing, one),
        language,
        subject: letterSubject(business.name, language),
        text: letterParagraphs(business, said, language, true).join('\n\n'),
      },
    ]
  })
  return { business, letters }
}

/** Letters to print, one a page. @throws AppError as `getPaper` */
export const printPriceLetters = async (actor: Actor, id: string, again: boolean): Promise<Uint8Array> => {
  const { business, letters } = await withTenant(actor, (db) => getPaper(db, id, again))
  return drawLetters(business, letters)
}

/**
 * Notes that letters to these customers were printed, so that nobody prints them a second time. Whose price does not stand any more is left out.
 * @throws AppError not_found for a letter, or where none of the customers is left, state_conflict when it was taken back
 */
export const notePrinted = (actor: Actor, id: string, customerIds: readonly string[]): Promise<{ printed: number }> =>
  withTenant(actor, async (db) => {
    await standingLetter(db, id)
    const known = new Set(
      (await standingLines(db, [id]).select('j.customerId').distinct().execute()).map((row) => row.customerId),
    )
    const meant = [...new Set(customerIds)]
    const told = meant.filter((customerId) => known.has(customerId))
    if (told.length === 0) throw notFound('letter')
    await sql`update price_changes set printed_at = ${clock.iso()}, printed_by = ${userIdOf(actor)},
        printed_customer_ids = array(select distinct unnest(printed_customer_ids || ${told}::uuid[]))
      where business_id = ${db.businessId} and id = ${id}`.execute(db)
    await audit(db, actor, 'price.print', { type: 'price_change', id }, { after: { letters: told.length } })
    await publishChange(db, 'services', [])
    return { printed: told.length }
  })
