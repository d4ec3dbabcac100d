import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { cutAtWord } from '../../../../shared/plain-text.ts'
import { listChangedHidden, listLowReviews } from '../../../reviews/server/queries.ts'
import type { Need } from '../../contract.ts'

const mostShown = 20

const given = (name: string, stars: number, words: string): string =>
  words ? `“${cutAtWord(words, 90)}”` : `${name} gave ${starsOf(stars)}`
const starsOf = (stars: number): string => (stars === 1 ? '1 star' : `${stars} stars`)

/** Customers who gave few stars, until somebody took care of it; and hidden reviews that were changed since, until the owner looked again. */
export const reviewNeeds = async (db: TenantDb): Promise<Need[]> => {
  const changed = await listChangedHidden(db, mostShown)
  const low = (await listLowReviews(db, mostShown)).filter(({ id }) => changed.every((one) => one.id !== id))
  const need = (id: string, is: Pick<Need, 'badge' | 'title' | 'detail'>): Need => {
    const path = linkTo.review(id)
    return {
      id: `review:${id}`,
      kind: 'review',
      tone: 'late',
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Look', path },
      ...is,
    }
  }
  return [
    ...changed.map(({ id, name, stars, words }) =>
      need(id, {
        badge: 'Hidden',
        title: given(name, stars, words),
        detail: `${name} · changed since you hid it: keep it hidden, or show it`,
      }),
    ),
    ...low.map(({ id, name, stars, words, published, hidden }) =>
      need(id, {
        badge: starsOf(stars),
        title: given(name, stars, words),
        detail: `${name} · ${hidden ? 'hidden' : published ? 'on your page' : 'only for you'}`,
      }),
    ),
  ]
}
