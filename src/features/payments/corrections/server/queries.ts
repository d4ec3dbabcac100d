import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { creditNoteName } from '../../../invoices/corrections/rules.ts'
import { canPayment, sumCredit } from '../../../invoices/corrections/server/queries.ts'
import { receiptName } from '../../../invoices/papers/rules.ts'
import { usesCredit } from '../../credits/server/queries.ts'
import type { correctionsApi } from '../contract.ts'
import { listRests } from './rows.ts'

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
  const numbers = new Map(notes.map(({ paymentId, number }) => [paymentId, number]))
  return {
    customerName: customer.name,
    creditCents: await sumCredit(db, customerId),
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
        receipt: rest.receiptNumber === null ? null : receiptName(rest.receiptNumber),
        job: jobs.find(({ id }) => id === rest.jobId) ?? null,
        note: rest.note,
        can: canPayment(actor, rest),
      }
    }),
  }
}

export type BooksDifference = { customerId: string; cents: number }

/**
 * Customers whose balance is not what their open invoices and their unused money say, and by how much. It reads what is open now, not what
 * ever was.
 */
export const compareBooks = async (db: TenantDb): Promise<BooksDifference[]> => {
  const { rows } = await sql<BooksDifference>`
    select customer_id, sum(cents)::bigint as cents from (
      select customer_id, balance_cents as cents from customer_balances where business_id = ${db.businessId}
      union all select customer_id, paid_cents - total_cents from invoices
        where business_id = ${db.businessId} and status in ('issued', 'partially_paid')
      union all select customer_id, amount_cents - refunded_cents - allocated_cents from payments
        where business_id = ${db.businessId} and status = 'succeeded' and allocated_cents + refunded_cents < amount_cents
    ) x group by customer_id having sum(cents) <> 0 order by customer_id limit 100`.execute(db)
  return rows
}
