import type { SystemActor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { subscriber } from '../../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEach, forEachOpenBusiness } from '../../../../platform/tasks/walk.ts'
import { mailCreditNote, mailReceipt } from '../../../invoices/papers/server/commands.ts'
import { spendAheadTx, spendCreditTx } from './commands.ts'
import { listWaitingPayers, usesCredit } from './queries.ts'

/** Credit that is new pays what is open, where the business wants it so; a deposit is thanked for with its receipt. */
export const onCreditAdded = subscriber({
  name: 'payments.onCreditAdded',
  on: 'credit.added',
  run: async (actor, { customerId, paymentId, deposit }) => {
    await withTenant(actor, async (db) => {
      if (await usesCredit(db)) await spendCreditTx(db, customerId)
    })
    if (deposit) await mailReceipt(actor, paymentId)
  },
})

/** What a voided invoice gave back pays what is open of the same work; its own work takes it when it is invoiced anew. */
export const onWorkVoided = subscriber({
  name: 'payments.onWorkVoided',
  on: 'invoice.voided',
  run: (actor, { invoiceId }) =>
    withTenant(actor, async (db) => {
      const invoice = await db
        .selectFrom('invoices')
        .select('customerId')
        .where('businessId', '=', db.businessId)
        .where('id', '=', invoiceId)
        .executeTakeFirst()
      if (invoice) await spendAheadTx(db, invoice.customerId)
    }),
})

/** So many customers are asked for at once. */
const pageSize = 200

/**
 * Puts what was paid ahead on the open invoices of its work, wherever it waits beside them: they were open before deposits were put on what is open,
 * or a bank held them when it came. Again puts nothing more.
 */
export const spendWaiting = async (actor: SystemActor): Promise<void> => {
  const page = (after: string | null) => withTenant(actor, (db) => listWaitingPayers(db, after, pageSize))
  for (let rows = await page(null); rows.length > 0; rows = await page(rows.at(-1)?.id ?? null))
    await forEach(
      'the look after waiting deposits',
      rows,
      ({ id }) => ({ businessId: actor.businessId, customerId: id }),
      ({ id }) => withTenant(actor, (db) => spendAheadTx(db, id)),
    )
}

/** Every day, when people are up: who hears that their deposit paid an invoice hears it by day. */
export const spendAllWaiting: GlobalTask = {
  name: 'payments.spendWaiting',
  run: () => forEachOpenBusiness('the look after waiting deposits', spendWaiting),
}
export const spendWaitingSchedule: Schedule = { task: spendAllWaiting.name, match: '50 15 * * *', onlyLatest: true }

/** A credit note by hand: its customer has it, once. */
export const onCreditNoted = subscriber({
  name: 'payments.onCreditNoted',
  on: 'credit.noted',
  run: (actor, { paymentId }) => mailCreditNote(actor, paymentId),
})
