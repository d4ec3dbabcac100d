import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { countUnpriced } from '../../../invoices/automatic/server/queries.ts'
import type { Need } from '../../contract.ts'

/** Finished work that the automatic invoices left out, because nobody knows what it costs. */
export const unbilledWork = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const { count, lastOn } = await countUnpriced(db, today)
  if (count === 0 || lastOn === null) return []
  const path = linkTo.newInvoices()
  return [
    {
      id: `unbilled:${lastOn}`,
      kind: 'unbilled',
      badge: 'Not invoiced',
      tone: 'wait',
      title: count === 1 ? '1 finished visit has no price' : `${count} finished visits have no price`,
      detail: `left out of the automatic invoices of ${formatDay(lastOn)}`,
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Set prices', path },
    },
  ]
}
