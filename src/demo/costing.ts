import { listLowLawns, previewLetters } from '../features/analytics/lawns/server/queries.ts'
import { sendPriceLetters } from '../features/jobs/letters/server/commands.ts'
import { acceptMinutes, dismissMinutes } from '../features/jobs/minutes/server/commands.ts'
import { listLearnedMinutes } from '../features/jobs/minutes/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'

/** Of the lawns that take other minutes than planned one is planned anew, one is left as it was, and the others wait. */
export const learnMinutes = async (owner: Actor): Promise<void> => {
  const { items } = await withTenant(owner, listLearnedMinutes)
  const [taken, left] = [items.at(-1), items.at(-2)]
  if (items.length < 4 || !taken || !left) return
  await dismissMinutes(owner, [left])
  await acceptMinutes(owner, [taken])
}

/** Of the lawns that earn too little two had a price letter; the others wait for theirs. */
export const writePriceLetters = async (owner: Actor): Promise<void> => {
  const { items, earliestOn } = await withTenant(owner, (db) => listLowLawns(db, { period: 'quarter' }))
  if (items.length < 4) return
  const lines = items.slice(-2).map(({ lineId, suggestedCents }) => ({ lineId, toCents: suggestedCents }))
  const { seal } = await withTenant(owner, (db) => previewLetters(db, { fromOn: earliestOn, lines }))
  await sendPriceLetters(owner, { fromOn: earliestOn, lines, seal })
}
