import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listLowReviews } from '../../../reviews/server/queries.ts'
import type { Need } from '../../contract.ts'

const mostShown = 20

/** Customers who gave few stars, until somebody took care of it. */
export const lowReviews = async (db: TenantDb): Promise<Need[]> =>
  (await listLowReviews(db, mostShown)).map(({ id, name, stars, words, published }) => {
    const path = linkTo.review(id)
    return {
      id: `review:${id}`,
      kind: 'review',
      badge: stars === 1 ? '1 star' : `${stars} stars`,
      tone: 'late',
      title: words ? `“${words.slice(0, 90)}”` : `${name} gave ${stars === 1 ? '1 star' : `${stars} stars`}`,
      detail: `${name} · ${published ? 'on your page' : 'only for you'}`,
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Look', path },
    }
  })
