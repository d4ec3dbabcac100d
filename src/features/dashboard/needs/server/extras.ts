import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listWaitingExtras } from '../../../extras/server/queries.ts'
import type { Need } from '../../contract.ts'

const mostShown = 20

const photos = (n: number): string => (n === 0 ? '' : n === 1 ? '1 photo. ' : `${n} photos. `)

/** What crews said that a visit costs more, until somebody of the office decides. */
export const waitingExtras = async (db: TenantDb, seesMoney: boolean): Promise<Need[]> =>
  (await listWaitingExtras(db, mostShown)).map(
    ({ id, visitId, jobId, title, priceCents, photoCount, note, by, street, isUndone }) => {
      const path = linkTo.job(jobId, { visitId })
      return {
        id: `extra:${id}`,
        kind: 'extra',
        badge: 'Extra',
        tone: 'wait',
        title: `${by ?? 'The crew'} at ${street}: ${title}`,
        detail: `${photos(photoCount)}${note ? `“${note}” ` : ''}${
          isUndone
            ? 'The visit was not done: make it a job of its own, or decline it'
            : priceCents === null
              ? 'Price it, or decline it'
              : 'Put it on the visit, or decline it'
        }`,
        amountCents: seesMoney ? priceCents : null,
        path,
        visitId,
        action: { kind: 'open', label: 'Decide', path },
      }
    },
  )
