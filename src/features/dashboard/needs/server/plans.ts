import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listPlansToSettle } from '../../../billingplans/server/queries.ts'
import type { Need } from '../../contract.ts'

/** Billing plans whose season is over and not settled, and those of which a month could not be billed. */
export const plansThatWait = async (db: TenantDb, today: Day): Promise<Need[]> =>
  (await listPlansToSettle(db)).map(({ id, name, endsOn, heldSince, customer }) => {
    const path = linkTo.billingPlan(id)
    const isOver = endsOn < today
    return {
      id: `plan:${id}`,
      kind: 'plan',
      badge: 'Billing plan',
      tone: 'wait',
      title: isOver ? `${customer}: ${name} is over` : `${customer}: a month of ${name} is held`,
      detail: isOver ? `since ${formatDay(endsOn)}, to be settled` : `since ${formatDay(heldSince ?? today)}`,
      amountCents: null,
      path,
      action: { kind: 'open', label: isOver ? 'Settle' : 'Look', path },
    }
  })
