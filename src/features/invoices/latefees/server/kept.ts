import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { invoiceName } from '../../rules.ts'

/**
 * Tells the office of late fees that are still owed although their invoice is let go: somebody is paying one right now, or paid a part of it.
 * Nobody is reminded of them.
 * @param why what became of the late invoice, as "INV-7 was voided"
 */
export const tellOfKeptFeesTx = async (
  db: TenantDb,
  why: string,
  customerId: string,
  fees: readonly { id: string; number: number; openCents: number }[],
): Promise<void> => {
  for (const { id, number, openCents } of fees)
    await notifyOffice(db, {
      type: 'invoice',
      title: `The late fee ${invoiceName(number)} is still open`,
      content: `${why}, and ${formatCents(openCents)} of its late fee was being paid right then, or a part of it was paid before. Nobody is reminded of it. Waive it, or give a credit note, if they do not owe it any more.`,
      customerId,
      path: linkTo.invoice(id),
      dedupeKey: `late-fee-kept:${id}:${why}`,
    })
}
