import type { SystemActor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import type { InvoiceMark } from '../../../../platform/payments/provider.ts'
import { syncCharge } from '../../cards/server/settling.ts'
import { syncCheckout } from './commands.ts'

/**
 * Books a payment whose own event is still on the way: a dispute, or a refund that was made in the provider's dashboard, may overtake it.
 * @param mark what the payment was for, by the provider's word
 */
export const bookFirst = async (
  actor: SystemActor,
  { mark, paymentId }: { mark: InvoiceMark; paymentId: string },
  account: string,
): Promise<void> => {
  const attempt = await withTenant(actor, (db) =>
    db
      .selectFrom('checkoutSessions')
      .select(['kind', 'providerSessionId'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', mark.checkoutSessionId)
      .executeTakeFirst(),
  )
  if (attempt?.kind === 'page' && attempt.providerSessionId) await syncCheckout(attempt.providerSessionId, account)
  else await syncCharge(paymentId, account)
}
