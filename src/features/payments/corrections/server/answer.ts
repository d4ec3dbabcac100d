import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { invalid } from '../../../../shared/errors.ts'
import { creditNoteName, tooMuch } from '../../../invoices/corrections/rules.ts'
import { sumCredit } from '../../../invoices/corrections/server/queries.ts'
import { isOpen } from '../../../invoices/rules.ts'
import type { LockedInvoice } from '../../../invoices/server/commands.ts'
import type { Corrected } from '../contract.ts'

/** What is open on an invoice, in cents. */
export const balanceOf = ({ status, totalCents, paidCents }: LockedInvoice): number =>
  isOpen(status) ? totalCents - paidCents : 0

const noteOf = async (db: TenantDb, paymentId: string): Promise<string> => {
  const { number } = await db
    .selectFrom('creditNotes')
    .select('number')
    .where('businessId', '=', db.businessId)
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow()
  return creditNoteName(number)
}

/** What was done, and what it left open, for the screen that asked. */
export const answer = async (
  db: TenantDb,
  customerId: string,
  amountCents: number,
  paymentId: string | null,
  invoices: readonly LockedInvoice[],
  /** The payment is a note that was just made. */
  isNote = false,
): Promise<Corrected> => {
  if (invoices.length > 0)
    await publishChange(
      db,
      'invoices',
      invoices.map(({ id }) => id),
    )
  if (paymentId) await publishChange(db, 'payments', [paymentId])
  await publishChange(db, 'customers', [customerId])
  return {
    paymentId,
    amountCents,
    creditNote: isNote && paymentId ? await noteOf(db, paymentId) : null,
    creditCents: await sumCredit(db, customerId),
    invoices: invoices.map((invoice) => ({
      id: invoice.id,
      number: invoice.number,
      status: invoice.status,
      balanceCents: balanceOf(invoice),
    })),
  }
}

/** @throws invalid where the amount is more than there is, with what that is */
export const atMost = (amountCents: number, mostCents: number, of: string): void => {
  if (amountCents > mostCents) throw invalid([{ path: 'amountCents', message: tooMuch(mostCents, of) }])
}
