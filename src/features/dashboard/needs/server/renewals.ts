import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listRenewalGroups } from '../../../jobs/programs/server/renewals/queries.ts'
import type { Need } from '../../contract.ts'

/** So long before a program renews the office hears of it, while each job can still be stopped. */
const toldAheadDays = 14

/** Programs that renew soon, and those whose jobs could not. */
export const listRenewalNeeds = async (db: TenantDb): Promise<Need[]> =>
  (await listRenewalGroups(db, toldAheadDays)).map(
    ({ programId, programName, season, year, renewsOn, count, isLate }) => {
      const path = linkTo.jobs({ programId, season, renewal: isLate ? 'missing' : undefined })
      const jobs = count === 1 ? '1 job' : `${count} jobs`
      return {
        id: `renewal:${programId}:${season}`,
        kind: 'renewal',
        badge: isLate ? 'Not renewed' : 'Renews',
        tone: isLate ? 'late' : 'neutral',
        title: isLate
          ? `${programName}: ${jobs} did not renew for ${year}`
          : `${programName}: ${jobs} ${count === 1 ? 'renews' : 'renew'} for ${year}`,
        detail: isLate ? 'Open one to see what is missing.' : `on ${formatDay(renewsOn)}; stop it on the job`,
        amountCents: null,
        path,
        action: { kind: 'open', label: 'Look', path },
      }
    },
  )
