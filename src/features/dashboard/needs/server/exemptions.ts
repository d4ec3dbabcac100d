import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, daysBetween, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listEndingExemptions } from '../../../invoices/exemptions/server/queries.ts'
import type { Need } from '../../contract.ts'

/** Certificates of tax exemption that end soon or ended lately: after that their customers are charged tax. */
export const endingExemptions = async (db: TenantDb, today: Day): Promise<Need[]> =>
  (await listEndingExemptions(db, today)).map(({ id, customerId, certificate, validUntil, name }) => {
    const until = validUntil ?? today
    const left = daysBetween(today, until)
    const path = linkTo.invoices({ customerId, exemption: true })
    return {
      id: `exemption:${id}`,
      kind: 'exemption',
      badge: 'Tax exemption',
      tone: left < 0 ? 'late' : 'wait',
      title: `${name}: tax exemption ${certificate} ${left < 0 ? 'has expired' : 'expires'}`,
      detail:
        left < 0
          ? `${formatDay(until)}: sales tax is charged again`
          : left === 0
            ? 'today is its last day'
            : `${formatDay(until)}, in ${left === 1 ? '1 day' : `${left} days`}`,
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Ask for a new one', path },
    }
  })
