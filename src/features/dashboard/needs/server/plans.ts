import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listPlansToSettle } from '../../../billingplans/server/queries.ts'
import type { Need } from '../../contract.ts'

/** Billing plans whose season is over and not settled or whose settlement was voided, and those of which a month could not be billed. */
export const plansThatWait = async (db: TenantDb, today: Day): Promise<Need[]> =>
  (await listPlansToSettle(db)).map(({ id, name, endsOn, heldSince, unsettledOn, customer }) => {
    const path = linkTo.billingPlan(id)
    const isOver = endsOn < today || unsettledOn !== null
    return {
      id: `plan:${id}`,
      kind: 'plan',
      badge: 'Billing plan',
      tone: 'wait',
      title: unsettledOn
        ? `${customer}: the settlement of ${name} was voided`
        : isOver
          ? `${customer}: ${name} is over`
          : `${customer}: a month of ${name} is held`,
      detail: isOver
        ? `since ${formatDay(unsettledOn ?? endsOn)}, to be settled`
        : `since ${formatDay(heldSince ?? today)}`,
      amountCents: null,
      path,
      action: { kind: 'open', label: isOver ? 'Settle' : 'Look', path },
    }
  })
