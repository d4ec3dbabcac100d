import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf, daysBetween, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { listRestingFees } from '../../../invoices/latefees/server/queries.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { listEndedAutopay } from '../../../payments/cards/server/queries.ts'
import { listStrandedDeposits } from '../../../payments/credits/server/queries.ts'
import { listUnanswered } from '../../../payments/disputes/server/queries.ts'
import type { Need } from '../../contract.ts'

/** Payments that a bank questions and nobody has answered yet, with the day until which it listens. */
export const unansweredDisputes = async (db: TenantDb): Promise<Need[]> => {
  const disputes = await listUnanswered(db)
  if (disputes.length === 0) return []
  const zone = await timeZoneOf(db)
  const today = dayOf(clock.now(), zone)
  return disputes
    .filter(({ dueAt }) => dueAt === null || Date.parse(dueAt) > clock.nowMs())
    .map(({ id, kind, customer, dueAt, amountCents }) => {
      const path = linkTo.dispute(id)
      const due = dueAt ? dayOf(dueAt, zone) : null
      const left = due ? daysBetween(today, due) : null
      return {
        id: `dispute:${id}`,
        kind: 'dispute',
        badge: kind === 'inquiry' ? 'Inquiry' : 'Dispute',
        tone: 'late',
        title: kind === 'inquiry' ? `The bank of ${customer.name} asks` : `${customer.name} disputes a payment`,
        detail: due
          ? `Evidence is due ${formatDay(due)}${left === 0 ? ', today' : left === 1 ? ', tomorrow' : ''}`
          : 'Evidence is asked for',
        amountCents,
        path,
        action: { kind: 'open', label: 'Answer', path },
      }
    })
}

/** Money that came for an invoice after it was voided; it lies on no invoice. */
export const strayPayments = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const rows = await db
    .selectFrom('payments')
    .innerJoin('checkoutSessions', (join) =>
      join
        .onRef('checkoutSessions.businessId', '=', 'payments.businessId')
        .onRef('checkoutSessions.id', '=', 'payments.checkoutSessionId'),
    )
    .innerJoin('invoices', (join) =>
      join
        .onRef('invoices.businessId', '=', 'checkoutSessions.businessId')
        .onRef('invoices.id', '=', 'checkoutSessions.invoiceId'),
    )
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'payments.businessId').onRef('customers.id', '=', 'payments.customerId'),
    )
    .where('payments.businessId', '=', db.businessId)
    .where('payments.receivedOn', '>=', addDays(today, -14))
    .where('invoices.status', '=', 'void')
    .select(['payments.id', 'payments.amountCents', 'invoices.number', 'customers.id as customerId', 'customers.name'])
    .orderBy('payments.receivedOn', 'desc')
    .limit(20)
    .execute()
  return rows.map((row) => {
    const path = linkTo.customer(row.customerId)
    return {
      id: `payment:${row.id}`,
      kind: 'payment',
      badge: 'Payment',
      tone: 'late',
      title: `${row.name} paid an invoice that was voided`,
      detail: `${invoiceName(row.number)}: the money is on no invoice`,
      amountCents: row.amountCents,
      path,
      action: { kind: 'open', label: 'Open customer', path },
    }
  })
}

/** What is left of a deposit whose work brings no invoice any more: somebody says where it goes. */
export const strandedDeposits = async (db: TenantDb): Promise<Need[]> =>
  (await listStrandedDeposits(db)).map((row) => {
    const path = linkTo.customer(row.customerId)
    return {
      id: `deposit:${row.id}`,
      kind: 'payment',
      badge: 'Deposit',
      tone: 'wait',
      title: `A deposit of ${row.name} is left over`,
      detail: `${row.quoteNumber === null ? `Job #${row.jobNumber}` : `The work of Q-${row.quoteNumber}`} ${row.canceled ? 'was canceled' : 'is done and billed'}: put it on another invoice, or give it back`,
      amountCents: row.restCents,
      path,
      action: { kind: 'open', label: 'Open customer', path },
    }
  })

/** Late fees that rest because their customers wrote or paid a part: the office charges them or lets them go. */
export const restingFees = async (db: TenantDb): Promise<Need[]> =>
  (await listRestingFees(db, 20)).map(({ id, number, customerName, why, cents }) => {
    const path = linkTo.invoice(id)
    return {
      id: `lateFee:${id}`,
      kind: 'lateFee',
      badge: 'Late fee',
      tone: 'wait',
      title: `${invoiceName(number)} ${customerName}: charge the late fee?`,
      detail: why,
      amountCents: cents,
      path,
      action: { kind: 'open', label: 'Decide', path },
    }
  })

/** Autopay that stopped by itself: somebody has to talk to the customer. */
export const endedAutopay = async (db: TenantDb): Promise<Need[]> =>
  (await listEndedAutopay(db)).map((row) => {
    const path = linkTo.invoices({ customerId: row.customerId })
    return {
      id: `autopay:${row.id}`,
      kind: 'payment',
      badge: 'Autopay',
      tone: 'late',
      title: `Autopay of ${row.name} is off`,
      detail: row.reason ?? '',
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Look', path },
    }
  })
