import { sql } from 'kysely'
import { payWithTip, syncCheckout } from '../features/payments/checkout/server/commands.ts'
import { findAccountRow } from '../features/payments/connect/server/queries.ts'
import { syncPayout } from '../features/payments/payouts/server/sync.ts'
import { completeLocalPayment } from '../local/payments/checkout.ts'
import { setLocalPost } from '../local/payments/events.ts'
import { arriveLocalPayout, failLocalPayout, payOutLocally } from '../local/payments/payouts.ts'
import type { Actor } from '../platform/actor.ts'
import { clock, resetClock, setClock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { accountProvider } from '../platform/payments/providers.ts'
import { addDays } from '../shared/dates.ts'

/** How many days ago customers paid by card; a day later it was paid out. */
const paidAgo = [9, 5]
const invoicesEach = 2

const noonAgo = (days: number): void => {
  const at = `${addDays(clock.iso().slice(0, 10), -days)}T17:00:00.000Z`
  setClock(() => new Date(at))
}

/** Money of the account goes to the bank, and is there, on its way or sent back. Nobody is there yet to hear the provider's events. */
const send = async (accountId: string, ends: 'arrives' | 'on its way' | 'sent back'): Promise<void> => {
  const id = await payOutLocally(accountId)
  if (id && ends === 'arrives') await arriveLocalPayout(accountId, id)
  if (id && ends === 'sent back') await failLocalPayout(accountId, id)
  if (id) await syncPayout(id, accountId)
}

/** Pays an invoice by card; nobody is there yet to hear the provider's events. */
export const payByCard = async (owner: Actor, invoiceId: string, accountId: string, tipCents = 0): Promise<void> => {
  const wanted = { tipCents, withFees: false, mandate: null, ip: '' }
  const page = (await payWithTip(owner.businessId, invoiceId, '', wanted)).url.split('/').at(-1) ?? ''
  await completeLocalPayment(page)
  await syncCheckout(page, accountId)
}

/** A payout that the bank sent back, and the next one with its money, which arrived; `today` sends what was paid since on its way. Each is made of payments and fees. */
export const payOut = async (owner: Actor, when: 'before' | 'today'): Promise<void> => {
  if (accountProvider().provider?.name !== 'local') return
  const account = await withTenant(owner, findAccountRow)
  if (!account) return
  const restore = setLocalPost(async () => 200)
  try {
    if (when === 'today') return await send(account.accountId, 'on its way')
    const { rows } = await withTenant(owner, (db) =>
      sql<{ id: string }>`
        select i.id from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
        where i.business_id = ${db.businessId} and i.status = 'issued' and c.email is not null and not i.disputed
          and i.reminders_stopped is null and i.issue_on <= ${clock.iso()}::date - ${Math.max(...paidAgo)}::int
          and not exists (select from late_fees f where f.business_id = i.business_id and f.invoice_id = i.id)
        order by i.issue_on desc, i.number desc limit ${paidAgo.length * invoicesEach}`.execute(db),
    )
    for (const [at, ago] of paidAgo.entries()) {
      noonAgo(ago)
      for (const { id } of rows.slice(at * invoicesEach, (at + 1) * invoicesEach))
        await payByCard(owner, id, account.accountId)
      resetClock()
      noonAgo(ago - 1)
      await send(account.accountId, at === 0 ? 'sent back' : 'arrives')
      resetClock()
    }
  } finally {
    resetClock()
    restore()
  }
}
