import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { creditNoteName } from '../../../invoices/corrections/rules.ts'
import { canPayment, listHandedRefunds, paysSql, sumCredit } from '../../../invoices/corrections/server/queries.ts'
import { receiptName } from '../../../invoices/papers/rules.ts'
import { usesCredit } from '../../credits/server/queries.ts'
import type { correctionsApi } from '../contract.ts'
import { isFree, listRests } from './rows.ts'

const mostShown = 50

/** What of a customer's money lies on no invoice, oldest first; at most 50 parts are listed, the sum is of all. @throws not_found */
export const listCredits = async (
  db: TenantDb,
  actor: Actor,
  customerId: string,
): Promise<z.output<(typeof correctionsApi)['listCredits']['response']>> => {
  const customer = await getContact(db, customerId)
  const rests = await listRests(db, customerId).limit(mostShown).execute()
  const jobIds = rests.flatMap(({ jobId }) => jobId ?? [])
  const jobs =
    jobIds.length === 0
      ? []
      : await db
          .selectFrom('jobs')
          .select(['id', 'number', 'title'])
          .where('businessId', '=', db.businessId)
          .where('id', 'in', jobIds)
          .execute()
  const quoteIds = rests.flatMap((rest) => (isFree(rest) || !rest.quoteId ? [] : rest.quoteId))
  const quotes =
    quoteIds.length === 0
      ? []
      : await db
          .selectFrom('quotes')
          .select(['id', 'number', 'title'])
          .where('businessId', '=', db.businessId)
          .where('id', 'in', quoteIds)
          .execute()
  const notes =
    rests.length === 0
      ? []
      : await db
          .selectFrom('creditNotes')
          .select(['paymentId', 'number'])
          .where('businessId', '=', db.businessId)
          .where(
            'paymentId',
            'in',
            rests.map(({ id }) => id),
          )
          .execute()
  const pays =
    rests.length === 0
      ? []
      : await db
          .selectFrom('payments')
          .select(['id', paysSql('payments').as('numbers')])
          .where('businessId', '=', db.businessId)
          .where(
            'id',
            'in',
            rests.map(({ id }) => id),
          )
          .execute()
  const numbers = new Map(notes.map(({ paymentId, number }) => [paymentId, number]))
  return {
    customerName: customer.name,
    creditCents: await sumCredit(db, customerId),
    handedRefunds: await listHandedRefunds(db, actor, { customerId, from: addDays(await todayOf(db), -365) }),
    useCredit: await usesCredit(db),
    items: rests.map((rest) => {
      const number = numbers.get(rest.id)
      return {
        paymentId: rest.id,
        method: rest.method,
        provider: rest.provider,
        receivedOn: rest.receivedOn,
        amountCents: rest.amountCents,
        refundedCents: rest.refundedCents,
        restCents: rest.restCents,
        tipCents: rest.tipCents,
        creditNote: number === undefined ? null : creditNoteName(number),
        pays: pays.find(({ id }) => id === rest.id)?.numbers ?? [],
        receipt: rest.receiptNumber === null ? null : receiptName(rest.receiptNumber),
        job: jobs.find(({ id }) => id === rest.jobId) ?? null,
        quote: quotes.find(({ id }) => id === rest.quoteId) ?? null,
        note: rest.note,
        can: canPayment(actor, rest),
      }
    }),
  }
}

/** What does not fit: a balance and its open invoices, the sum of its entries, or a row and the parts it is made of. */
type BooksCheck = 'balance' | 'ledger' | 'invoice' | 'payment' | 'refund' | 'credit_note'
export type BooksDifference = { customerId: string; what: BooksCheck; cents: number }

/** So many days back money counts as moved: by when it was written, because a check is dated the day it came. */
const movedDays = 3
/** Within so many nights everybody is looked at in full, a part of them each night. */
const nightsForAll = 7
const mostDifferences = 100

/**
 * Customers whose balance is not what their open invoices and their unused money say, and by how much. It reads what is open now, not what
 * ever was. Of those whose money moved in the last days, and of a seventh of all others a night, it adds up every entry and every part, too: a
 * lost row and a doubled one are told, within a week whosever they are.
 */
export const compareBooks = async (db: TenantDb): Promise<BooksDifference[]> => {
  const night = Math.floor(clock.nowMs() / 86_400_000) % nightsForAll
  const since = new Date(clock.nowMs() - movedDays * 86_400_000).toISOString()
  const { rows } = await sql<BooksDifference>`
    with balances as (
      select customer_id, sum(cents)::bigint as cents from (
        select customer_id, balance_cents as cents from customer_balances where business_id = ${db.businessId}
        union all select customer_id, paid_cents - total_cents from invoices
          where business_id = ${db.businessId} and status in ('issued', 'partially_paid')
        union all select customer_id, amount_cents - refunded_cents - allocated_cents from payments
          where business_id = ${db.businessId} and status = 'succeeded' and allocated_cents + refunded_cents < amount_cents
      ) x group by customer_id having sum(cents) <> 0
    ), moved as (
      select customer_id from ledger_entries where business_id = ${db.businessId} and created_at >= ${since}::timestamptz
      union select i.customer_id from payment_allocations a join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
        where a.business_id = ${db.businessId} and a.created_at >= ${since}::timestamptz
      -- the end of an id is random: each customer has a night of the week that stays theirs
      union select id from customers
        where business_id = ${db.businessId} and ('x' || right(id::text, 7))::bit(28)::int % ${nightsForAll}::int = ${night}::int
    ), parts as (
      select m.customer_id, 'ledger' as what, coalesce(b.balance_cents, 0) - (
          select coalesce(sum(e.amount_cents), 0) from ledger_entries e where e.business_id = ${db.businessId} and e.customer_id = m.customer_id
        ) as cents
      from moved m left join customer_balances b on b.business_id = ${db.businessId} and b.customer_id = m.customer_id
      union all
      select m.customer_id, 'invoice', i.paid_cents - (
          select coalesce(sum(a.amount_cents), 0) from payment_allocations a where a.business_id = i.business_id and a.invoice_id = i.id)
      from moved m join invoices i on i.business_id = ${db.businessId} and i.customer_id = m.customer_id
      union all
      select m.customer_id, 'payment', p.allocated_cents - p.tip_cents - (
          select coalesce(sum(a.amount_cents), 0) from payment_allocations a where a.business_id = p.business_id and a.payment_id = p.id)
      from moved m join payments p on p.business_id = ${db.businessId} and p.customer_id = m.customer_id
      union all
      select m.customer_id, 'refund', p.refunded_cents - (
          select coalesce(sum(r.amount_cents), 0) from refunds r
          where r.business_id = p.business_id and r.payment_id = p.id and r.status <> 'failed')
      from moved m join payments p on p.business_id = ${db.businessId} and p.customer_id = m.customer_id
      where p.status = 'succeeded'
        and not exists (select 1 from disputes d where d.business_id = p.business_id and d.payment_id = p.id)
      union all
      select m.customer_id, 'credit_note', n.total_cents - (
          select sum(c.total_cents) from credit_note_parts c where c.business_id = n.business_id and c.credit_note_id = n.id)
      from moved m join credit_notes n on n.business_id = ${db.businessId} and n.customer_id = m.customer_id
    )
    select customer_id, 'balance' as what, cents from balances
    union all (select customer_id, what, sum(abs(cents))::bigint as cents from parts where cents <> 0 group by customer_id, what)
    order by customer_id, what limit ${mostDifferences}`.execute(db)
  return rows
}
