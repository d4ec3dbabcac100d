import { withTenant } from '../../../../platform/db/tenant.ts'
import { subscriber } from '../../../../platform/events/events.ts'
import { mailCreditNote, mailReceipt } from '../../../invoices/papers/server/commands.ts'
import { spendAheadTx, spendCreditTx } from './commands.ts'
import { usesCredit } from './queries.ts'

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

/** A credit note by hand: its customer has it, once. */
export const onCreditNoted = subscriber({
  name: 'payments.onCreditNoted',
  on: 'credit.noted',
  run: (actor, { paymentId }) => mailCreditNote(actor, paymentId),
})
