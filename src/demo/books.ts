import { sql } from 'kysely'
import { todayOf } from '../features/businesses/server/queries.ts'
import { checkMonth } from '../features/quickbooks/checks/server/commands.ts'
import { beginBooks, finishBooks } from '../features/quickbooks/connect/server/commands.ts'
import { findConnection } from '../features/quickbooks/connect/server/queries.ts'
import { sendWaiting } from '../features/quickbooks/queue/server/commands.ts'
import { listChoices, setUpBooks } from '../features/quickbooks/setup/server/commands.ts'
import { continueBackfill } from '../features/quickbooks/setup/server/gather.ts'
import { giveCode, realmNamed } from '../local/books/ledger.ts'
import { addThere } from '../local/books/play.ts'
import { openCompany } from '../local/books/store.ts'
import { type Actor, systemActor } from '../platform/actor.ts'
import { booksPeer } from '../platform/books/peer.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, addMonths } from '../shared/dates.ts'

const company = 'Demo books'

/** Somebody who was billed this month and not the one before: their name is taken in the books, and the month before is clean. */
const findTwin = (owner: Actor, thisMonth: string): Promise<string | null> =>
  withTenant(owner, async (db) => {
    const { rows } = await sql<{ name: string }>`
      select c.name from customers c where c.business_id = ${db.businessId}
        and exists (select from invoices i where i.business_id = c.business_id and i.customer_id = c.id and i.issue_on >= ${thisMonth}::date
          and i.status in ('issued', 'partially_paid', 'paid'))
      order by exists (select from invoices i where i.business_id = c.business_id and i.customer_id = c.id and i.issue_on < ${thisMonth}::date),
        c.name limit 1`.execute(db)
    return rows[0]?.name ?? null
  })

/** The last day of the month before on which somebody was billed: from there on the books have invoices, whatever today is. */
const lastBilledDay = (owner: Actor, thisMonth: string): Promise<string | null> =>
  withTenant(owner, async (db) => {
    const { rows } = await sql<{ day: string | null }>`
      select max(issue_on)::text as day from invoices where business_id = ${db.businessId}
        and issue_on >= ${addMonths(thisMonth, -1)}::date and issue_on < ${thisMonth}::date
        and status in ('issued', 'partially_paid', 'paid')`.execute(db)
    return rows[0]?.day ?? null
  })

const isGathering = (owner: Actor): Promise<boolean> =>
  withTenant(owner, async (db) => (await findConnection(db))?.backfill != null)

/** Sends what waits until only what waits for somebody is left. */
const sendAll = async (owner: Actor): Promise<void> => {
  const isDue = () =>
    withTenant(owner, async (db) => {
      const { rows } = await sql<{
        due: boolean
      }>`select exists (select from books_queue where business_id = ${db.businessId}
        and status = 'waiting' and run_after <= now()) as due`.execute(db)
      return rows[0]?.due ?? false
    })
  for (let run = 0; run < 30 && (await isDue()); run++) await sendWaiting(systemActor(owner.businessId))
}

/** This month goes by itself once the server runs; only whose name is taken is met before. */
const putOff = (owner: Actor, thisMonth: string, twin: string | null): Promise<unknown> =>
  withTenant(owner, (db) =>
    sql`update books_queue set run_after = now() + interval '1 minute' where business_id = ${db.businessId} and local_id in (
      select i.id from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
        where i.business_id = ${db.businessId} and i.issue_on >= ${thisMonth}::date and c.name <> ${twin ?? ''}
      union all select id from payments where business_id = ${db.businessId} and received_on >= ${thisMonth}::date
      union all select id from payouts where business_id = ${db.businessId} and booked_on >= ${thisMonth}::date
      union all select id from expenses where business_id = ${db.businessId} and day >= ${thisMonth}::date)`.execute(
      db,
    ),
  )

/** The demo's books: connected, a month that is the same on both sides to the cent, and one name that is taken. */
export const keepBooks = async (owner: Actor): Promise<void> => {
  if (booksPeer().peer?.provider !== 'local') return
  const realmId = realmNamed(`${company} ${owner.businessId}`)
  await openCompany(realmId, company)
  const { url } = await beginBooks(owner)
  const state = new URL(url, 'http://localhost').searchParams.get('state') ?? ''
  const { version } = await finishBooks(owner, { state, realmId, code: await giveCode(realmId), error: '' })
  const { accounts } = await listChoices(owner)
  const first = (role: keyof typeof accounts, name: RegExp) =>
    (accounts[role].find((one) => name.test(one.name)) ?? accounts[role][0])?.id ?? ''
  const today = await withTenant(owner, todayOf)
  const thisMonth = `${today.slice(0, 7)}-01`
  // Of the month before only its end: a demo is made while somebody waits for it.
  const startOn = (await lastBilledDay(owner, thisMonth)) ?? addDays(thisMonth, -3)
  const twin = await findTwin(owner, thisMonth)
  if (twin) await addThere(realmId, { DisplayName: twin })
  await setUpBooks(owner, {
    accounts: {
      income: first('income', /landscap/i),
      deposit: first('deposit', /undeposited/i),
      bank: first('bank', /checking/i),
      card: first('card', /credit card/i),
      cash: first('cash', /petty/i),
      cardIsDebit: false,
      expense: first('expense', /uncategorized/i),
      receivable: first('receivable', /receivable/i),
      tax: first('tax', /tax/i),
      tips: first('tips', /tip/i),
      discounts: first('discounts', /discount/i),
      categories: {},
    },
    taxMode: 'line',
    taxCode: null,
    startOn,
    version,
  })
  while (await isGathering(owner)) await continueBackfill(systemActor(owner.businessId))
  await putOff(owner, thisMonth, twin)
  await sendAll(owner)
  await checkMonth(owner, addMonths(thisMonth, -1).slice(0, 7))
}
