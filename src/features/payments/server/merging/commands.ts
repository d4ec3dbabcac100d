import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/** Payments, credit notes, cards on file and links for cards of a customer become another's; that both have a card is refused before. */
export const moveCustomerPaymentsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  for (const table of ['payments', 'creditNotes', 'paymentMethods', 'cardRequests'] as const)
    await db
      .updateTable(table)
      .set({ customerId: toId })
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', fromId)
      .execute()
  await publishChange(db, 'payments')
}
