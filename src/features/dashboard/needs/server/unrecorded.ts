import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listUnrecorded } from '../../../chemicals/unrecorded/server/queries.ts'
import type { Need } from '../../contract.ts'

/** Applications that are on no record: what a phone sent and could not be taken, and stops that were finished without one. */
export const unrecordedApplications = async (db: TenantDb): Promise<Need[]> =>
  (await listUnrecorded(db)).slice(0, 20).map(({ id, visitId, jobId, kind, by, street, reason }) => {
    const path = jobId && visitId ? linkTo.job(jobId, { visitId }) : linkTo.chemicals('records')
    const [who, where] = [by ?? 'Somebody', street ?? 'a visit that is gone']
    return {
      id: `record:${id}`,
      kind: 'record',
      badge: 'Record',
      tone: 'late',
      title:
        kind === 'refused'
          ? `${who} recorded an application at ${where}, and it could not be taken`
          : `${who} finished ${where} without its record: “${reason}”`,
      detail:
        kind === 'refused'
          ? `${reason} Everything typed is kept.`
          : 'Record what was applied, or say that nothing is to be recorded',
      amountCents: null,
      path,
      ...(visitId ? { visitId } : {}),
      action: { kind: 'open', label: 'Put right', path },
    }
  })
