import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { findCharge, findCheckout } from '../../../../platform/payments/providers.ts'
import { forEach } from '../../../../platform/tasks/walk.ts'
import { lockInvoicesTx } from '../../../invoices/server/commands.ts'
import { syncCharge } from '../../cards/server/settling.ts'
import { type Attempt, listPage } from '../../checkout/server/attempts.ts'
import { syncCheckout } from '../../checkout/server/commands.ts'
import { failDebitTx, tellOfDebitTx } from './commands.ts'

/** A bank is asked after so seldom: it has days. */
const quietHours = 6
/** What nobody knows any more after so many days is let go: an account that was taken away from us is not looked into. */
const mostDays = 14

const sweepOne = async (actor: SystemActor, debit: Attempt): Promise<void> => {
  const { id, kind, providerSessionId, accountId, processingAt } = debit
  const known =
    providerSessionId === null
      ? null
      : kind === 'page'
        ? await findCheckout(providerSessionId, accountId)
        : await findCharge(providerSessionId, accountId ?? '')
  if (known && providerSessionId) {
    if (kind === 'page') await syncCheckout(providerSessionId, accountId)
    else await syncCharge(providerSessionId, accountId ?? '')
  }
  const isOld = Date.parse(processingAt ?? debit.createdAt) < clock.nowMs() - mostDays * 86_400_000
  await withTenant(actor, async (db) => {
    const page = await listPage(db, id)
    await lockInvoicesTx(
      db,
      page.map(({ invoiceId }) => invoiceId),
    )
    if (known === null && isOld) {
      const problem = 'unanswered'
      if (await failDebitTx(db, page, problem)) await tellOfDebitTx(db, page, { kind: 'failed', problem })
    } else
      await db
        .updateTable('checkoutSessions')
        .set({ updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .where('status', '=', 'processing')
        .execute()
  })
}

/**
 * Asks the provider after every bank payment of a business that is on its way: a webhook that got lost would leave it so for ever.
 * @throws Error when one could not be looked at: the next hour looks again
 */
export const sweepDebits = async (actor: SystemActor): Promise<void> =>
  forEach(
    'the look after bank payments',
    await withTenant(actor, (db) =>
      db
        .selectFrom('checkoutSessions')
        .selectAll()
        .where('businessId', '=', db.businessId)
        .where('status', '=', 'processing')
        .where('leadId', 'is', null)
        .where('updatedAt', '<', new Date(clock.nowMs() - quietHours * 3_600_000).toISOString())
        .orderBy('updatedAt')
        .limit(500)
        .execute(),
    ),
    ({ id }) => ({ attempt: id }),
    (debit) => sweepOne(actor, debit),
  )
