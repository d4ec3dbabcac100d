import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { monthLabel } from '../../../invoices/closing/rules.ts'
import { listMonthsToLookAt } from '../../../quickbooks/checks/server/queries.ts'
import type { Need } from '../../contract.ts'

/** Months that QuickBooks did not answer for, or that are not the same there. */
export const monthsThatDiffer = async (db: TenantDb): Promise<Need[]> =>
  (await listMonthsToLookAt(db)).map(({ month, problem, count }) => {
    const path = linkTo.booksMonths()
    return {
      id: `books:${month}`,
      kind: 'books',
      badge: 'QuickBooks',
      tone: 'wait',
      title: problem
        ? `${monthLabel(month)} could not be checked`
        : `${monthLabel(month)}: ${count === 1 ? '1 record differs' : `${count} records differ`}`,
      detail: problem ?? 'in QuickBooks, when it was last checked',
      amountCents: null,
      path,
      action: { kind: 'open', label: problem ? 'Check again' : 'Look', path },
    }
  })
