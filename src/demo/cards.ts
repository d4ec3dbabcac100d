import { sql } from 'kysely'
import type { Language } from '../features/businesses/notices/rules.ts'
import { invoiceName } from '../features/invoices/rules.ts'
import { lockInvoiceTx } from '../features/invoices/server/commands.ts'
import { declineMessage } from '../features/payments/cards/rules.ts'
import { planCharge } from '../features/payments/cards/server/charges.ts'
import { setAutopayTx } from '../features/payments/cards/server/commands.ts'
import { findMethod, mandateOf } from '../features/payments/cards/server/queries.ts'
import { payInvoice, syncCheckout } from '../features/payments/checkout/server/commands.ts'
import { connect, syncAccount } from '../features/payments/connect/server/commands.ts'
import { findAccountRow } from '../features/payments/connect/server/queries.ts'
import { replayLocalAccount } from '../local/payments/accounts.ts'
import { keepLocalMethod } from '../local/payments/cards.ts'
import { completeLocalPayment } from '../local/payments/checkout.ts'
import { type Actor, systemActor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { accountProvider } from '../platform/payments/providers.ts'
import { forgetEvents } from './money.ts'

/** The demo takes cards, into an account of its own on the local test provider. */
export const takeCards = async (owner: Actor): Promise<void> => {
  if (accountProvider().provider?.name !== 'local') return
  await connect(owner)
  const account = await withTenant(owner, findAccountRow)
  if (!account) return
  await replayLocalAccount(account.accountId, 'ready')
  await syncAccount(owner, account.accountId)
  // that it is ready is no news of today
  await withTenant(owner, forgetEvents)
}

/** Some customers left a card: one whose invoices are paid by themselves, and one whose card was declined until autopay stopped. */
export const leaveCards = async (owner: Actor): Promise<void> => {
  if (accountProvider().provider?.name !== 'local') return
  const { rows: customers } = await withTenant(owner, (db) =>
    sql<{ customerId: string; language: Language; ids: string[] }>`
      select i.customer_id, c.language, array_agg(i.id::text order by i.number) as ids
      from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
      where i.business_id = ${db.businessId} and i.status = 'issued' and c.email is not null
      group by i.customer_id, c.language having count(*) = 2 order by max(i.number) desc limit 2`.execute(db),
  )
  for (const [at, { ids, customerId, language }] of customers.entries()) {
    const [first = '', second = ''] = ids
    const number = at === 0 ? '4242424242424242' : '4000000000000341'
    const { text: mandate } = await withTenant(owner, (db) => mandateOf(db, language))
    const { url } = await payInvoice(owner.businessId, first, '', { mandate, ip: '192.0.2.7' })
    const sessionId = url.split('/').at(-1) ?? ''
    const account = await withTenant(owner, findAccountRow)
    if (!account) return
    await keepLocalMethod(sessionId, account.accountId, number)
    await completeLocalPayment(sessionId)
    await syncCheckout(sessionId, account.accountId)
    if (at === 0) await planCharge(systemActor(owner.businessId), second)
    else
      await withTenant(owner, async (db) => {
        const method = await findMethod(db, customerId)
        const { number: invoice } = await lockInvoiceTx(db, second)
        const reason = `${invoiceName(invoice)} could not be charged. ${declineMessage('insufficient_funds')}`
        if (method) await setAutopayTx(db, method, false, reason)
      })
  }
}
